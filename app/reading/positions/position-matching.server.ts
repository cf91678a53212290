import type { RenderedText } from "#app/stories/markdown.server.ts";
import type { Paragraph } from "#app/stories/paragraph.ts";
import {
  FINISHED_PERCENT,
  getMinutesLeft,
  getPercent,
  JUMP_PERCENT,
  MAX_POSITION_TITLE_LENGTH,
  type ReadingPosition,
} from "#app/stories/positions/position.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import type { Story } from "#app/stories/story.ts";
import { truncate } from "#app/ui/truncate.ts";

/** The minimum similarity of the beginnings of two versions of a paragraph, from 0 (nothing in common) to 1 (equal). */
const MIN_SIMILARITY = 0.6;

/** Every version of a text may end with up to this many paragraphs like "To be continued…". */
const MAX_ENDING = 5;

/** The paragraph of a position in the current version of the text. */
export interface Match {
  paragraph: Paragraph;
  number: number;
  /** The position's offset if the paragraph is unchanged, otherwise 0. */
  offset: number;
}

/**
 * Finds a position in a text that may have been edited since. Looks for the same paragraph, then for the one with the
 * most similar beginning, then for the one with the same number. Among equals, chooses the one nearest to where the
 * position is expected.
 *
 * @returns `undefined` only for an empty text
 */
export function findMatch(
  paragraphs: readonly Paragraph[],
  position: Pick<ReadingPosition, "paragraph" | "start" | "offset" | "number" | "percent">,
): Match | undefined {
  const distance = createDistance(position, paragraphs);
  const repeat = findRepeat(paragraphs, position, distance);
  if (repeat !== undefined) return toMatch(paragraphs, repeat, position.offset);

  const closest = findClosest(paragraphs, position, distance);
  if (closest !== undefined) {
    const isSame = paragraphs[closest]?.start === position.start;
    return toMatch(paragraphs, closest, isSame ? position.offset : 0);
  }
  return toMatch(paragraphs, Math.min(position.number, paragraphs.length - 1), 0);
}

/**
 * Chooses between this device's and the account's position in a story. The later one wins, unless it is in the account
 * and more than 5 percent further back.
 *
 * @returns `other` is the position to offer to the user, if the two are far apart
 */
export function mergePositions(
  device: ReadingPosition | undefined,
  account: ReadingPosition | undefined,
): { position: ReadingPosition | undefined; other: ReadingPosition | undefined } {
  if (!device || !account) return { position: device ?? account, other: undefined };
  const isAccountLater = account.time > device.time;
  const isJumpBack = account.percent < device.percent - JUMP_PERCENT;
  const [position, other] = isAccountLater && !isJumpBack ? [account, device] : [device, account];
  const isOffered = isAccountLater ? isJumpBack : other.percent > position.percent + JUMP_PERCENT;
  return { position, other: isOffered ? other : undefined };
}

/**
 * Returns a position in a text that its writer may have added to. A position at the end stays there, unless there is a new
 * chapter: then it is at the end of the paragraph before the chapter.
 *
 * @param newChapterAt when a chapter was last added, in milliseconds since the Unix epoch
 */
export function updateFinished(
  { paragraphs, chapters, length }: RenderedText,
  position: ReadingPosition,
  newChapterAt = 0,
): ReadingPosition {
  const match = position.percent < FINISHED_PERCENT ? undefined : findMatch(paragraphs, position);
  if (!match) return position;
  const isGrown = match.number < (chapters.at(-1)?.number ?? 0);
  // The ending of every version moves behind new chapters. The first of them begins where the ending was.
  const earliest = Math.max(1, position.number - MAX_ENDING + 1);
  const added = chapters.find(({ number }) => number >= earliest && number <= position.number);
  const isMoved = !isGrown && match.number > position.number && position.time < newChapterAt;
  const last = isGrown ? match.number : paragraphs.length - 1;
  const number = isMoved && added ? added.number - 1 : last;
  const paragraph = paragraphs[number];
  if (!paragraph) return position;
  return {
    ...position,
    paragraph: paragraph.id,
    start: paragraph.start,
    offset: paragraph.length,
    number,
    percent: getPercent(paragraph.before + paragraph.length, length),
  };
}

/** Returns the latest position in each story that is started and not finished, newest first. */
export function listInProgress(
  device: readonly ReadingPosition[],
  account: readonly ReadingPosition[],
): ReadingPosition[] {
  const latest = new Map<string, ReadingPosition>();
  for (const position of [...device, ...account].toSorted((a, b) => b.time - a.time)) {
    if (!latest.has(position.story)) latest.set(position.story, position);
  }
  return [...latest.values()].filter(({ percent }) => percent < FINISHED_PERCENT);
}

