import { useEffect, useState } from "react";

import { getLastSeen } from "#app/chat/last-seen.ts";
import { ROOM_ID } from "#app/chat/message.ts";
import type { RoomSummary } from "#app/chat/room-summary.ts";

/** How often a visible page asks. */
const INTERVAL_MS = 120_000;

/** How long the page has to be loaded before it asks: everything else is more urgent. */
const DELAY_MS = 1000;

const TIMEOUT_MS = 10_000;

const UNKNOWN: RoomSummary = { here: null, newest: null };

/**
 * Returns the number of people in the room, and whether it has messages that this device has not shown. Asks the server
 * while the room is closed and the page is visible.
 */
export function useRoomSummary(uid: string | undefined, isOpen: boolean) {
  const [{ here, newest }, setSummary] = useState(UNKNOWN);

  useEffect(() => {
    if (isOpen) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let askedAt = -Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function ask() {
      askedAt = Date.now();
      const summary = await fetchSummary(signal);
      if (signal.aborted) return;
      setSummary(summary ?? UNKNOWN);
      schedule(INTERVAL_MS);
    }

    function schedule(delay: number) {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(() => void ask(), delay);
    }

    schedule(DELAY_MS);
    document.addEventListener(
      "visibilitychange",
      () => schedule(Math.max(DELAY_MS, askedAt + INTERVAL_MS - Date.now())),
      { signal },
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
      setSummary(UNKNOWN);
    };
  }, [uid, isOpen]);

  const isUnread =
    newest !== null && newest.uid !== uid && newest.createdAt > (getLastSeen(ROOM_ID) ?? Infinity);
  return { here, hasUnread: !isOpen && isUnread };
}

async function fetchSummary(signal: AbortSignal): Promise<RoomSummary | null> {
  try {
    const response = await fetch("/rooms/general/summary", {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const summary: unknown = response.ok ? await response.json() : null;
    return isSummary(summary) ? summary : null;
  } catch {
    return null;
  }
}

/** A proxy or captive portal may answer in place of our server. */
function isSummary(summary: unknown): summary is RoomSummary {
  return typeof summary === "object" && summary !== null && "here" in summary;
}
