import type { Message } from "#app/chat/message.ts";
import styles from "./typing-line.module.css";

/** Says who else is typing, by the name under their latest message. */
export function TypingLine({ typists, messages }: { typists: string[]; messages: Message[] }) {
  return (
    <p className={styles.line}>{describeTypists(typists.map((uid) => nameOf(uid, messages)))}</p>
  );
}

function describeTypists(names: string[]): string {
  const [first, second, third] = names;
  if (first === undefined) return "";
  if (second === undefined) return `${first} is typing…`;
  if (third === undefined) return `${first} and ${second} are typing…`;
  return "Several people are typing…";
}

function nameOf(uid: string, messages: Message[]): string {
  return messages.findLast((message) => message.uid === uid)?.displayName ?? "Someone";
}
