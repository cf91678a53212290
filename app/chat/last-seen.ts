import { readItem, writeItem } from "#app/site/storage.ts";

/**
 * Returns the time of the newest message that this device has shown, in milliseconds since the Unix epoch; `null` if it
 * has never shown the room.
 */
export function getLastSeen(roomId: string): number | null {
  const time = Number(readItem(toKey(roomId)) ?? NaN);
  return Number.isFinite(time) ? time : null;
}

/**
 * Saves the time of the newest message that this device has shown. Never moves back, because another tab may have shown
 * later messages.
 */
export function setLastSeen(roomId: string, time: number): void {
  if (time > (getLastSeen(roomId) ?? 0)) writeItem(toKey(roomId), String(time));
}

function toKey(roomId: string): string {
  return `inkglade.last-seen.${roomId}`;
}
