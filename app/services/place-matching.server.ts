import type { Paragraph } from "#app/schemas/paragraph.ts";
import { FINISHED_PERCENT, JUMP_PERCENT, type Place } from "#app/schemas/place.ts";

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
 * Finds a place again in a text that may have been edited since: by the paragraph's id, else by its words under the id of
 * another repeat of them, else by the paragraph that begins most alike, else by its number. `undefined` only in an empty
 * text.
 */
export function findMatch(
  paragraphs: readonly Paragraph[],
  place: Pick<Place, "paragraph" | "start" | "offset" | "number">,
): Match | undefined {
  const exact = paragraphs.findIndex(({ id }) => id === place.paragraph);
  if (exact >= 0) return toMatch(paragraphs, exact, place.offset);

  const repeat = findRepeat(paragraphs, place);
  if (repeat !== undefined) return toMatch(paragraphs, repeat, place.offset);

  const closest = findClosest(paragraphs, place);
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

/** Of paragraphs with the same words, the one nearest to where the place was. */
function findRepeat(
  paragraphs: readonly Paragraph[],
  { paragraph, number }: Pick<Place, "paragraph" | "number">,
): number | undefined {
  const words = withoutCount(paragraph);
  return findNearest(paragraphs, number, ({ id }) => withoutCount(id) === words);
}

/** The name without the number of the repeat. */
function withoutCount(id: string): string {
  return id.replace(/^(p-[^-]+)-\d+$/, "$1");
}

/** Of paragraphs that begin equally alike, the one nearest to where the place was. */
function findClosest(
  paragraphs: readonly Paragraph[],
  { start, number }: Pick<Place, "start" | "number">,
): number | undefined {
  // Most often the end was changed, and a long text is not compared for nothing.
  const same = findNearest(paragraphs, number, (paragraph) => paragraph.start === start);
  if (same !== undefined) return same;

  const pairs = pairsOf(start);
  let best: { index: number; likeness: number } | undefined;
  paragraphs.forEach((paragraph, index) => {
    const likeness = compare(pairs, pairsOf(paragraph.start));
    if (likeness < Math.max(ALIKE, best?.likeness ?? 0)) return;
    const isNearer = best && Math.abs(index - number) < Math.abs(best.index - number);
    if (!best || likeness > best.likeness || isNearer) best = { index, likeness };
  });
  return best?.index;
}

/** Of the paragraphs that pass, returns the one nearest to that number. */
function findNearest(
  paragraphs: readonly Paragraph[],
  number: number,
  isMeant: (paragraph: Paragraph) => boolean,
): number | undefined {
  const distance = (index: number) => Math.abs(index - number);
  return paragraphs
    .flatMap((paragraph, index) => (isMeant(paragraph) ? index : []))
    .toSorted((a, b) => distance(a) - distance(b))[0];
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
