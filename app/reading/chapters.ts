import { getPercent } from "#app/stories/positions/position.ts";

/** A part of a story that begins with a heading of level 2. */
export interface Chapter {
  /** The id of the heading. It survives edits elsewhere. */
  id: string;
  title: string;
  /** The length of the text before it, in UTF-16 units. */
  start: number;
  /** The length of the text up to its end, in UTF-16 units. */
  end: number;
}

/** How much of a story the user has read. */
export interface Progress {
  /** Of the whole story, from 0 to 100. */
  percent: number;
  /** The number of the current chapter, counted from 0; -1 before the first one. */
  chapter: number;
  /** Of the current chapter, from 0 to 100. */
  chapterPercent: number;
}

/**
 * Returns the progress at a position.
 *
 * @param index the length of the text before it, in UTF-16 units
 */
export function getProgress(
  chapters: readonly Chapter[],
  index: number,
  percent: number,
): Progress {
  const chapter = chapters.findLastIndex(({ start }) => start <= index);
  const { start = 0, end = 0 } = chapters[chapter] ?? {};
  return { percent, chapter, chapterPercent: getPercent(index - start, end - start) };
}
