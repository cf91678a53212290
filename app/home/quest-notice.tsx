import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./quest-notice.module.css";

const LIFE_MS = 6000;

/** Explains why a link to a quest leads to /home. */
export function QuestNotice() {
  return (
    <MessageBanner className={styles.notice} severity="info" life={LIFE_MS} isDismissable>
      That quest is not open yet.
    </MessageBanner>
  );
}
