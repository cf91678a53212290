import { Link } from "@remix-run/react";

import { Button } from "#app/components/button.tsx";
import { MessageBanner } from "#app/components/message-banner.tsx";
import { formatStamp } from "#app/features/clock/format-time.ts";
import type { Clock } from "#app/schemas/clock.ts";
import type { OpenDraft } from "./desk-view.ts";
import styles from "./conflict-choice.module.css";

export interface ConflictChoiceProps {
  /** What another tab or device has saved, or put away. */
  theirs: OpenDraft;
  /** Whether that is something else than what stands in the editor. */
  isOther: boolean;
  clock: Clock;
  now: number;
  /** With scripts. Without them saving again keeps what stands in the editor. */
  onKeepMine: (() => void) | undefined;
  onTakeTheirs: (() => void) | undefined;
}

/** Shows what became of the draft elsewhere beside what is being written. Nothing is overwritten until somebody chooses. */
export function ConflictChoice(props: ConflictChoiceProps) {
  const { theirs, isOther, clock, now, onKeepMine } = props;
  const isDeleted = theirs.deletedAt !== null;
  return (
    <div className={styles.conflict}>
      <MessageBanner severity="warn" hint={hintOf(isDeleted, onKeepMine !== undefined)}>
        {isDeleted
          ? "This draft was deleted"
          : "This draft was changed in another tab or on another device"}
        {theirs.updatedAt === null ? null : ` (${formatStamp(theirs.updatedAt, clock, now)})`}.
      </MessageBanner>
      {isOther ? <TheirText theirs={theirs} /> : null}
      <div className={styles.keys}>
        {onKeepMine ? (
          <Button onPress={onKeepMine}>{isDeleted ? "Bring it back" : "Go on with mine"}</Button>
        ) : null}
        {isDeleted ? <Link to="/create">Begin another</Link> : <TakeTheirs {...props} />}
      </div>
    </div>
  );
}

function hintOf(isDeleted: boolean, hasScripts: boolean): string {
  if (isDeleted) {
    return hasScripts
      ? "Your text is still here. Bring it back to go on with it."
      : "Your text is still here. Save it to bring it back.";
  }
  return hasScripts
    ? "Both texts are safe. Choose the one to go on with."
    : "Both texts are safe. Save again to go on with what stands in the editor.";
}

function TheirText({ theirs: { title, text } }: Pick<ConflictChoiceProps, "theirs">) {
  return (
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
  );
}

function TakeTheirs({ theirs: { id }, onTakeTheirs }: ConflictChoiceProps) {
  return onTakeTheirs ? (
    <Button variant="quiet" onPress={onTakeTheirs}>
      Go on with the other
    </Button>
  ) : (
    <Link to={`/create?draft=${id}`}>Go on with the other</Link>
  );
}
