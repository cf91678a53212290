import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./unsaved-banner.module.css";

/** Says that a form has text that the user typed before their session ended. */
export function UnsavedBanner() {
  return (
    <MessageBanner className={styles.unsaved} hint="It isn't saved yet.">
      What you typed is still here.
    </MessageBanner>
  );
}
