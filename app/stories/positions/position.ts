import { getReadingMinutes } from "#app/stories/story.ts";

/** Where a user is in a story. */
export interface ReadingPosition {
  /** The id of the story. */
  story: string;
  /** The title at that time. */
  title: string;
  /** The id of the paragraph at the top of the window. */
  paragraph: string;
  /** The first 40 characters of that paragraph. */
  start: string;
  /** How far into the paragraph the first visible line begins, in UTF-16 units. */
  offset: number;
  /** The number of the paragraph, counted from 0. */
  number: number;
  /** How much of the story is before the position, from 0 to 100. 100 means finished. */
  percent: number;
  /** Minutes of reading left. */
  minutesLeft: number;
  /** Milliseconds since the Unix epoch. */
  time: number;
}

export const MAX_POSITION_TITLE_LENGTH = 200;
/** In UTF-16 units: 40 characters of up to two units each. */
export const MAX_START_LENGTH = 80;
export const MAX_STORY_ID_LENGTH = 200;

export const FINISHED_PERCENT = 100;

/** Stands for the last paragraph, for users who have finished or written a story. */
export const WHOLE_STORY = Number.MAX_SAFE_INTEGER;

/** If two positions are further apart than this percentage of a story, the user can choose between them. */
export const JUMP_PERCENT = 5;

/** Whether there is a position to continue at. */
export function isInProgress<Position extends { percent: number }>(
  position: Position | null,
): position is Position {
  return position !== null && position.percent < FINISHED_PERCENT;
}

/**
 * Whether a user has finished a story, and it has not been changed since.
 *
 * @param updatedAt `null` for a story that never changes
 */
export function hasReadAll(
  positions: readonly (Pick<ReadingPosition, "percent" | "time"> | undefined)[],
  updatedAt: number | null,
): boolean {
  return positions.some(
    (position) =>
      position && position.percent >= FINISHED_PERCENT && position.time > (updatedAt ?? 0),
  );
}

/** Returns how much of a text is before a character, in whole percent. */
export function getPercent(index: number, length: number): number {
  return length > 0 ? Math.floor((FINISHED_PERCENT * index) / length) : 0;
}

/** Returns the minutes of reading left; 0 once the story is finished. */
export function getMinutesLeft(percent: number, words: number): number {
  if (percent >= FINISHED_PERCENT) return 0;
  return getReadingMinutes((words * (FINISHED_PERCENT - percent)) / FINISHED_PERCENT);
}

/**
 * Returns the path of a user's positions, relative to the database's root. Each document has the id of its story.
 * Renaming the collection would lose the positions of existing users.
 */
export function getPositionsPath(uid: string): string {
  return `users/${uid}/places`;
}
