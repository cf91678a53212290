import { formatFullDateTime, formatTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import type { SaveStatus } from "#app/writing/autosave/state.ts";
import styles from "./save-indicator.module.css";

/** Shows where the latest text is saved, and since when. */
export function SaveIndicator({ status, locale }: { status: SaveStatus; locale: Locale }) {
  const { savedAt } = status;
  return (
    <p className={styles.indicator}>
      {describe(status)}
      {savedAt === null ? null : (
        <>
          {" · "}
          <time
            dateTime={new Date(savedAt).toISOString()}
            title={formatFullDateTime(savedAt, locale)}
          >
            {formatTime(savedAt, locale)}
          </time>
        </>
      )}
    </p>
  );
}

function describe({ savedTo, revision, publishedRevision }: SaveStatus): string {
  if (savedTo === "nowhere") return "Not saved yet";
  if (savedTo === "device") return "Saved on this device";
  if (publishedRevision === null) return "Saved to your account";
  return publishedRevision === revision ? "Published" : "Changes not yet published";
}
