import type { RoomData } from "./message.ts";

const TIMEOUT_MS = 10_000;

/** Fetches the newest messages, on a page that has not loaded them. Returns `null` if the server can't be reached. */
export async function fetchRoom(): Promise<RoomData | null> {
  try {
    const response = await fetch("/rooms/general", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const room: unknown = response.ok ? await response.json() : null;
    return isRoom(room) ? room : null;
  } catch {
    return null;
  }
}

/** A proxy or captive portal may answer in place of our server. */
function isRoom(room: unknown): room is RoomData {
  return typeof room === "object" && room !== null && "feed" in room && "firebase" in room;
}
