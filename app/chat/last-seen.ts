import { getStorage } from "#app/site/storage.ts";

/**
 * Returns when the newest message was sent that this device has shown, in milliseconds since the Unix epoch; `null` if the
 * room has never been shown.
 */
export function getLastSeen(roomId: string): number | null {
  const stored = readItem(toKey(roomId));
  const time = stored === null ? NaN : Number(stored);
  return Number.isFinite(time) ? time : null;
}

/** Saves that this device has shown the messages until a time. Never moves back: another tab may have shown more. */
export function setLastSeen(roomId: string, time: number): void {
  if (time <= (getLastSeen(roomId) ?? -Infinity)) return;
  try {
    getStorage()?.setItem(toKey(roomId), String(time));
  } catch {
    // The storage is full. The line for new messages is only a convenience.
  }
}

function readItem(key: string): string | null {
  try {
    return getStorage()?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

function toKey(roomId: string): string {
  return `inkglade.last-seen.${roomId}`;
}
