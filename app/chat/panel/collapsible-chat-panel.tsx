import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

import { ChatPanel, type ChatPanelProps } from "./chat-panel.tsx";
import styles from "./collapsible-chat-panel.module.css";

/** The hashes of links to the room. They open it. */
const ROOM_HASHES = ["#room", "#newest"];

/** The chat panel at the end of a page, collapsed at first. Opens without scripts as well. */
export function CollapsibleChatPanel(props: Omit<ChatPanelProps, "isOpen">) {
  const details = useRef<HTMLDetailsElement>(null);
  const { hash, key } = useLocation();
  const hasError = props.result?.status === "error" || props.signInError !== undefined;
  const [isOpen, setIsOpen] = useState(hasError);

  useEffect(() => {
    // The user may have opened it before hydration.
    if (details.current?.open) setIsOpen(true);
  }, []);

  useEffect(() => {
    if (!ROOM_HASHES.includes(hash) || !details.current) return;
    details.current.open = true;
    document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, key]);

  return (
    <details
      ref={details}
      className={styles.details}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className={styles.summary}>The room</summary>
      <ChatPanel {...props} isOpen={isOpen} />
    </details>
  );
}
