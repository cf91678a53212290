import { diffArrays } from "diff";

import { UNSPACED_CHARACTER } from "#app/stories/terms.ts";
import { countWords } from "#app/stories/words.ts";
import type { Piece } from "./comparison.ts";

// Limits the number of steps, because the library's time limit does not work: a Worker's clock stands still during
// calculations. A comparison takes about half the square of its edits in steps.

/**
 * The maximum number of words that may be added or removed in one passage, and the maximum sum of the squares of these
 * numbers over all passages.
 */
const MAX_EDITS = 300;
const MAX_STEPS = 1_000_000;

/** Longer passages are not split into words. In UTF-16 units. */
const MAX_LENGTH = 20_000;

/**
 * With a smaller share of unchanged words, the passage counts as rewritten: single unchanged words would only be
 * confusing.
 */
const MIN_UNCHANGED_SHARE = 0.3;

/** A word or a punctuation mark with the spaces before it. In scripts without spaces each character counts as a word. */
const WORD = new RegExp(
  String.raw`(\s*)(${UNSPACED_CHARACTER.source}|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|\S|$)`,
  "gu",
);

interface Token {
  word: string;
  /** With the spaces before it, which are not compared. */
  text: string;
}

/**
 * Returns a function that compares passages word by word. The unchanged and added pieces together are exactly the later
 * passage. If a comparison would take too long, or leaves hardly any words unchanged, the later passage replaces the
 * earlier one as a whole.
 */
export function createWordComparison(): (before: string, after: string) => Piece[] {
  let steps = 0;

  function findChanges(before: string, after: string): Piece[] | undefined {
    if (steps >= MAX_STEPS || Math.max(before.length, after.length) > MAX_LENGTH) return undefined;
    const changes = diffArrays(toTokens(before), toTokens(after), {
      comparator: (a, b) => a.word === b.word,
      maxEditLength: MAX_EDITS,
    });
    const edits = (changes ?? [])
      .filter(({ added, removed }) => added || removed)
      .reduce((sum, { count }) => sum + count, 0);
    steps += (changes ? edits : MAX_EDITS) ** 2;
    return changes?.map(({ value, added, removed }) => ({
      kind: added ? "added" : removed ? "removed" : "unchanged",
      text: value.map(({ text }) => text).join(""),
    }));
  }

  return (before, after) => {
    const pieces = mergePieces(findChanges(before, after) ?? []);
    return isReadable(pieces, before, after) ? pieces : compareWhole(before, after);
  };
}

/** Returns pieces that replace one value with another as a whole. */
export function compareWhole(before: string, after: string): Piece[] {
  if (before === after) return mergePieces([{ kind: "unchanged", text: after }]);
  return mergePieces([
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ]);
}

export function hasChanged(pieces: Piece[]): boolean {
  return pieces.some(({ kind }) => kind !== "unchanged");
}

/**
 * Merges pieces, so that two unchanged pieces have at most one removed and one added piece between them, in this order.
 */
function mergePieces(changes: Piece[]): Piece[] {
  const pieces: Piece[] = [];
  let removed = "";
  let added = "";
  for (const { kind, text } of [...changes, { kind: "unchanged", text: "" } as const]) {
    if (kind === "removed") removed += text;
    if (kind === "added") added += text;
    if (kind !== "unchanged") continue;
    pieces.push({ kind: "removed", text: removed }, { kind: "added", text: added });
    pieces.push({ kind, text });
    removed = "";
    added = "";
  }
  return pieces.filter(({ text }) => text !== "");
}

function isReadable(pieces: Piece[], before: string, after: string): boolean {
  if (pieces.length === 0) return false;
  const unchanged = pieces.filter(({ kind }) => kind === "unchanged").map(({ text }) => text);
  const most = Math.max(countWords(before), countWords(after));
  return countWords(unchanged.join(" ")) >= most * MIN_UNCHANGED_SHARE;
}

function toTokens(text: string): Token[] {
  return Array.from(text.matchAll(WORD), ([whole, , word = ""]) => ({ word, text: whole }));
}
