import { Fragment, memo } from "react";

import type { Message } from "#app/chat/message.ts";
import { formatDay } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { Bubble } from "./bubble.tsx";
import { MessageItem } from "./message-item.tsx";
import styles from "./message-list.module.css";

export interface MessageListProps {
  messages: Message[];
  /** The signed-in user, whose messages are on the right. */
  uid: string | undefined;
  locale: Locale;
  /** Milliseconds since the Unix epoch, for "Today". */
  now: number;
}

/** Shows messages in order, below a heading for each day. Memoized: typing rerenders the panel. */
export const MessageList = memo(function MessageList({
  messages,
  uid,
  locale,
  now,
}: MessageListProps) {
  const days = messages.map(({ createdAt }) => formatDay(createdAt ?? now, locale, now));
  return (
    <ol className={styles.list}>
      {messages.map((message, index) => (
        <Fragment key={message.id}>
          {days[index] === days[index - 1] ? null : (
            <li className={styles.day} suppressHydrationWarning>
              {days[index]}
            </li>
          )}
          <MessageItem isOwn={message.uid === uid}>
            <Bubble message={message} isOwn={message.uid === uid} locale={locale} />
          </MessageItem>
        </Fragment>
      ))}
    </ol>
  );
});
