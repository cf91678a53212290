import { useEffect, useLayoutEffect, useRef, useState } from "react";

import type { Message } from "#app/chat/message.ts";
import { useMessageActionsValue } from "#app/chat/use-message-actions.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import bubble from "./bubble.module.css";
import styles from "./deleted-message.module.css";

const SECOND_MS = 1000;

export interface DeletedMessageProps {
  message: Message;
  /** When it is deleted on the server, in milliseconds since the Unix epoch. */
  until: number;
}

/** Replaces a message that the user has deleted, and shows how long they can still undo it. */
export function DeletedMessage({ message: { id, displayName }, until }: DeletedMessageProps) {
  const { actions } = useMessageActionsValue();
  const seconds = useSecondsLeft(until);
  const undo = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    const button = undo.current;
    // The menu keeps the focus inside until it has closed.
    const timer = setTimeout(() => button?.focus());
    return () => {
      clearTimeout(timer);
      // The button is about to be removed, and the focus with it.
      if (button && document.activeElement === button) focusFeed(button);
    };
  }, []);

  return (
    <div className={bubble.bubble} data-own>
      <p className={bubble.meta}>
        <Bdi className={bubble.name}>{displayName}</Bdi> <span>{seconds} s left</span>
      </p>
      <p className={styles.text}>
        Deleted.{" "}
        <button ref={undo} type="button" className={styles.undo} onClick={() => actions.undo(id)}>
          Undo
        </button>
      </p>
    </div>
  );
}

/** Moves the focus from a control that disappears to the feed around it. */
export function focusFeed(control: Element): void {
  findFeed(control)?.focus();
}

export function findFeed(control: Element | null): HTMLElement | null {
  return control?.closest<HTMLElement>("[role=log]") ?? null;
}

function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / SECOND_MS));
}
