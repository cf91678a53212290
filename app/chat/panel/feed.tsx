import { Link } from "@remix-run/react";
import { Fragment, memo, useEffect, useState } from "react";

import { ANONYMOUS, readQuote, type Message, type RoomData } from "#app/chat/message.ts";
import type { PendingMessage } from "#app/chat/outbox.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { User } from "#app/session/user.ts";
import { formatDay, formatFullDateTime, formatTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { Button } from "#app/ui/button.tsx";
import styles from "./feed.module.css";

interface Feed {
  /** `server`: as the page was loaded. `live`: as the database reports. `failed`: the subscription has ended. */
  status: "server" | "live" | "failed";
  messages: Message[];
}

const NONE: Message[] = [];

/**
 * Subscribes to the room's messages while `isOpen`, starting with those of the loader. The Firebase SDK is not fetched
 * before. If the subscription fails, the more recent list is shown.
 */
export function useFeed(firebase: FirebaseConfig, loaded: RoomData["feed"], isOpen: boolean): Feed {
  const [live, setLive] = useState<Message[] | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    if (!isOpen) return;
    let isStopped = false;
    let unsubscribe = () => {};

    function fail() {
      if (!isStopped) setHasFailed(true);
    }

    async function start() {
      const { subscribeToMessages } = await import("#app/chat/messages.client.ts");
      if (isStopped) return;
      unsubscribe = subscribeToMessages(firebase, setLive, fail);
    }

    start().catch(fail);
    return () => {
      isStopped = true;
      unsubscribe();
    };
  }, [firebase, isOpen]);

  const initial = loaded.status === "loaded" ? loaded.messages : NONE;
  if (hasFailed) return { status: "failed", messages: getNewer(live, initial) };
  return live ? { status: "live", messages: live } : { status: "server", messages: initial };
}

/** Returns the list that ends with the more recent message. */
function getNewer(live: Message[] | null, loaded: Message[]): Message[] {
  const lastTime = (messages: Message[]) => messages.at(-1)?.createdAt ?? 0;
  return live && lastTime(live) >= lastTime(loaded) ? live : loaded;
}

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
          <li className={styles.item}>
            <Bubble message={message} isOwn={message.uid === uid} locale={locale} />
          </li>
        </Fragment>
      ))}
    </ol>
  );
});

export interface PendingListProps {
  messages: PendingMessage[];
  /** Whether a message has failed, and the others wait. */
  isPaused: boolean;
  user: User | null;
  locale: Locale;
  /** Sends the messages that wait; `undefined` where the composer's button does. */
  onRetry: (() => void) | undefined;
}

/** Shows the user's messages that are being sent, below the feed. */
export function PendingList({ messages, isPaused, user, locale, onRetry }: PendingListProps) {
  if (messages.length === 0) return null;
  const { uid = "", photoURL = null, displayName } = user ?? {};
  const sender = { uid, photoURL, displayName: displayName ?? ANONYMOUS, createdAt: null };
  return (
    <>
      <ol className={styles.list} data-pending>
        {messages.map(({ id, text, status }) => (
          <li key={id} className={styles.item}>
            <Bubble
              message={{ ...sender, id, text }}
              isOwn
              status={describeStatus(status, isPaused)}
              locale={locale}
            />
          </li>
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

interface BubbleProps {
  message: Message;
  isOwn: boolean;
  locale: Locale;
  /** Shown in place of the time of a message that has not been stored. */
  status?: string | undefined;
}

function Bubble({ message, isOwn, locale, status }: BubbleProps) {
  const { displayName, createdAt, text } = message;
  return (
    <article className={styles.bubble} data-own={isOwn || undefined}>
      <p className={styles.meta}>
        <span className={styles.name}>{displayName}</span>{" "}
        {createdAt === null ? null : (
          <time
            dateTime={new Date(createdAt).toISOString()}
            title={formatFullDateTime(createdAt, locale)}
            // Server and browser may format a time differently.
            suppressHydrationWarning
          >
            {formatTime(createdAt, locale)}
          </time>
        )}
        {status ? <span>{status}</span> : null}
      </p>
      <MessageText text={text} />
    </article>
  );
}

/** Shows the text as typed, never as markup. A quote of a story links to the quoted paragraph. */
function MessageText({ text }: { text: string }) {
  const quote = readQuote(text);
  if (!quote) return <p className={styles.text}>{text}</p>;
  return (
    <>
      <blockquote className={styles.quote}>
        <Link to={quote.path}>“{quote.words}”</Link>
      </blockquote>
      {quote.comment ? <p className={styles.text}>{quote.comment}</p> : null}
    </>
  );
}
