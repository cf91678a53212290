import type { Paragraph } from "#app/stories/paragraph.ts";
import { FINISHED_PERCENT, JUMP_PERCENT, type Place } from "./position.ts";

/** Beginnings less alike than this are of different paragraphs: 0 is nothing in common, 1 the same. */
const ALIKE = 0.6;

/** The paragraph of a place in the text as it is now. */
export interface Match {
  paragraph: Paragraph;
  number: number;
  /** The place's own, where the paragraph is still the same; else its beginning. */
  offset: number;
}

/**
 * Finds a place again in a text that may have been edited since: by its words, else by the paragraph that begins most
 * alike, else by its number. Of repeats it is the likeliest. `undefined` only in an empty text.
 */
export function findMatch(
  paragraphs: readonly Paragraph[],
  place: Pick<Place, "paragraph" | "start" | "offset" | "number" | "percent">,
): Match | undefined {
  const distance = measureFrom(place, paragraphs);
  const repeat = findRepeat(paragraphs, place, distance);
  if (repeat !== undefined) return toMatch(paragraphs, repeat, place.offset);

  const closest = findClosest(paragraphs, place, distance);
  if (closest !== undefined) {
    const isSame = paragraphs[closest]?.start === place.start;
    return toMatch(paragraphs, closest, isSame ? place.offset : 0);
  }
  return toMatch(paragraphs, Math.min(place.number, paragraphs.length - 1), 0);
}

/**
 * Decides between the places that two devices know of one story. The later one wins; but nobody is taken back by more
 * than 5 % without being asked. `other` is the one to ask about.
 */
export function settlePlaces(
  here: Place | undefined,
  there: Place | undefined,
): { place: Place | undefined; other: Place | undefined } {
  if (!here || !there) return { place: here ?? there, other: undefined };
  const isThereLater = there.time > here.time;
  const isJumpBack = there.percent < here.percent - JUMP_PERCENT;
  const [place, other] = isThereLater && !isJumpBack ? [there, here] : [here, there];
  const isWorthAsking = isThereLater ? isJumpBack : other.percent > place.percent + JUMP_PERCENT;
  return { place, other: isWorthAsking ? other : undefined };
}

/** Returns the places of stories that are begun and not finished, each by its later place, newest first. */
export function listBegun(here: readonly Place[], there: readonly Place[]): Place[] {
  const latest = new Map<string, Place>();
  for (const place of [...here, ...there].toSorted((a, b) => b.time - a.time)) {
    if (!latest.has(place.story)) latest.set(place.story, place);
  }
  return [...latest.values()].filter(({ percent }) => percent < FINISHED_PERCENT);
}

/** Tells of a paragraph's number how far it is from where the place may be now, in paragraphs. */
type Distance = (index: number) => number;

/**
 * Edits behind a place leave it its number. Edits before it leave what is behind it: of that and the percent follows
 * where the place was, and the nearer that is to its number, the likelier it is the place.
 */
function measureFrom(
  { number, percent }: Pick<Place, "number" | "percent">,
  paragraphs: readonly Paragraph[],
): Distance {
  const last = paragraphs.at(-1);
  const length = last ? last.before + last.length : 0;
  return (index) => {
    const behind = length - (paragraphs[index]?.before ?? 0);
    const toNumber = (share: number) =>
      share < 1
        ? ((share / (1 - share)) * behind * paragraphs.length) / Math.max(1, length)
        : Infinity;
    // A percent is rounded down.
    const [least, most] = [toNumber(percent / 100), toNumber((percent + 1) / 100)];
    return Math.min(Math.abs(index - number), Math.max(0, least - number, number - most));
  };
}

/** Of paragraphs with the same words, the likeliest: what the repeat was counted as changes with those before it. */
function findRepeat(
  paragraphs: readonly Paragraph[],
  { paragraph, number }: Pick<Place, "paragraph" | "number">,
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

/** The name without the number of the repeat. */
function withoutCount(id: string): string {
  return id.replace(/^(p-[^-]+)-\d+$/, "$1");
}

/** Of paragraphs that begin equally alike, the likeliest. */
function findClosest(
  paragraphs: readonly Paragraph[],
  { start, number }: Pick<Place, "start" | "number">,
  distance: Distance,
): number | undefined {
  // Most often the end was changed, and a long text is not compared for nothing.
  const same = paragraphs.flatMap((paragraph, index) => (paragraph.start === start ? index : []));
  if (same.length > 0) return findNearest(same, number, distance);

  const pairs = pairsOf(start);
  let best: { indices: number[]; likeness: number } = { indices: [], likeness: ALIKE };
  paragraphs.forEach((paragraph, index) => {
    const likeness = compare(pairs, pairsOf(paragraph.start));
    if (likeness > best.likeness) best = { indices: [index], likeness };
    else if (likeness === best.likeness) best.indices.push(index);
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
 * The Sørensen–Dice coefficient.
 *
 * @see https://en.wikipedia.org/wiki/Dice-S%C3%B8rensen_coefficient
 */
function compare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

function pairsOf(text: string): Set<string> {
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
