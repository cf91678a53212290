import type { Message } from "#app/chat/message.ts";
import type { Person } from "#app/chat/presence.ts";
import styles from "./typing-indicator.module.css";

export interface TypingIndicatorProps {
  /** The other users who are typing. */
  people: Person[];
  /** The messages of the feed, which have the names of users whose presence has none. */
  messages: Message[];
}

export function TypingIndicator({ people, messages }: TypingIndicatorProps) {
  const names = people.map(({ uid, name }) => name ?? getName(uid, messages));
  return <p className={styles.indicator}>{describeTyping(names)}</p>;
}

function describeTyping(names: string[]): string {
  const [first, second, third] = names;
  if (first === undefined) return "";
  if (second === undefined) return `${first} is typing…`;
  if (third === undefined) return `${first} and ${second} are typing…`;
  return "Several people are typing…";
}

function getName(uid: string, messages: Message[]): string {
  return messages.findLast((message) => message.uid === uid)?.displayName ?? "Someone";
}