/** Returns how far a paragraph is from where the position is expected now, in paragraphs. */
type Distance = (index: number) => number;

/**
 * Compares a paragraph with the position in two ways, and returns the smaller difference. If the edits came after the
 * position, the paragraph still has its number. If they came before it, the text after it still has its length, from which
 * the position's percent gives the paragraph's old number.
 */
function createDistance(
  { number, percent }: Pick<ReadingPosition, "number" | "percent">,
  paragraphs: readonly Paragraph[],
): Distance {
  const lastParagraph = paragraphs.at(-1);
  const length = lastParagraph ? lastParagraph.before + lastParagraph.length : 0;
  return (index) => {
    const lengthAfter = length - (paragraphs[index]?.before ?? 0);
    const toNumber = (share: number) =>
      share < 1
        ? ((share / (1 - share)) * lengthAfter * paragraphs.length) / Math.max(1, length)
        : Infinity;
    // A percent is rounded down, so it stands for a range.
    const [min, max] = [toNumber(percent / 100), toNumber((percent + 1) / 100)];
    return Math.min(Math.abs(index - number), Math.max(0, min - number, number - max));
  };
}

/**
 * Returns the likeliest paragraph with the same words. Ids end with a count of the repeats before, which edits may
 * change.
 */
function findRepeat(
  paragraphs: readonly Paragraph[],
  { paragraph, number }: Pick<ReadingPosition, "paragraph" | "number">,
  distance: Distance,
): number | undefined {
  const words = withoutCount(paragraph);
  const repeats = paragraphs.flatMap(({ id }, index) => (withoutCount(id) === words ? index : []));
  if (repeats.includes(number)) return number;
  const exact = repeats.find((index) => paragraphs[index]?.id === paragraph);
  const nearest = findNearest(repeats, number, distance);
  if (exact === undefined || nearest === undefined) return nearest;
  return distance(exact) <= distance(nearest) ? exact : nearest;
}

/** Removes the count of repeats from an id. */
function withoutCount(id: string): string {
  return id.replace(/^(p-[^-]+)-\d+$/, "$1");
}

/** Returns the likeliest of the paragraphs with the most similar beginning. */
function findClosest(
  paragraphs: readonly Paragraph[],
  { start, number }: Pick<ReadingPosition, "start" | "number">,
  distance: Distance,
): number | undefined {
  // Most edits do not change the beginning, and comparing every paragraph of a long text is slow.
  const same = paragraphs.flatMap((paragraph, index) => (paragraph.start === start ? index : []));
  if (same.length > 0) return findNearest(same, number, distance);

  const pairs = getPairs(start);
  let best: { indices: number[]; similarity: number } = { indices: [], similarity: MIN_SIMILARITY };
  paragraphs.forEach((paragraph, index) => {
    const similarity = compare(pairs, getPairs(paragraph.start));
    if (similarity > best.similarity) best = { indices: [index], similarity };
    else if (similarity === best.similarity) best.indices.push(index);
  });
  return findNearest(best.indices, number, distance);
}

function findNearest(
  indices: readonly number[],
  number: number,
  distance: Distance,
): number | undefined {
  return indices.toSorted(
    (a, b) => distance(a) - distance(b) || Math.abs(a - number) - Math.abs(b - number),
  )[0];
}

/**
 * Returns the similarity of two sets, from 0 to 1: their Sørensen–Dice coefficient.
 *
 * @see https://en.wikipedia.org/wiki/Dice-S%C3%B8rensen_coefficient
 */
function compare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

/** Returns all pairs of adjacent characters. */
function getPairs(text: string): Set<string> {
  const letters = text.toLowerCase();
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  );
}

function toMatch(
  paragraphs: readonly Paragraph[],
  number: number,
  offset: number,
): Match | undefined {
  const paragraph = paragraphs[number];
  return paragraph && { paragraph, number, offset: Math.min(offset, paragraph.length) };
}

/** Returns the position at the end of a paragraph; `undefined` if the story has no such paragraph. */
export async function findPositionAt(
  { id, title, markdown }: Story,
  paragraphId: string,
): Promise<ReadingPosition | undefined> {
  const { paragraphs, length, words } = await getRenderedText(markdown);
  const number = paragraphs.findIndex((paragraph) => paragraph.id === paragraphId);
  const paragraph = paragraphs[number];
  if (!paragraph) return undefined;
  const percent = getPercent(paragraph.before + paragraph.length, length);
  return {
    story: id,
    title: truncate(title, MAX_POSITION_TITLE_LENGTH),
    paragraph: paragraph.id,
    start: paragraph.start,
    offset: 0,
    number,
    percent,
    minutesLeft: getMinutesLeft(percent, words),
    time: Date.now(),
  };
}
