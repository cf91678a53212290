import type { ReactNode } from "react";

import styles from "./message-item.module.css";

export interface MessageItemProps {
  isOwn: boolean;
  /** The bubble, and what is beside it. */
  children: ReactNode;
}

/** One message of a list: a row that starts at the left, or at the right for the user's own messages. */
export function MessageItem({ isOwn, children }: MessageItemProps) {
  return (
    <li className={styles.item} data-own={isOwn || undefined}>
      {children}
    </li>
  );
}
