import { useEffect, useState } from "react";

import { getLastSeen, setLastSeen } from "./dock/room-storage.tsx";
import type { Message } from "./message.ts";

/**
 * The messages that were sent while the room was not visible: after `from`, until `to`. Both are times of messages, because
 * the device's clock may be wrong. `null`: the messages until the user's return may not all have arrived.
 */
interface Absence {
  from: number;
  to: number | null;
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
 * @param isLive whether the database has confirmed the messages
 * @param isOpen whether the room is visible while the tab is visible
 */
export function useFirstUnread(
  messages: readonly Message[],
  viewer: Viewer,
  isLive: boolean,
  isOpen: boolean,
): string | undefined {
  const [absence, setAbsence] = useState<Absence | null>(null);
  const [isVisible, setIsVisible] = useState(false);
  const newest = messages.at(-1)?.createdAt ?? null;

  if (absence && isVisible) {
    const updated = updateAbsence(absence, newest ?? 0, isLive);
    if (updated !== absence) setAbsence(updated);
  }

  useEffect(() => {
    if (!isOpen) return undefined;

    function update() {
      const isShown = document.visibilityState === "visible";
      setIsVisible(isShown);
      if (!isShown) return;
      const from = getLastSeen();
      setAbsence(from === null ? null : { from, to: null });
    }

    update();
    document.addEventListener("visibilitychange", update);
    return () => {
      document.removeEventListener("visibilitychange", update);
      setIsVisible(false);
    };
  }, [isOpen]);

  useEffect(() => {
    if (isVisible && newest !== null) setLastSeen(newest);
  }, [isVisible, newest]);

  return absence ? findFirstUnread(messages, absence, viewer) : undefined;
}

/**
 * Returns the absence once the newest message is another one, or the connection is another. A device that wakes up
 * notices only after the user's return that it has lost the connection.
 */
export function updateAbsence(absence: Absence, newest: number, isLive: boolean): Absence {
  if (isLive) return absence.to === null ? { ...absence, to: newest } : absence;
  return absence.to === newest ? { ...absence, to: null } : absence;
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
      message.createdAt <= (absence.to ?? Infinity),
  )?.id;
}

/** Whether a message can be new to the user, unlike their own messages and those of hidden people. */
export function countsAsNew({ uid }: Message, viewer: Viewer): boolean {
  return uid !== viewer.uid && !viewer.hiddenUids.has(uid);
}
