import { useId, type ReactNode } from "react";

import type { Message } from "#app/chat/message.ts";
import { formatFullDateTime, formatTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import styles from "./bubble.module.css";
import { MessageText } from "./message-text.tsx";

export interface BubbleProps {
  message: Message;
  isOwn: boolean;
  locale: Locale;
  /** Shown in place of the time of a message that has not been stored. */
  status?: string | undefined;
  isEdited?: boolean;
  /** Whether the server has rejected it. @default false */
  isFailed?: boolean;
  /** What the user can do about a message that has not been stored. */
  children?: ReactNode;
}

/** A message with the sender's name and the time. */
export function Bubble({
  message,
  isOwn,
  locale,
  status,
  isEdited = false,
  isFailed = false,
  children,
}: BubbleProps) {
  const { displayName, createdAt, text } = message;
  const id = useId();
  return (
    <article
      className={styles.bubble}
      data-own={isOwn || undefined}
      data-failed={isFailed || undefined}
      aria-labelledby={`${id}-sender`}
      aria-describedby={`${id}-text`}
    >
      <p id={`${id}-sender`} className={styles.meta}>
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
        {isEdited ? <span className={styles.edited}> edited</span> : null}
        {status ? <span>{status}</span> : null}
      </p>
      <div id={`${id}-text`}>
        <MessageText text={text} isOwn={isOwn} />
      </div>
      {children}
    </article>
  );
}
