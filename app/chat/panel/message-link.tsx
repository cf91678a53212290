import { toMessagePagePath } from "#app/chat/message-intents.ts";
import type { Message } from "#app/chat/message.ts";
import { formatTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import iconButton from "#app/ui/icon-button.module.css";
import { Icon } from "#app/ui/icon.tsx";
import styles from "./message-menu.module.css";

export interface MessageLinkProps {
  message: Message;
  isOwn: boolean;
  locale: Locale;
}

/** The link beside a message to its page of forms. With scripts, the button of its menu takes its place. */
export function MessageLink({ message, isOwn, locale }: MessageLinkProps) {
  return (
    <a
      className={`${iconButton.button} ${styles.trigger}`}
      href={toMessagePagePath(message.id)}
      aria-label={describeActions(message, isOwn, locale)}
      data-own={isOwn || undefined}
      // Server and browser may format a time differently.
      suppressHydrationWarning
    >
      <Icon name="more" />
    </a>
  );
}

/** Returns the name of a message's menu. */
export function describeActions(
  { displayName, createdAt }: Message,
  isOwn: boolean,
  locale: Locale,
): string {
  const possessive = isOwn ? "your" : `${displayName}'s`;
  const time = createdAt === null ? "" : ` of ${formatTime(createdAt, locale)}`;
  return `Actions for ${possessive} message${time}`;
}
