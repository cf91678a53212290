import { FINISHED_PERCENT, type ReadingPosition } from "./position.ts";

/**
 * The cookie with this browser's positions. Scripts write it as well as the server. Another name would lose the positions
 * that users have.
 */
export const POSITIONS_COOKIE = { name: "places", maxAgeSeconds: 365 * 24 * 60 * 60 };

/** In bytes, as every request sends it. Beyond that, the oldest positions are dropped. */
const MAX_COOKIE_LENGTH = 2400;

/** Parses what `serializePositions` returns, newest first. Anything else is left out. */
export function readPositions(text: string | undefined): ReadingPosition[] {
  try {
    const rows: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(rows) ? rows.flatMap((row) => readRow(row) ?? []) : [];
  } catch {
    return [];
  }
}

/** Returns the positions as their cookie has them, before encoding. */
export function serializePositions(positions: readonly ReadingPosition[]): string {
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
  ]);
  while (encodeURIComponent(JSON.stringify(rows)).length > MAX_COOKIE_LENGTH) rows.pop();
  return JSON.stringify(rows);
}

/** Returns the positions with this one first, in place of an earlier one in the same story. */
export function addPosition(
  positions: readonly ReadingPosition[],
  position: ReadingPosition,
): ReadingPosition[] {
  return [position, ...positions.filter(({ story }) => story !== position.story)];
}

/** Checks what `position-schema.ts` does, without Zod, which the reading page does not load. */
function readRow(row: unknown): ReadingPosition | undefined {
  if (!Array.isArray(row)) return undefined;
  const [story, title, paragraph, start]: unknown[] = row;
  if (!isText(story) || !isText(title) || !isText(paragraph) || !isText(start)) return undefined;
  const [offset, number, percent, minutesLeft, time]: unknown[] = row.slice(4);
  if (!isCount(offset) || !isCount(number) || !isCount(percent)) return undefined;
  if (!isCount(minutesLeft) || !isCount(time) || percent > FINISHED_PERCENT) return undefined;
  return { story, title, paragraph, start, offset, number, percent, minutesLeft, time };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
