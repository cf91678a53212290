/**
 * For English. Words of other scripts, as `countWords` separates them, are assumed to be read at the same speed: about
 * 450 characters a minute for Japanese.
 */
const WORDS_PER_MINUTE = 230;

/** Returns the minutes that it takes to read a number of words, rounded up, at least 1. */
export function minutesToRead(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}
