/**
 * A token that is one word by itself, signs around it included: what most of a story in a Latin script consists of. The
 * segmenter would say the same of it, some ten times slower.
 */
const PLAIN_WORD = /^[*_"'“‘(]*[A-Za-zÀ-ÖØ-öø-ɏ]+(?:['’][A-Za-zÀ-ÖØ-öø-ɏ]+)*[*_.,;:!?…"'”’)—]*$/;

/** Pictures, and the address and title of links, which nobody reads as part of the text. */
const UNREAD = /!\[[^[\]\n]*\]\([^()\s]*(?:\s+"[^"\n]*")?\)|\]\([^()\s]*(?:\s+"[^"\n]*")?\)/g;

/**
 * A piece that the segmenter takes at once, in UTF-16 units: it ends after a blank, else after a sign. The segmenter's
 * time grows with the square of what it is given: 500,000 characters in one piece take minutes.
 */
const PIECE = /[^]{0,499}(?:\s|$)|[^]{0,499}\p{P}|[^]{1,500}/gu;

let segmenter: Intl.Segmenter | undefined;

/**
 * Counts the words of Markdown as a reader sees them, in every script: `Intl.Segmenter` tells them apart, so that
 * Chinese, Japanese and Thai, which are written without blanks, have words too. Every count of a story's words, and so
 * every number of minutes, is made here.
 */
export function countWords(markdown: string): number {
  let words = 0;
  const others: string[] = [];
  for (const token of markdown.replaceAll(UNREAD, "] ").split(/\s+/)) {
    if (PLAIN_WORD.test(token)) words += 1;
    else if (token) others.push(token);
  }
  for (const [piece] of others.join(" ").matchAll(PIECE)) words += countSegments(piece);
  return words;
}

/** Returns a counter for one text that changes key by key: it counts again only the lines that are new. */
export function createWordCounter(): (markdown: string) => number {
  let known = new Map<string, number>();
  return (markdown) => {
    const counts = new Map<string, number>();
    let words = 0;
    for (const line of markdown.split("\n")) {
      const count = counts.get(line) ?? known.get(line) ?? countWords(line);
      counts.set(line, count);
      words += count;
    }
    known = counts;
    return words;
  };
}

function countSegments(text: string): number {
  // Browsers of before 2024 may not have it: there, what holds a letter or a digit is a word.
  if (!("Segmenter" in Intl)) return text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words += 1;
  return words;
}
