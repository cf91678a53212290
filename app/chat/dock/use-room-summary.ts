import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";

import { getLastSeen } from "#app/chat/last-seen.ts";
import { ROOM_ID } from "#app/chat/room-address.ts";
import type { NewestMessage, RoomSummary } from "#app/chat/room-summary.ts";
import { startSessionSync } from "#app/session/use-session-sync.ts";

/** How long to wait before the first request: everything else on the page is more urgent. */
const DELAY_MS = 1000;

const UNKNOWN: RoomSummary = { here: null, newest: null };

/**
 * Returns the number of people in the room, and whether it has messages that this device has not shown. Asks the server
 * while the room is closed and the page is visible. Revalidates the page when its session has ended elsewhere.
 */
export function useRoomSummary(uid: string | undefined, isOpen: boolean) {
  const [{ here, newest }, setSummary] = useState(UNKNOWN);
  const { revalidate } = useRevalidator();

  useEffect(() => {
    if (isOpen) return undefined;
    let hasEnded = false;
    let unsubscribe: (() => void) | undefined;

    async function subscribe() {
      const { subscribeToSummary } = await import("./room-summary.client.ts");
      if (hasEnded) return;
      unsubscribe = subscribeToSummary((summary) => {
        setSummary(summary ?? UNKNOWN);
        if (summary?.hasEnded && uid !== undefined) {
          startSessionSync();
          revalidate();
        }
        return summary !== null && getLastSeen(ROOM_ID) !== null && !isUnread(summary.newest, uid);
      });
    }

    // The link also works without a number.
    const timer = setTimeout(() => void subscribe().catch(() => undefined), DELAY_MS);
    return () => {
      hasEnded = true;
      clearTimeout(timer);
      unsubscribe?.();
      setSummary(UNKNOWN);
    };
  }, [uid, isOpen, revalidate]);

  return { here, hasUnread: !isOpen && isUnread(newest, uid) };
}

/** Whether the newest message is by somebody else, and this device has shown the room, but not this message. */
function isUnread(newest: NewestMessage | null, uid: string | undefined): boolean {
  return (
    newest !== null && newest.uid !== uid && newest.createdAt > (getLastSeen(ROOM_ID) ?? Infinity)
  );
}
