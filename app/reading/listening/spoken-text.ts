import type { TextPosition } from "#app/reading/positions/text-map.ts";

export interface SpokenParagraph {
  /** Depends on the words. */
  id: string;
  text: string;
  /** Whether a chapter begins here. */
  isChapter: boolean;
}

/** A text as a voice reads it. */
export interface SpokenText {
  paragraphs: readonly SpokenParagraph[];
  /** Returns the sentences of a paragraph that can be spoken, by its number. */
  getSentences: (number: number) => readonly Span[];
}

/** What is spoken in one go: a sentence, or a part of a long one. */
export interface Utterance extends Span {
  /** The number of the paragraph. */
  number: number;
  sentence: Span;
}

/** Sentences are found when they are needed, because a text may have a million characters. */
export function createSpokenText(
  paragraphs: readonly SpokenParagraph[],
  language: string,
): SpokenText {
  const split = createSentenceSplitter(language);
  const sentences = new Map<number, readonly Span[]>();
  return {
    paragraphs,
    getSentences(number) {
      let found = sentences.get(number);
      if (!found) {
        const { text = "" } = paragraphs[number] ?? {};
        found = split(text).filter(({ start, end }) => isSpeakable(text.slice(start, end)));
        sentences.set(number, found);
      }
      return found;
    },
  };
}

/** Returns what to speak at a position, or else after it; `undefined` at the end of the text. */
export function findUtterance(
  text: SpokenText,
  position: TextPosition,
  maxCost: number,
): Utterance | undefined {
  let { offset } = position;
  for (let { number } = position; number < text.paragraphs.length; number += 1) {
    const words = text.paragraphs[number]?.text ?? "";
    for (const sentence of text.getSentences(number)) {
      const start = Math.max(offset, sentence.start);
      const { end } = sentence;
      if (start >= end || !isSpeakable(words.slice(start, end))) continue;
      return { number, sentence, start, end: findUtteranceEnd(words, { start, end }, maxCost) };
    }
    offset = 0;
  }
  return undefined;
}

/** Returns the beginning of the sentence around a position, or else of the next one. */
export function findSentenceStart(
  text: SpokenText,
  position: TextPosition,
): TextPosition | undefined {
  const found = findUtterance(text, position, Infinity);
  return found && { number: found.number, offset: found.sentence.start };
}

/** Returns the beginning of the sentence before the one at a position. */
export function findPreviousSentence(
  text: SpokenText,
  position: TextPosition,
): TextPosition | undefined {
  const current = findSentenceStart(text, position);
  const limit = current?.offset ?? Infinity;
  for (let number = current?.number ?? text.paragraphs.length - 1; number >= 0; number -= 1) {
    const sentences = text.getSentences(number);
    const before = sentences.findLast(({ start }) => number !== current?.number || start < limit);
    if (before) return { number, offset: before.start };
  }
  return undefined;
}

/** Returns the beginning of the sentence after the one at a position. */
export function findNextSentence(
  text: SpokenText,
  position: TextPosition,
): TextPosition | undefined {
  const current = findUtterance(text, position, Infinity);
  return current && findSentenceStart(text, { number: current.number, offset: current.end });
}

/**
 * Finds a position in a new version of the text. A paragraph that is gone is replaced by the next one that both versions
 * have, or else by the end of the last one before it.
 *
 * @returns whether the words at the position are the same
 */
export function findRevised(
  before: SpokenText,
  after: SpokenText,
  { number, offset }: TextPosition,
): { position: TextPosition; isSame: boolean } {
  const numbers = new Map(after.paragraphs.map(({ id }, index) => [id, index]));
  const find = (old: number) => numbers.get(before.paragraphs[old]?.id ?? "");
  const same = find(number);
  if (same !== undefined) {
    const isSame = after.paragraphs[same]?.text === before.paragraphs[number]?.text;
    return { position: { number: same, offset: isSame ? offset : 0 }, isSame };
  }
  for (let next = number + 1; next < before.paragraphs.length; next += 1) {
    const found = find(next);
    if (found !== undefined) return { position: { number: found, offset: 0 }, isSame: false };
  }
  for (let last = number - 1; last >= 0; last -= 1) {
    const found = find(last);
    if (found !== undefined) return { position: { number: found + 1, offset: 0 }, isSame: false };
  }
  return { position: { number: 0, offset: 0 }, isSame: false };
}

