import { readCookie, writeCookie } from "#app/http/browser-cookie.ts";
import {
  addPosition,
  POSITIONS_COOKIE,
  readPositions,
  serializePositions,
} from "./position-cookie.ts";
import type { ReadingPosition } from "./position.ts";

/** Saves a position in this browser's cookie, which the server reads to render the next page. */
export function saveOnDevice(position: ReadingPosition): void {
  const positions = readPositions(readCookie(POSITIONS_COOKIE.name));
  writeCookie(POSITIONS_COOKIE, serializePositions(addPosition(positions, position)));
}
