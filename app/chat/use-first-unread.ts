import { useEffect, useState } from "react";

import { getLastSeen, setLastSeen } from "./last-seen.ts";
import type { Message } from "./message.ts";
import { ROOM_ID } from "./room-address.ts";

/** The messages that were sent while the room was not visible: after `from`, until `to`. */
interface Absence {
  from: number;
  to: number;
}

/** The user, and the people whose messages are folded. */
export interface Viewer {
  uid: string | undefined;
  hiddenUids: ReadonlySet<string>;
}

/**
 * Returns the id of the first message that was sent while the room was not visible on this device. It changes only when
 * the user leaves the room or the tab, and returns, or hides its sender.
 *
 * @param isOpen whether the room is visible while the tab is visible
 */
export function useFirstUnread(
  messages: readonly Message[],
  viewer: Viewer,
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

  return absence ? findFirstUnread(messages, absence, viewer) : undefined;
}

export function findFirstUnread(
  messages: readonly Message[],
  absence: Absence,
  viewer: Viewer,
): string | undefined {
  return messages.find(
    (message) =>
      countsAsNew(message, viewer) &&
      message.createdAt !== null &&
      message.createdAt > absence.from &&
      message.createdAt <= absence.to,
  )?.id;
}

/** Whether a message can be new to the user, unlike their own messages and those of hidden people. */
export function countsAsNew({ uid }: Message, viewer: Viewer): boolean {
  return uid !== viewer.uid && !viewer.hiddenUids.has(uid);
}
