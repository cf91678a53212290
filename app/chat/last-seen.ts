import { readItem, writeItem } from "#app/site/storage.ts";
import { ROOM_ID } from "./room-address.ts";

const KEY = `inkglade.last-seen.${ROOM_ID}`;

/**
 * Returns the time of the newest message that this device has shown, in milliseconds since the Unix epoch; `null` if it
 * has never shown the room.
 */
export function getLastSeen(): number | null {
  const time = Number(readItem(KEY) ?? NaN);
  return Number.isFinite(time) ? time : null;
}

/**
 * Saves the time of the newest message that this device has shown. Never moves back, because another tab may have shown
 * later messages.
 */
export function setLastSeen(time: number): void {
  if (time > (getLastSeen() ?? 0)) writeItem(KEY, String(time));
}
