import { readCookie, writeCookie } from "#app/http/cookie.ts";
import {
  addPosition,
  listVisible,
  POSITIONS_COOKIE,
  readPositions,
  serializePositions,
} from "./position-cookie.ts";
import type { ReadingPosition } from "./position.ts";

const SAVED_EVENT = "inkglade:position-saved";

/**
 * Saves a position in this browser's cookie, which the server reads to render the next page.
 *
 * @param owner the uid of the signed-in user
 */
export function saveOnDevice(position: ReadingPosition, owner: string | undefined): void {
  const positions = readPositions(readCookie(POSITIONS_COOKIE.name));
  writeCookie(POSITIONS_COOKIE, serializePositions(addPosition(positions, { ...position, owner })));
  dispatchEvent(new Event(SAVED_EVENT));
}

/** Returns the position in a story that this browser has saved for a user, or for visitors. */
export function findOnDevice(story: string, uid: string | undefined): ReadingPosition | null {
  const positions = readPositions(readCookie(POSITIONS_COOKIE.name));
  return listVisible(positions, uid).find((position) => position.story === story) ?? null;
}

/** Calls a function after each position that this page saves. Returns the function that unsubscribes. */
export function subscribeToSaves(onSave: () => void): () => void {
  addEventListener(SAVED_EVENT, onSave);
  return () => removeEventListener(SAVED_EVENT, onSave);
}
