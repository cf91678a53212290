import { readCookie, writeCookie } from "#app/http/cookie.ts";
import { FINISHED_PERCENT, MAX_START_LENGTH, type ReadingPosition } from "./position.ts";

/**
 * The cookie with this browser's positions, which both scripts and the server write. Renaming it would lose the
 * positions of existing users.
 */
export const POSITIONS_COOKIE = { name: "places", maxAgeSeconds: 365 * 24 * 60 * 60 };

/** A position in the cookie. */
export interface DevicePosition extends ReadingPosition {
  /** The uid of the user who was signed in; `undefined` for a visitor. */
  owner?: string;
  /** The number of the furthest paragraph that this browser has reached, if it is after the position. */
  furthest?: number;
}

/** In bytes. Every request sends the cookie, so the oldest positions beyond this size are dropped. */
const MAX_COOKIE_LENGTH = 2400;

/** More than fit into the cookie. */
const MAX_POSITIONS = 40;

/** Parses the result of `serializePositions`, newest first. Skips invalid entries. */
export function readPositions(text: string | undefined): DevicePosition[] {
  try {
    const rows: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(rows)) return [];
    return rows.slice(0, MAX_POSITIONS).flatMap((row) => readRow(row) ?? []);
  } catch {
    return [];
  }
}

/** Returns the value of the positions cookie, before encoding. */
export function serializePositions(positions: readonly DevicePosition[]): string {
  const rows = positions.map((position) => [
    position.story,
    position.title,
    position.paragraph,
    position.start,
    position.offset,
    position.number,
    position.percent,
    position.minutesLeft,
    position.time,
    ...(position.owner || position.furthest ? [position.owner ?? ""] : []),
    ...(position.furthest ? [position.furthest] : []),
  ]);
  while (encodeURIComponent(JSON.stringify(rows)).length > MAX_COOKIE_LENGTH) rows.pop();
  return JSON.stringify(rows);
}

/**
 * Returns the positions with a new one first. It replaces an earlier one of the same owner in the same story, and keeps how
 * far that was.
 */
export function addPosition(
  positions: readonly DevicePosition[],
  position: DevicePosition,
): DevicePosition[] {
  const { story, owner } = position;
  const isReplaced = (other: DevicePosition) => other.story === story && other.owner === owner;
  const furthest = Math.max(...positions.filter(isReplaced).map(getFurthest));
  return [
    furthest > getFurthest(position) ? { ...position, furthest } : position,
    ...positions.filter((other) => !isReplaced(other)),
  ];
}

/** Returns the number of the furthest paragraph that was reached. A story that was finished may have grown since. */
export function getFurthest({
  furthest = -1,
  number,
}: Pick<DevicePosition, "furthest" | "number">): number {
  return Math.max(furthest, number);
}

/** Returns the positions that a user, or a visitor without `uid`, may see. */
export function listVisible(
  positions: readonly DevicePosition[],
  uid: string | undefined,
): DevicePosition[] {
  return positions.filter((position) => isVisible(position, uid));
}

/** Whether a position is the user's own or a visitor's. Other users of the browser must not see it. */
export function isVisible({ owner }: DevicePosition, uid: string | undefined): boolean {
  return owner === undefined || owner === uid;
}

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

/** Checks the same as `position-schema.ts`, but without Zod, so that the reading page does not load it. */
function readRow(row: unknown): DevicePosition | undefined {
  if (!Array.isArray(row)) return undefined;
  const [story, title, paragraph, start, ...rest]: unknown[] = row;
  const [offset, number, percent, minutesLeft, time, owner = "", furthest = 0] = rest;
  const isValid =
    isText(story) &&
    // No address can have an id with half a character.
    story.isWellFormed() &&
    isText(title) &&
    isText(paragraph) &&
    isText(start) &&
    start.length <= MAX_START_LENGTH &&
    isCount(offset) &&
    isCount(number) &&
    isCount(percent) &&
    percent <= FINISHED_PERCENT &&
    isCount(minutesLeft) &&
    isCount(time) &&
    isText(owner) &&
    isCount(furthest);
  if (!isValid) return undefined;
  const position = { story, title, paragraph, start, offset, number, percent, minutesLeft, time };
  return { ...position, ...(owner !== "" && { owner }), ...(furthest > 0 && { furthest }) };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
