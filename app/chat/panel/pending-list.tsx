import { ANONYMOUS, type Message, type MessageError } from "#app/chat/message.ts";
import type { OutboxEntry } from "#app/chat/outbox/outbox-store.ts";
import type { Outbox, OutboxState } from "#app/chat/outbox/outbox.ts";
import type { User } from "#app/session/user.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { Bubble, isSameGroup, MessageItem } from "./bubble.tsx";
import { focusFeed } from "./deleted-message.tsx";
import styles from "./message-list.module.css";
import { MessageText } from "./message-text.tsx";
import { useIsSlow } from "./use-is-slow.ts";

export interface PendingListProps {
  outbox: Outbox;
  entries: OutboxState["entries"];
  sending: OutboxState["sending"];
  /** Why messages wait for the next attempt. */
  delay: MessageError["reason"] | undefined;
  /** The last message of the feed. */
  previous: Message | undefined;
  user: User | null;
  locale: Locale;
  /** Milliseconds since the Unix epoch. */
  now: number;
}

/** Shows the user's messages on their way to the room, below the feed. */
export function PendingList({
  outbox,
  entries,
  sending,
  delay,
  previous,
  user,
  locale,
  now,
}: PendingListProps) {
  const isSlow = useIsSlow(sending, Date.now);
  if (entries.length === 0) return null;
  const { uid = "", photoURL = null, displayName } = user ?? {};
  const sender = { uid, photoURL, displayName: displayName ?? ANONYMOUS, createdAt: null };

  function describe({ id, status }: OutboxEntry): string | undefined {
    if (status === "sent") return undefined;
    if (status === "failed") return "Not sent";
    if (delay) return delay === "too-fast" ? "Waiting" : "Waiting for connection";
    return isSlow && sending?.id === id ? "Still sending…" : "Sending…";
  }

  return (
    <ol className={styles.list}>
      {entries.map((entry, index) => (
        <MessageItem
          key={entry.id}
          isOwn
          isContinued={index > 0 || isSameGroup(previous, sender, now)}
          photoURL={photoURL}
        >
          <Bubble
            message={{ ...sender, id: entry.id }}
            isOwn
            status={describe(entry)}
            isFailed={entry.status === "failed"}
            locale={locale}
            actions={
              entry.status === "failed" ? (
                <div className={styles.actions}>
                  <button
                    type="button"
                    onClick={(event) => {
                      // The button is about to be removed, and the focus with it.
                      focusFeed(event.currentTarget);
                      void outbox.retry(entry.id);
                    }}
                  >
                    Retry
                  </button>
                  <button type="button" onClick={() => void outbox.edit(entry.id)}>
                    Edit
                  </button>
                  <button type="button" data-danger onClick={() => void outbox.discard(entry.id)}>
                    Discard
                  </button>
                </div>
              ) : null
            }
          >
            <MessageText text={entry.text} isOwn />
          </Bubble>
        </MessageItem>
      ))}
    </ol>
  );
}
