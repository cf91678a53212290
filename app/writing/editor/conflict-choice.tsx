import { Link } from "@remix-run/react";

import { formatStamp } from "#app/site/locale/format-time.ts";
import type { Clock } from "#app/site/locale/locale.ts";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import type { OpenDraft } from "#app/writing/editor-data.ts";
import styles from "./conflict-choice.module.css";

export interface ConflictChoiceProps {
  /** What another tab or device has saved, or put away. */
  theirs: OpenDraft;
  /** Whether that is something else than what stands in the editor. */
  isOther: boolean;
  clock: Clock;
  now: number;
  /** With scripts. Without them the buttons submit the editor's form. */
  onKeepMine: (() => void) | undefined;
  onTakeTheirs: (() => void) | undefined;
}

const DELETED_HINT = "Your text is still here. Restore the draft to continue with it.";
const CHANGED_HINT =
  "Choose the text to continue with. The other one is saved under Earlier versions.";

/** Shows what became of the draft elsewhere beside what is being written. Nothing is replaced until the user chooses. */
export function ConflictChoice(props: ConflictChoiceProps) {
  const { theirs, isOther, clock, now, onKeepMine, onTakeTheirs } = props;
  const isDeleted = theirs.deletedAt !== null;
  return (
    <div className={styles.conflict}>
      <MessageBanner severity="warn" hint={isDeleted ? DELETED_HINT : CHANGED_HINT}>
        {isDeleted
          ? "This draft was deleted"
          : "This draft was changed in another tab or on another device"}
        {theirs.updatedAt === null ? null : ` (${formatStamp(theirs.updatedAt, clock, now)})`}.
      </MessageBanner>
      {isOther ? <TheirText theirs={theirs} /> : null}
      <div className={styles.keys}>
        <Button
          type={onKeepMine ? "button" : "submit"}
          name="intent"
          value="save"
          onPress={onKeepMine}
        >
          {isDeleted ? "Restore draft" : "Use my text"}
        </Button>
        {isDeleted ? (
          <Link to="/create">New story</Link>
        ) : (
          <Button
            type={onTakeTheirs ? "button" : "submit"}
            variant="quiet"
            name="intent"
            value="set-aside"
            onPress={onTakeTheirs}
          >
            Use the other text
          </Button>
        )}
      </div>
    </div>
  );
}

function TheirText({ theirs: { title, text } }: Pick<ConflictChoiceProps, "theirs">) {
  return (
    <details className={styles.theirs} open>
      <summary>{title || "Untitled"}, as saved there</summary>
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
