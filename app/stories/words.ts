import { removeHtmlTags } from "./html-tags.ts";

/** A word in Latin script with punctuation around it. Counts the same as the segmenter, some ten times faster. */
const PLAIN_WORD = /^[*_"'“‘(]*[A-Za-zÀ-ÖØ-öø-ɏ]+(?:['’][A-Za-zÀ-ÖØ-öø-ɏ]+)*[*_.,;:!?…"'”’)—]*$/;

/** Images, and the URL and title of links. */
const NOT_WORDS = /!\[[^[\]\n]*\]\([^()\s]*(?:\s+"[^"\n]*")?\)|\]\([^()\s]*(?:\s+"[^"\n]*")?\)/g;

/**
 * Up to 500 UTF-16 units that end after white space, otherwise after punctuation. The segmenter takes quadratic time:
 * 500,000 characters at once take minutes.
 */
const PIECE = /[^]{0,499}(?:\s|$)|[^]{0,499}\p{P}|[^]{1,500}/gu;

/** Punctuation that ends words for the segmenter too. Markdown and HTML have much of it. */
const SEPARATOR = /[[\](){}<>*!&\\/=+|~`#;“”…—-]+/;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

let segmenter: Intl.Segmenter | undefined;

/**
 * Counts the words of Markdown in any script. Chinese, Japanese and Thai have no spaces, so `Intl.Segmenter` finds their
 * words. All word counts and reading times use this function.
 */
export function countWords(markdown: string): number {
  let words = 0;
  const others: string[] = [];
  for (const token of removeHtmlTags(markdown).replaceAll(NOT_WORDS, "] ").split(/\s+/)) {
    if (PLAIN_WORD.test(token)) {
      words += 1;
      continue;
    }
    for (const part of token.split(SEPARATOR)) {
      if (PLAIN_WORD.test(part)) words += 1;
      else if (LETTER_OR_DIGIT.test(part)) others.push(part);
    }
  }
  for (const [piece] of others.join(" ").matchAll(PIECE)) words += countSegments(piece);
  return words;
}

/** Returns a word counter for a text that is being edited. It counts only the lines that have changed. */
export function createWordCounter(): (markdown: string) => number {
  let previous = new Map<string, number>();
  return (markdown) => {
    const counts = new Map<string, number>();
    let words = 0;
    for (const line of markdown.split("\n")) {
      const count = counts.get(line) ?? previous.get(line) ?? countWords(line);
      counts.set(line, count);
      words += count;
    }
    previous = counts;
    return words;
  };
}

function countSegments(text: string): number {
  // Firefox before 125 has no segmenter, so everything that contains a letter or a digit counts as a word.
  if (!("Segmenter" in Intl)) return text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  // oxlint-disable-next-line baseline-js/use-baseline -- checked above
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words += 1;
  return words;
}
