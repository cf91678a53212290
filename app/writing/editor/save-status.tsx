import type { ActionError } from "#app/session/action-result.ts";
import { formatFullDateTime, formatTime, type Locale } from "#app/site/locale/locale.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import type { SaveStatus } from "#app/writing/autosave/state.ts";
import styles from "./editor-form.module.css";

interface SaveIndicatorProps {
  status: SaveStatus;
  /** Whether the user has to choose between two texts first. */
  hasConflict: boolean;
  locale: Locale;
}

/** Shows where the latest text is saved, and since when. */
export function SaveIndicator({ status, hasConflict, locale }: SaveIndicatorProps) {
  const { savedAt } = status;
  return (
    <p className={styles.indicator}>
      {describe(status, hasConflict)}
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

function describe(
  { savedTo, revision, publishedRevision }: SaveStatus,
  hasConflict: boolean,
): string {
  if (savedTo === "nowhere") return "Not saved yet";
  if (savedTo === "device") {
    return hasConflict ? "Saved on this device, not in your account" : "Saved on this device";
  }
  if (publishedRevision === null) return "Saved to your account";
  return publishedRevision === revision ? "Published" : "Changes not yet published";
}

/** Returns why the latest text is not in the account. Without storage, only the open page contains it. */
export function findSaveError({ error, savedTo }: SaveStatus): ActionError | null {
  const isOnlyHere = savedTo === "nowhere" && error?.reason === "unavailable";
  return isOnlyHere ? { ...error, hint: ONLY_HERE } : error;
}

const ONLY_HERE =
  "We can't reach your account right now. We'll save it as soon as we can. Keep this page open until then.";

/** Shows why a draft was not saved. */
export function SaveErrorBanner({ error, className }: { error: ActionError; className?: string }) {
  return (
    <MessageBanner severity="error" hint={error.hint} className={className}>
      {error.message}
    </MessageBanner>
  );
}
