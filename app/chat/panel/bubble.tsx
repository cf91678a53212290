import type { Message } from "#app/chat/message.ts";
import { formatFullDateTime, formatTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import styles from "./bubble.module.css";
import { MessageText } from "./message-text.tsx";

export interface BubbleProps {
  message: Message;
  isOwn: boolean;
  locale: Locale;
  /** Stands in place of the time of a message that is not in the room yet. */
  note?: string;
}

/** One message: who said it, when, and what. The text is shown as typed and never read as markup. */
export function Bubble({ message, isOwn, locale, note }: BubbleProps) {
  const { displayName, createdAt, text } = message;
  return (
    <article className={styles.bubble} data-own={isOwn || undefined}>
      <p className={styles.meta}>
        <span className={styles.name}>{displayName}</span>{" "}
        {createdAt === null ? null : (
          <time
            dateTime={new Date(createdAt).toISOString()}
            title={formatFullDateTime(createdAt, locale)}
            // Server and browser may spell a time differently; the browser's spelling follows.
            suppressHydrationWarning
          >
            {formatTime(createdAt, locale)}
          </time>
        )}
        {note ? <span>{note}</span> : null}
      </p>
      <MessageText text={text} />
    </article>
  );
}
