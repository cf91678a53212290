import styles from "#app/chat/message-page/message-screen.module.css";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { AppealFields, APPEAL_PATH, type AppealResult } from "./appeal-fields.tsx";

/** An appeal that was not sent from a page without scripts, with the reason. */
export function AppealScreen({ message, hint, values }: AppealResult) {
  return (
    <div className={styles.page}>
      <h1>Ask to post again</h1>
      <MessageBanner severity="error" hint={hint}>
        {message}
      </MessageBanner>
      {/* Not Remix's: the action returns to the room only without scripts. */}
      <form method="post" action={APPEAL_PATH} className={styles.form}>
        <AppealFields {...values} />
        <div className={styles.buttons}>
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
