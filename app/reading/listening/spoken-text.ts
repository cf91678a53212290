import type { TextPosition } from "#app/reading/positions/text-map.ts";
import { createSentenceSplitter, findUtteranceEnd, isSpeakable, type Span } from "./sentences.ts";

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
