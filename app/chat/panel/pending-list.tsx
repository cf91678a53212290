import { isSameGroup } from "#app/chat/group-messages.ts";
import { ANONYMOUS, type Message } from "#app/chat/message.ts";
import type { PendingMessage } from "#app/chat/outbox.ts";
import type { User } from "#app/session/user.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { Button } from "#app/ui/button.tsx";
import { Bubble } from "./bubble.tsx";
import { MessageItem } from "./message-item.tsx";
import styles from "./message-list.module.css";

export interface PendingListProps {
  messages: PendingMessage[];
  /** The last message of the feed. */
  previous: Message | undefined;
  /** Whether a message has failed, and the others wait. */
  isPaused: boolean;
  user: User | null;
  locale: Locale;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** Sends the messages that wait; `undefined` where the composer's button does. */
  onRetry: (() => void) | undefined;
}

/** Shows the user's messages that are being sent, below the feed. */
export function PendingList({
  messages,
  previous,
  isPaused,
  user,
  locale,
  now,
  onRetry,
}: PendingListProps) {
  if (messages.length === 0) return null;
  const { uid = "", photoURL = null, displayName } = user ?? {};
  const sender = { uid, photoURL, displayName: displayName ?? ANONYMOUS, createdAt: null };
  return (
    <>
      <ol className={styles.list}>
        {messages.map(({ id, text, status }, index) => (
          <MessageItem
            key={id}
            isOwn
            isContinued={index > 0 || isSameGroup(previous, sender, now)}
            photoURL={photoURL}
          >
            <Bubble
              message={{ ...sender, id, text }}
              isOwn
              status={describeStatus(status, isPaused)}
              locale={locale}
            />
          </MessageItem>
        ))}
      </ol>
      {onRetry ? (
        <div className={styles.retry}>
          <Button variant="quiet" onPress={onRetry}>
            Send again
          </Button>
        </div>
      ) : null}
    </>
  );
}

function describeStatus(status: PendingMessage["status"], isPaused: boolean): string | undefined {
  if (status === "sent") return undefined;
  if (status === "failed") return "Not sent";
  return status === "waiting" && isPaused ? "Waiting" : "Sending…";
}
