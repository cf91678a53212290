import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

import type { Message } from "#app/chat/message.ts";
import { MESSAGE_ID_PREFIX } from "#app/chat/room-address.ts";
import { showMessage } from "./reply-card.tsx";

/**
 * Shows the message that the hash of the page's URL names, once for each visit.
 *
 * @param onScroll called after the feed has scrolled to it
 */
export function useLinkedMessage(messages: readonly Message[], onScroll: () => void) {
  const { hash, key } = useLocation();
  const shownFor = useRef<string>();

  useEffect(() => {
    const prefix = `#${MESSAGE_ID_PREFIX}`;
    if (!hash.startsWith(prefix) || shownFor.current === key) return;
    // Following a link is not a request to see what is about a later part.
    if (!showMessage(hash.slice(prefix.length), "instant", false)) return;
    shownFor.current = key;
    onScroll();
  }, [messages, hash, key, onScroll]);
}
