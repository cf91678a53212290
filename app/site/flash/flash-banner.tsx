import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./flash-banner.module.css";
import { FLASH_TEXTS } from "./flash-text.ts";
import type { Flash } from "./flash.ts";

export function FlashBanner({ flash }: { flash: Flash | null }) {
  const text = flash && FLASH_TEXTS[flash];
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
