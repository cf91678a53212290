import type { ReactNode } from "react";

import type { Message } from "#app/chat/message.ts";
import type { Person } from "#app/chat/presence.ts";
import { Bdi } from "#app/ui/bdi.tsx";
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

function describeTyping([first, second, third]: string[]): ReactNode {
  if (first === undefined) return null;
  if (third !== undefined) return "Several people are typing…";
  return (
    <>
      <Bdi>{first}</Bdi>
      {second === undefined ? (
        " is typing…"
      ) : (
        <>
          {" and "}
          <Bdi>{second}</Bdi>
          {" are typing…"}
        </>
      )}
    </>
  );
}

function getName(uid: string, messages: Message[]): string {
  return messages.findLast((message) => message.uid === uid)?.displayName ?? "Someone";
}
