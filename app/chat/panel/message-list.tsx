import { Fragment, memo } from "react";

import type { Message } from "#app/chat/message.ts";
import { formatDay } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { Bubble } from "./bubble.tsx";
import styles from "./message-list.module.css";

export interface MessageListProps {
  messages: Message[];
  /** The reader's own uid; their messages stand on the right. */
  uid: string | undefined;
  locale: Locale;
  /** Milliseconds since the Unix epoch: what "Today" is measured from. */
  now: number;
}

/** Shows messages in order, under a line for each day. Not again for every key that is typed below it. */
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
          <li className={styles.item}>
            <Bubble message={message} isOwn={message.uid === uid} locale={locale} />
          </li>
        </Fragment>
      ))}
    </ol>
  );
});
