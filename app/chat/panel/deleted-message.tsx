import { useEffect, useId, useRef } from "react";

import type { Message } from "#app/chat/message.ts";
import { useMessageActionsValue } from "#app/chat/use-message-actions.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { useSecondsLeft } from "#app/ui/use-seconds-left.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import bubble from "./bubble.module.css";
import { describeText } from "./arrival-announcer.tsx";
import styles from "./deleted-message.module.css";

export interface DeletedMessageProps {
  message: Message;
  /** When it is deleted on the server, in milliseconds since the Unix epoch. */
  until: number;
}

/** Replaces a message that the user has deleted, and shows how long they can still undo it. */
export function DeletedMessage({ message, until }: DeletedMessageProps) {
  const { id, displayName } = message;
  const { actions } = useMessageActionsValue();
  const seconds = useSecondsLeft(until);
  const undo = useRef<HTMLButtonElement>(null);
  const deletedId = useId();

  useEffect(() => {
    // The menu keeps the focus inside until it has closed.
    const timer = setTimeout(() => undo.current?.focus());
    return () => clearTimeout(timer);
  }, []);

  return (
    <div className={bubble.bubble} data-own>
      <p className={bubble.meta}>
        <Bdi className={bubble.name}>{displayName}</Bdi> <span>{seconds} s left</span>
      </p>
      <p className={styles.text}>
        <span id={deletedId}>
          Deleted.<VisuallyHidden> {describeText(message).join(", ")}</VisuallyHidden>
        </span>{" "}
        <button
          ref={undo}
          type="button"
          className={styles.undo}
          // Screen readers say what was deleted together with the button, which gets the focus.
          aria-describedby={deletedId}
          onClick={() => actions.undo(id)}
        >
          Undo
        </button>
      </p>
    </div>
  );
}
