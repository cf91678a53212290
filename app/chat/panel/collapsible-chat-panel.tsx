import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

import { isRoomHash, useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import { useBrowserLayoutEffect, useHydrated } from "#app/ui/hydration.ts";
import { ServerHtml } from "#app/ui/server-html.tsx";
import { ChatPanel, type ChatPanelProps } from "./chat-panel.tsx";
import styles from "./collapsible-chat-panel.module.css";

export type CollapsibleChatPanelProps = Pick<
  ChatPanelProps,
  "room" | "user" | "path" | "result" | "signInError"
>;

/**
 * The chat panel at the end of a page, collapsed at first, for browsers without scripts. With scripts the room opens beside
 * the page instead, with the messages of this page, and with what was typed here before.
 */
export function CollapsibleChatPanel(props: CollapsibleChatPanelProps) {
  const { room, user, path, result, signInError } = props;
  const uid = user?.uid;
  const details = useRef<HTMLDetailsElement>(null);
  const isHydrated = useHydrated();
  const { hash } = useLocation();
  const { open, setPage } = useRoomDock();
  /** The room as this address first showed it. */
  const first = useRef({ room, path });
  const isOpen =
    result?.status === "error" ||
    signInError !== undefined ||
    room.isEarlier ||
    room.done !== null ||
    room.subject?.paragraph != null;

  useBrowserLayoutEffect(() => {
    const field = details.current?.querySelector("textarea");
    const isFocused = field === document.activeElement;
    const typed = field?.value ? { text: field.value, isFocused } : undefined;
    if (first.current.path !== path || first.current.room.feed.status !== "loaded")
      first.current = { room, path };
    // When the page is loaded again, the server may choose other messages to begin with. They stay the same, because what
    // is being typed is about them.
    const { feed, subject, now } = first.current.room;
    const isSame = room.subject?.quote === subject?.quote;
    setPage({ room: isSame ? room : { ...room, feed, subject, now }, uid, result, typed });
    return () => setPage(null);
  }, [room, path, uid, result, setPage]);

  useEffect(() => {
    // The browser has scrolled down to this panel, but with scripts the room is beside the page.
    if (isRoomHash(hash) && isInView(details.current)) scrollTo({ top: 0, behavior: "instant" });
    // A room over a narrow page would cover the passage that the address leads to.
    const isWanted = hash.startsWith("#p-")
      ? details.current?.querySelector("textarea")?.value
      : isOpen || details.current?.open;
    if (isWanted) open();
    // oxlint-disable-next-line react/exhaustive-deps -- a second run would open the room again after the user has closed it
  }, []);

  if (isHydrated) return null;
  return (
    <details ref={details} className={styles.details} open={isOpen}>
      <summary className={styles.summary}>The room</summary>
      <ServerHtml>{import.meta.env.SSR ? <ChatPanel {...props} /> : null}</ServerHtml>
    </details>
  );
}

function isInView(element: Element | null): boolean {
  return element !== null && element.getBoundingClientRect().top < innerHeight;
}
