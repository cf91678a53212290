import type { Notice } from "#app/chat/message-actions.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./chat-panel.module.css";

const SUCCESS_LIFE_MS = 8000;

export interface ActionNoticeProps {
  notice: Notice | null;
  onDismiss: () => void;
}

/** The result of the last action on a message. Successes close automatically. */
export function ActionNotice({ notice, onDismiss }: ActionNoticeProps) {
  if (!notice) return null;
  const { id, severity, message, hint } = notice;
  return (
    <div className={styles.banner}>
      <MessageBanner
        key={id}
        severity={severity}
        hint={hint}
        isDismissable
        onDismiss={onDismiss}
        {...(severity === "success" && { life: SUCCESS_LIFE_MS })}
      >
        {message}
      </MessageBanner>
    </div>
  );
}
