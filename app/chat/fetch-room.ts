import { fetchJson } from "#app/http/fetch-json.ts";
import type { RoomData } from "./message.ts";

/** Fetches the newest messages, on a page that has not loaded them. Returns `null` if the server can't be reached. */
export function fetchRoom(): Promise<RoomData | null> {
  return fetchJson("/rooms/general", (room) => (isRoom(room) ? room : null));
}

function isRoom(room: object): room is RoomData {
  return "feed" in room && "firebase" in room;
}
