import { toWriterPath } from "./book.ts";
import type { Suggestion } from "./search.ts";
import type { StoryEntry } from "./story.ts";
import { splitQuery } from "./terms.ts";

const MAX_SUGGESTED = 3;

/** Returns up to three titles and writers nearest to a search. Up to a third of the letters of each word may differ. */
export function findSuggestions(
  entries: readonly StoryEntry[],
  words: readonly string[],
): Suggestion[] {
  const candidates = entries.flatMap(({ title, readLink, author, writer }) => [
    { name: title, path: readLink },
    ...(author !== null && writer !== null ? [{ name: author, path: toWriterPath(writer) }] : []),
  ]);
  return [...new Map(candidates.map((candidate) => [candidate.path, candidate])).values()]
    .map((candidate) => ({ candidate, distance: getDistance(words, splitQuery(candidate.name)) }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTED)
    .map(({ candidate }) => candidate);
}

/** Returns how many letters differ between a search and a name; `Infinity` if a word of the search is too different. */
function getDistance(words: readonly string[], nameWords: readonly string[]): number {
  const distances = words.map((word) => {
    const nearest = Math.min(...nameWords.map((other) => countEdits(word, other)));
    return nearest <= Array.from(word).length / 3 ? nearest : Infinity;
  });
  return distances.reduce((sum, distance) => sum + distance, 0);
}

/** Returns how many changed, added, omitted or swapped letters turn one word into the beginning of another. */
function countEdits(word: string, other: string): number {
  const [a, b] = [Array.from(word), Array.from(other).slice(0, word.length + 2)];
  let before: number[] = [];
  let row = b.map((_, index) => index + 1);
  row.unshift(0);
  for (const [i, letter] of a.entries()) {
    const next = [i + 1];
    for (const [j, otherLetter] of b.entries()) {
      const changed = (row[j] ?? 0) + (letter === otherLetter ? 0 : 1);
      const isSwapped = letter === b[j - 1] && a[i - 1] === otherLetter;
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, swapped));
    }
    [before, row] = [row, next];
  }
  return Math.min(...row);
}
