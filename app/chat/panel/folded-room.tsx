import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

import { ChatPanel, type ChatPanelProps } from "./chat-panel.tsx";
import styles from "./folded-room.module.css";

/** Addresses that mean a place in the room, and so open it. */
const PLACES = ["#room", "#newest"];

/** The room at the end of a page, folded until somebody opens it. Opens without scripts as well. */
export function FoldedRoom(props: Omit<ChatPanelProps, "isOpen">) {
  const details = useRef<HTMLDetailsElement>(null);
  const { hash, key } = useLocation();
  const isRefused = props.reply?.status === "refused" || props.signInRefusal !== undefined;
  const [isOpen, setIsOpen] = useState(isRefused);

  useEffect(() => {
    // It may have been opened before the scripts came.
    if (details.current?.open) setIsOpen(true);
  }, []);

  useEffect(() => {
    if (!PLACES.includes(hash) || !details.current) return;
    details.current.open = true;
    document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, key]);

  return (
    <details
      ref={details}
      className={styles.room}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className={styles.summary}>The room</summary>
      <ChatPanel {...props} isOpen={isOpen} />
    </details>
  );
}
