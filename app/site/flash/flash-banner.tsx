import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./flash-banner.module.css";
import type { FlashText } from "./flash.ts";

export function FlashBanner({ text }: { text: FlashText | null }) {
  if (!text) return null;
  return (
    <MessageBanner
      className={styles.banner}
      severity={text.severity ?? "success"}
      hint={text.hint}
      isDismissable
    >
      {text.message}
    </MessageBanner>
  );
}
