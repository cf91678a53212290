import { useEffect, useState } from "react";

import { getLastSeen, setLastSeen } from "./last-seen.ts";
import type { Message } from "./message.ts";
import { ROOM_ID } from "./room-address.ts";

/** The messages that were sent while the room was not visible: after `from`, until `to`. */
interface Absence {
  from: number;
  to: number;
}

/**
 * Returns the id of the first message that was sent while the room was not visible on this device. It changes only when
 * the user leaves the room or the tab, and returns. The user's own messages do not count.
 *
 * @param isOpen whether the room is visible while the tab is visible
 */
export function useFirstUnread(
  messages: readonly Message[],
  uid: string | undefined,
  isOpen: boolean,
): string | undefined {
  const [absence, setAbsence] = useState<Absence | null>(null);
  const [isVisible, setIsVisible] = useState(false);
  const newest = messages.at(-1)?.createdAt ?? null;

  useEffect(() => {
    if (!isOpen) return undefined;

    function update() {
      const isShown = document.visibilityState === "visible";
      setIsVisible(isShown);
      if (!isShown) return;
      const from = getLastSeen(ROOM_ID);
      setAbsence(from === null ? null : { from, to: Date.now() });
    }

    update();
    document.addEventListener("visibilitychange", update);
    return () => {
      document.removeEventListener("visibilitychange", update);
      setIsVisible(false);
    };
  }, [isOpen]);

  useEffect(() => {
    if (isVisible && newest !== null) setLastSeen(ROOM_ID, newest);
  }, [isVisible, newest]);

  if (!absence) return undefined;
  return messages.find(
    (message) =>
      message.uid !== uid &&
      message.createdAt !== null &&
      message.createdAt > absence.from &&
      message.createdAt <= absence.to,
  )?.id;
}
