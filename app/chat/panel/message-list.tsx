import { Fragment, memo } from "react";

import type { FeedMessage } from "#app/chat/fold-hidden.ts";
import { isSameGroup } from "#app/chat/group-messages.ts";
import type { Message } from "#app/chat/message.ts";
import { formatDay } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { FeedBubble } from "./feed-bubble.tsx";
import { HiddenMessages } from "./hidden-messages.tsx";
import { MessageItem } from "./message-item.tsx";
import styles from "./message-list.module.css";

export interface MessageListProps {
  messages: FeedMessage[];
  /** The message below the line "New". */
  firstUnreadId: string | undefined;
  /** The signed-in user, whose messages are on the right. */
  uid: string | undefined;
  locale: Locale;
  /** Milliseconds since the Unix epoch, for "Today". */
  now: number;
}

/** Shows messages in order, below a heading for each day. Memoized: typing rerenders the panel. */
export const MessageList = memo(function MessageList({
  messages,
  firstUnreadId,
  uid,
  locale,
  now,
}: MessageListProps) {
  const days = messages.map(({ createdAt }) => formatDay(createdAt ?? now, locale, now));
  return (
    <ol className={styles.list}>
      {messages.map((message, index) => {
        const isNewDay = days[index] !== days[index - 1];
        const isFirstUnread = message.id === firstUnreadId;
        const isOwn = message.uid === uid;
        return (
          <Fragment key={message.id}>
            {isNewDay ? (
              <li className={styles.day} suppressHydrationWarning>
                {days[index]}
              </li>
            ) : null}
            {isFirstUnread ? <li className={styles.unread}>New</li> : null}
            {message.foldedIds ? (
              <HiddenMessages ids={message.foldedIds} />
            ) : (
              <MessageItem
                isOwn={isOwn}
                isContinued={
                  !isNewDay &&
                  !isFirstUnread &&
                  isSameGroup(getShown(messages[index - 1]), message, now)
                }
                photoURL={message.photoURL}
              >
                <FeedBubble message={message} isOwn={isOwn} locale={locale} />
              </MessageItem>
            )}
          </Fragment>
        );
      })}
    </ol>
  );
});

/** A message below folded ones starts a group: theirs have no name. */
function getShown(message: FeedMessage | undefined): Message | undefined {
  return message?.foldedIds ? undefined : message;
}
