import type { Notice } from "#app/chat/message-actions.ts";
import type { MessageIntent } from "#app/chat/message-intents.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./chat-panel.module.css";

const SUCCESS_LIFE_MS = 8000;

/** What the room says after something was done on a message's page of forms. */
const DONE: Record<MessageIntent, Pick<Notice, "message" | "hint">> = {
  edit: { message: "Your message was changed." },
  delete: { message: "Your message was deleted." },
  hide: {
    message: "You won't see their messages any more.",
    hint: "You can undo this on your profile, under Hidden.",
  },
  report: { message: "Thank you. We look at reports every day." },
};

export interface ActionNoticeProps {
  notice: Notice | null;
  /** What was done before this page, on another one. */
  done: MessageIntent | null;
  onDismiss: () => void;
}

/** The result of the last action on a message. A success closes automatically, unless it says how to undo it. */
export function ActionNotice({ notice, done, onDismiss }: ActionNoticeProps) {
  const shown = notice ?? (done && { id: 0, severity: "success", ...DONE[done] });
  if (!shown) return null;
  const { id, severity, message, hint } = shown;
  return (
    <div className={styles.banner}>
      <MessageBanner
        key={id}
        severity={severity}
        hint={hint}
        isDismissable
        onDismiss={onDismiss}
        {...(severity === "success" && !hint && { life: SUCCESS_LIFE_MS })}
      >
        {message}
      </MessageBanner>
    </div>
  );
}
