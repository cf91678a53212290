import { createContext, type ReactNode } from "react";

import { isFromOperator, type Message } from "#app/chat/message.ts";
import { MESSAGE_ID_PREFIX } from "#app/chat/room-address.ts";
import { formatFullDateTime, formatTime, type Locale } from "#app/site/locale/locale.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { CachedHtml } from "#app/ui/server-html.tsx";
import styles from "./bubble.module.css";
import { Picture } from "./picture.tsx";

/** Messages of one sender within this time are shown close together. */
const GROUP_MS = 5 * 60_000;

export interface MessageItemProps {
  /** Everything that the HTML of the children and the photo depends on; see `CachedHtml`. */
  dependsOn?: object | undefined;
  isOwn: boolean;
  /** Whether it is shown close to the message before it, which is from the same sender. */
  isContinued: boolean;
  photoURL: string | null;
  /** The bubble, and what is beside it. */
  children: ReactNode;
}

/**
 * One message of a list. The user's own messages are at the right. Others are at the left, with the sender's photo beside
 * the first of a group.
 */
export function MessageItem({
  dependsOn,
  isOwn,
  isContinued,
  photoURL,
  children,
}: MessageItemProps) {
  return (
    <CachedHtml
      as="li"
      dependsOn={dependsOn}
      className={styles.item}
      data-own={isOwn || undefined}
      data-continued={isContinued || undefined}
    >
      {isOwn ? null : (
        <div className={styles.photo}>{isContinued ? null : <Picture photoURL={photoURL} />}</div>
      )}
      {children}
    </CachedHtml>
  );
}

type GroupedMessage = Pick<Message, "uid" | "createdAt">;

/**
 * Whether a message is shown close to the one before it: both are from the same sender, within five minutes.
 *
 * @param now the time of messages that have not been stored, in milliseconds since the Unix epoch
 */
export function isSameGroup(
  previous: GroupedMessage | undefined,
  message: GroupedMessage,
  now: number,
): boolean {
  if (previous?.uid !== message.uid) return false;
  return Math.abs((message.createdAt ?? now) - (previous.createdAt ?? now)) <= GROUP_MS;
}

export interface BubbleProps {
  message: Pick<Message, "id" | "displayName" | "createdAt">;
  isOwn: boolean;
  locale: Locale;
  /** Shown in place of the time of a message that has not been stored. */
  status?: string | undefined;
  /** Whether it is shown close to the message before it. @default false */
  isContinued?: boolean;
  isEdited?: boolean;
  /** Whether the user is editing it. @default false */
  isEditing?: boolean;
  /** Whether the server has rejected it. @default false */
  isFailed?: boolean;
  /** Shown after the sender's name. */
  note?: ReactNode;
  /** What the user can do about a message that has not been stored. */
  actions?: ReactNode;
  /** The message's text. */
  children: ReactNode;
}

/** Returns the id of a message's element. */
export function toElementId(messageId: string): string {
  return MESSAGE_ID_PREFIX + messageId;
}

/** Returns the id of the message that an element shows. */
export function readMessageId({ id }: Element): string {
  return id.slice(MESSAGE_ID_PREFIX.length);
}

/**
 * The name and the time of a message that are shown at the end of its text, whose last line leaves space for them;
 * `undefined` if they are above it.
 */
export const TrailingContext = createContext<string | undefined>(undefined);

/** A message with the sender's name and the time, which always come first in the document. */
export function Bubble({
  message,
  isOwn,
  locale,
  status,
  isContinued = false,
  isEdited = false,
  isEditing = false,
  isFailed = false,
  note,
  actions,
  children,
}: BubbleProps) {
  const { displayName, createdAt } = message;
  const id = `message-${message.id}`;
  const time = createdAt === null ? "" : formatTime(createdAt, locale);
  const change = isEditing ? "Editing…" : isEdited ? "edited" : "";
  const trailing = [displayName, isFromOperator(message) && "Operator", time, change, status]
    .filter(Boolean)
    .join(" ");
  return (
    <article
      id={toElementId(message.id)}
      className={styles.bubble}
      data-trailing={(isContinued && !isFailed) || undefined}
      data-own={isOwn || undefined}
      data-failed={isFailed || undefined}
      data-editing={isEditing || undefined}
      aria-labelledby={`${id}-sender`}
      aria-describedby={`${id}-text`}
    >
      <p id={`${id}-sender`} className={styles.meta}>
        <Bdi className={styles.name}>{displayName}</Bdi> {note ? <>{note} </> : null}
        {isFromOperator(message) ? (
          <>
            <span className={styles.operator}>Operator</span>{" "}
          </>
        ) : null}
        {createdAt === null ? null : (
          <time
            dateTime={new Date(createdAt).toISOString()}
            title={formatFullDateTime(createdAt, locale)}
            // Server and browser may format a time differently.
            suppressHydrationWarning
          >
            {time}
          </time>
        )}
        {change ? <span className={styles.edited}> {change}</span> : null}
        {status ? <span>{status}</span> : null}
      </p>
      <div id={`${id}-text`}>
        <TrailingContext.Provider value={isContinued ? trailing : undefined}>
          {children}
        </TrailingContext.Provider>
      </div>
      {actions}
    </article>
  );
}
