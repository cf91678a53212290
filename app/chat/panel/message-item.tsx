import type { ReactNode } from "react";

import { Avatar } from "#app/ui/avatar.tsx";
import styles from "./message-item.module.css";

export interface MessageItemProps {
  isOwn: boolean;
  /** Whether it stands close to the message before it, which has the same sender. */
  isContinued: boolean;
  photoURL: string | null;
  /** The bubble, and what is beside it. */
  children: ReactNode;
}

/**
 * One message of a list: a row that starts at the left, below the sender's photo in the first of a group; or at the right
 * for the user's own messages.
 */
export function MessageItem({ isOwn, isContinued, photoURL, children }: MessageItemProps) {
  return (
    <li
      className={styles.item}
      data-own={isOwn || undefined}
      data-continued={isContinued || undefined}
    >
      {isOwn ? null : (
        <div className={styles.photo}>{isContinued ? null : <Avatar src={photoURL} />}</div>
      )}
      {children}
    </li>
  );
}
