import { minutesToRead } from "#app/stories/reading-time.ts";

/** Where somebody is in a story. */
export interface Place {
  /** The id of the story. */
  story: string;
  /** Its title, as it was then. */
  title: string;
  /** The id of the paragraph at the top of the window. */
  paragraph: string;
  /** The first 40 characters of that paragraph. */
  start: string;
  /** How far into the paragraph the first visible line begins, in UTF-16 units. */
  offset: number;
  /** Which paragraph it was, from 0 on. */
  number: number;
  /** How much of the story lies before it: 0 to 100, which means finished. */
  percent: number;
  /** Minutes of reading left. */
  minutesLeft: number;
  /** Milliseconds since the Unix epoch. */
  time: number;
}

export const MAX_PLACE_TITLE_LENGTH = 200;
/** In UTF-16 units: 40 characters of up to two. */
export const MAX_START_LENGTH = 80;
export const MAX_STORY_ID_LENGTH = 200;

export const FINISHED_PERCENT = 100;

/** Places further apart than this are not exchanged without asking. */
export const JUMP_PERCENT = 5;

/** Returns how much of a text of that length lies before a position, as a place has it. */
export function percentAt(position: number, length: number): number {
  return length > 0 ? Math.floor((FINISHED_PERCENT * position) / length) : 0;
}

/** Returns the minutes left at a place in a story of so many words; none once it is finished. */
export function minutesLeftAt(percent: number, words: number): number {
  if (percent >= FINISHED_PERCENT) return 0;
  return minutesToRead((words * (FINISHED_PERCENT - percent)) / FINISHED_PERCENT);
}

/** The path of a person's places, below the database's root. Each document is named by its story. */
export function placesPath(uid: string): string {
  return `users/${uid}/places`;
}

/** The cookie that keeps a device's places. Scripts write it as well as the server. */
export const PLACES_COOKIE = { name: "places", maxAgeSeconds: 365 * 24 * 60 * 60 };

/** As it is sent, with every request: what does not fit is forgotten, the oldest first. In bytes. */
const MAX_COOKIE_LENGTH = 2400;

/** Reads what `writePlaces` wrote, newest first. Whatever else stands there is left out. */
export function readPlaces(text: string | undefined): Place[] {
  try {
    const places: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(places) ? places.flatMap((place) => toPlace(place) ?? []) : [];
  } catch {
    return [];
  }
}

/** Returns the places as their cookie holds them, before encoding. */
export function writePlaces(places: readonly Place[]): string {
  const rows = places.map((place) => [
    place.story,
    place.title,
    place.paragraph,
    place.start,
    place.offset,
    place.number,
    place.percent,
    place.minutesLeft,
    place.time,
  ]);
  while (encodeURIComponent(JSON.stringify(rows)).length > MAX_COOKIE_LENGTH) rows.pop();
  return JSON.stringify(rows);
}

/** Returns the places with one put first, in the stead of the last one in its story. */
export function putPlace(places: readonly Place[], place: Place): Place[] {
  return [place, ...places.filter(({ story }) => story !== place.story)];
}

/** Reads by hand what `placeSchema` checks: browsers do this without the library. */
function toPlace(row: unknown): Place | undefined {
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
