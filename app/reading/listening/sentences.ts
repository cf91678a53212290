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
export function isSpeakable(text: string): boolean {
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