/** A part of a text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** In the unit of `getCost`: what a slow voice speaks in a second at normal speed. */
const COST_PER_SECOND = 13;

/** Chrome stops some voices after 14 seconds. */
const MAX_SECONDS = 12;

/** Titles before a name, and initials: their dot does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s\p{P}])(?:\p{Lu}|Mrs?|Ms|Mx|Dr|Prof|St|Mt|Capt|Col|Gen|Lt|Sgt|Rev|Sra?|Mme|Mlle|Hr)\.\s*$/u;

/** An exclamation or question at the end of what somebody says. */
const SAID = /[!?…！？][\p{Pi}\p{Pf}\p{Pe}"']+\s*$/u;

/** After these, or after a space, a long sentence can be divided. */
const CLAUSE_END = /[,;:—–…)]\s$|[、，；：—]$/u;

/** For browsers without `Intl.Segmenter`. */
const SENTENCE_START =
  /(?<=[.!?…][\p{Pf}\p{Pe}"']*\s+|[。！？][\p{Pf}\p{Pe}"']*|\n)(?![\s\p{Pf}\p{Pe}"']*$)/u;

/** Whether a voice would say anything. */
function isSpeakable(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text);
}

/** Returns the longest utterance that takes at most 12 seconds at a speed, in the unit of `getCost`. */
export function getMaxCost(rate: number): number {
  return MAX_SECONDS * COST_PER_SECOND * rate;
}

/** Returns about how many milliseconds a slow voice needs for a text. */
export function getSpeakingTime(text: string, rate: number): number {
  return (1000 * getCost(text)) / (COST_PER_SECOND * rate);
}

/** Returns how much there is to say, in Latin letters. Syllables, digits and signs take longer. */
export function getCost(text: string): number {
  let cost = 0;
  for (const character of text) cost += getCharacterCost(character);
  return cost;
}

function getCharacterCost(character: string): number {
  if (/\p{S}/u.test(character)) return 12;
  return /[\p{N}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(character) ? 3 : 1;
}

/**
 * Returns a function that divides a text into sentences. Together they are the whole text.
 *
 * @param language a language tag; any other text counts as none
 */
export function createSentenceSplitter(language: string): (text: string) => Span[] {
  const segment = createSegmenter(language);
  return (text) => {
    const sentences: Span[] = [];
    let start = 0;
    for (const part of segment(text)) {
      const last = sentences.at(-1);
      const end = start + part.length;
      if (last && isContinued(text.slice(last.start, last.end), part)) last.end = end;
      else sentences.push({ start, end });
      start = end;
    }
    return sentences;
  };
}

function createSegmenter(language: string): (text: string) => string[] {
  if (!("Segmenter" in Intl)) return (text) => text.split(SENTENCE_START).filter(Boolean);
  const options = { granularity: "sentence" } as const;
  let segmenter: Intl.Segmenter;
  try {
    segmenter = new Intl.Segmenter(language, options);
  } catch {
    segmenter = new Intl.Segmenter(undefined, options);
  }
  return (text) => Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Whether two parts are one sentence, such as “Stop!” and she said. */
function isContinued(before: string, after: string): boolean {
  if (!isSpeakable(before) || !isSpeakable(after)) return true;
  return ABBREVIATION.test(before) || (SAID.test(before) && /^\p{Ll}/u.test(after));
}

/**
 * Returns where the next utterance ends. Divides a long sentence into parts of about the same length, if possible after a
 * clause.
 *
 * @param maxCost at least the cost of one character
 */
export function findUtteranceEnd(text: string, { start, end }: Span, maxCost: number): number {
  const words = text.slice(start, end);
  const total = getCost(words);
  if (total <= maxCost) return end;
  const wanted = total / Math.ceil(total / maxCost);
  let best = { at: 0, distance: Infinity };
  let at = start;
  let cost = 0;
  let lastWhole = start;
  for (const character of words) {
    const isMark = /\p{M}|\u200D/u.test(character);
    if (!isMark) lastWhole = at;
    cost += getCharacterCost(character);
    if (cost > maxCost && at > start) break;
    at += character.length;
    const isClause = CLAUSE_END.test(text.slice(Math.max(start, at - 2), at));
    if (!isClause && !/\s/u.test(character)) continue;
    const distance = Math.abs(cost - wanted) + (isClause ? 0 : wanted / 2);
    if (distance < best.distance) best = { at, distance };
  }
  if (best.at > start) return best.at;
  return lastWhole > start ? lastWhole : at;
}
