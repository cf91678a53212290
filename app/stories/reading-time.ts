/**
 * The speed for English. We assume the same for the words that `countWords` finds in other scripts: for Japanese, that is
 * about 450 characters a minute.
 */
const WORDS_PER_MINUTE = 230;

/** Returns how many minutes it takes to read a number of words, rounded up, at least 1. */
export function getReadingMinutes(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}
