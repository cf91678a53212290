import type { Chapter, Progress } from "#app/reading/chapters.ts";
import { FINISHED_PERCENT } from "#app/stories/positions/position.ts";
import { MAX_PART, QUARTERS, type FellowReader } from "#app/stories/readers/together.ts";

const ORDINALS = ["first", "second", "third", "last"];

/** Readers at one place of the progress line. */
export interface Dot {
  /** Where it is on the line, in percent. */
  at: number;
  readers: FellowReader[];
}

/**
 * Returns where a user is in a story, as exactly as others may see it: the number of the chapter, counted from 1, and 0
 * before the first; in a story without chapters, the quarter.
 */
export function getPart(
  { percent, chapter }: Pick<Progress, "percent" | "chapter">,
  chapters: readonly Chapter[],
): number {
  if (chapters.length > 0) return Math.min(chapter + 1, MAX_PART);
  return Math.min(Math.floor((QUARTERS * percent) / FINISHED_PERCENT) + 1, QUARTERS);
}

/** Returns the end of a sentence such as "Mira Oduya is in chapter 3". */
export function describePart(part: number, chapters: readonly Chapter[]): string {
  if (chapters.length === 0) return `in the ${ORDINALS[part - 1] ?? "first"} quarter`;
  return part < 1 ? "before chapter 1" : `in chapter ${Math.min(part, chapters.length)}`;
}

/**
 * Returns the dots of readers, in the order of the line: each in the middle of its part, and one for several that would
 * overlap.
 *
 * @param readers in the order of their names
 * @param gap the smallest distance of two dots, in percent of the line
 */
export function toDots(
  readers: readonly FellowReader[],
  chapters: readonly Chapter[],
  gap: number,
): Dot[] {
  const dots: Dot[] = [];
  const placed = readers.map((reader) => ({ reader, at: getMiddle(reader.part, chapters) }));
  for (const { reader, at } of placed.toSorted((a, b) => a.at - b.at)) {
    const last = dots.at(-1);
    if (last && at - last.at < gap) last.readers.push(reader);
    else dots.push({ at, readers: [reader] });
  }
  return dots;
}

/** Returns the middle of a part, in percent of the story. */
function getMiddle(part: number, chapters: readonly Chapter[]): number {
  const last = chapters.at(-1);
  if (!last) return (FINISHED_PERCENT * (Math.min(Math.max(part, 1), QUARTERS) - 0.5)) / QUARTERS;
  const chapter = chapters[Math.min(part, chapters.length) - 1];
  const { start, end } = chapter ?? { start: 0, end: chapters[0]?.start ?? 0 };
  return (FINISHED_PERCENT * (start + end)) / 2 / Math.max(1, last.end);
}
