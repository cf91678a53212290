import page from "#app/chat/message-page/message-page.module.css";
import { MAX_REASON_LENGTH } from "#app/chat/moderation/mute.ts";
import styles from "#app/chat/panel/report-fields.module.css";
import { TextArea } from "#app/chat/panel/report-fields.tsx";
import type { ActionError } from "#app/session/action-result.ts";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
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

/** An appeal that was not sent from a page without scripts, with the reason. */
export function AppealScreen({ message, hint, values }: AppealResult) {
  return (
    <div className={page.page}>
      <h1>Ask to post again</h1>
      <MessageBanner severity="error" hint={hint}>
        {message}
      </MessageBanner>
      {/* Not Remix's: the action returns to the room only without scripts. */}
      <form method="post" action={APPEAL_PATH} className={page.form}>
        <AppealFields {...values} />
        <div className={page.buttons}>
          <Button type="submit">Ask</Button>
        </div>
      </form>
      <p>
        <Link to={values.returnTo} variant="standalone">
          Back to the room
        </Link>
      </p>
    </div>
  );
}
