import { formatMoment, formatTime } from "#app/site/locale/format-time.ts";
import type { Clock } from "#app/site/locale/locale.ts";
import type { KeptDraft } from "#app/writing/autosave/autosaved-draft.ts";
import styles from "./save-state.module.css";

/** Says where the last word is, and since when. Never more than is true. */
export function SaveState({ kept, clock }: { kept: KeptDraft; clock: Clock }) {
  return (
    <p className={styles.state}>
      {describe(kept)}
      {kept.at === null ? null : (
        <>
          {" · "}
          <time dateTime={new Date(kept.at).toISOString()} title={formatMoment(kept.at, clock)}>
            {formatTime(kept.at, clock)}
          </time>
        </>
      )}
    </p>
  );
}

function describe({ place, revision, publishedRevision }: KeptDraft): string {
  if (place === "nowhere") return "Not saved yet";
  if (place === "device") return "Saved on this device";
  if (publishedRevision === null) return "Saved to your account";
  return publishedRevision === revision ? "Published" : "Changes not yet published";
}
