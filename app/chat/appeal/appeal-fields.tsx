import { MAX_REASON_LENGTH } from "#app/chat/moderation/mute.ts";
import styles from "#app/chat/panel/report-fields.module.css";
import { TextArea } from "#app/chat/panel/report-fields.tsx";
import type { ActionError } from "#app/session/action-result.ts";
import { useTypedText } from "#app/ui/text-area.ts";

/** The address that asks to post again. */
export const APPEAL_PATH = "/rooms/general/appeal";

/** Why an appeal was not sent, with what was submitted. */
export interface AppealResult extends ActionError {
  values: Record<"uid" | "appeal" | "returnTo", string>;
}

export interface AppealFieldsProps {
  uid: string;
  /** The address of the room on the page from which the user comes. */
  returnTo: string;
  /** What was submitted before. */
  appeal?: string;
}

/** The fields of the form that asks to post again. */
export function AppealFields({ uid, returnTo, appeal = "" }: AppealFieldsProps) {
  const typed = useTypedText("textarea[name=appeal]", appeal);
  return (
    <>
      <input type="hidden" name="uid" value={uid} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <TextArea
        label="Why should you be able to post again?"
        name="appeal"
        maxLength={MAX_REASON_LENGTH}
        required
        defaultValue={typed}
      />
      <p className={styles.note}>Only our team sees it. You can ask once.</p>
    </>
  );
}
