import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./flash-banner.module.css";
import { NOTICE_WORDS } from "./flash-text.ts";
import type { Notice } from "./flash.ts";

/** Says, once and quietly, what has just happened. */
export function FlashNotice({ notice }: { notice: Notice | null }) {
  const words = notice && NOTICE_WORDS[notice];
  if (!words) return null;
  return (
    <MessageBanner
      className={styles.notice}
      severity={words.severity ?? "success"}
      hint={words.hint}
      isDismissable
    >
      {words.message}
    </MessageBanner>
  );
}
