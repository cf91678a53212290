import { Link } from "@remix-run/react";

import { Button } from "#app/components/button.tsx";
import { MessageBanner } from "#app/components/message-banner.tsx";
import { formatStamp } from "#app/features/clock/format-time.ts";
import type { Clock } from "#app/schemas/clock.ts";
import type { OpenDraft } from "./desk-view.ts";
import styles from "./conflict-choice.module.css";

export interface ConflictChoiceProps {
  /** What another tab or device has saved. */
  theirs: OpenDraft;
  clock: Clock;
  /** With scripts. Without them saving again keeps what stands in the editor. */
  onKeepMine: (() => void) | undefined;
  onTakeTheirs: (() => void) | undefined;
}

/** Shows what was saved elsewhere beside what is being written. Nothing is overwritten until somebody chooses. */
export function ConflictChoice({ theirs, clock, onKeepMine, onTakeTheirs }: ConflictChoiceProps) {
  const { id, title, text, updatedAt } = theirs;
  return (
    <div className={styles.conflict}>
      <MessageBanner
        severity="warn"
        hint={
          onKeepMine
            ? "Both texts are safe. Choose the one to go on with."
            : "Both texts are safe. Save again to go on with what stands in the editor."
        }
      >
        This draft was changed in another tab or on another device
        {updatedAt === null ? null : `, ${formatStamp(updatedAt, clock)}`}.
      </MessageBanner>
      <details className={styles.theirs} open>
        <summary>{title || "Untitled"}, as it was saved there</summary>
        <textarea
          className={styles.text}
          aria-label="The other text"
          rows={8}
          readOnly
          value={text}
        />
      </details>
      <div className={styles.keys}>
        {onKeepMine ? <Button onPress={onKeepMine}>Go on with mine</Button> : null}
        {onTakeTheirs ? (
          <Button variant="quiet" onPress={onTakeTheirs}>
            Go on with the other
          </Button>
        ) : (
          <Link to={`/create?draft=${id}`}>Go on with the other</Link>
        )}
      </div>
    </div>
  );
}
