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

const QUARTER_MS = 15 * 60_000;

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
  const days = toDays(messages, locale, now);
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
              <StoredMessage
                message={message}
                isOwn={isOwn}
                isContinued={
                  !isNewDay &&
                  !isFirstUnread &&
                  isSameGroup(getShown(messages[index - 1]), message, now)
                }
                locale={locale}
              />
            )}
          </Fragment>
        );
      })}
    </ol>
  );
});

/** Memoized: an arriving message rerenders the list, which may have thousands. */
const StoredMessage = memo(function StoredMessage({
  message,
  isOwn,
  isContinued,
  locale,
}: {
  message: Message;
  isOwn: boolean;
  isContinued: boolean;
  locale: Locale;
}) {
  return (
    <MessageItem isOwn={isOwn} isContinued={isContinued} photoURL={message.photoURL}>
      <FeedBubble message={message} isOwn={isOwn} locale={locale} />
    </MessageItem>
  );
});

/**
 * Returns the day of each message. Formats only one time of each quarter of an hour: in no time zone a day begins within
 * one.
 */
function toDays(messages: readonly Message[], locale: Locale, now: number): string[] {
  const days = new Map<number, string>();
  return messages.map(({ createdAt }) => {
    const time = createdAt ?? now;
    const quarter = Math.floor(time / QUARTER_MS);
    const day = days.get(quarter) ?? formatDay(time, locale, now);
    days.set(quarter, day);
    return day;
  });
}

/** A message below folded messages starts a group, because the folded ones show no name. */
function getShown(message: FeedMessage | undefined): Message | undefined {
  return message?.foldedIds ? undefined : message;
}
