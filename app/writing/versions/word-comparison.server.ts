import { diffArrays } from "diff";

import { countWords } from "#app/stories/words.ts";
import type { Piece } from "./comparison.ts";

// Steps are counted, for a Worker's clock stands still while it calculates: the library's own time limit never comes.
// A comparison takes about half the square of its edits.

/** Words that are added or removed in one passage, and the squares of them in all passages together. */
const MAX_EDITS = 300;
const MAX_STEPS = 1_000_000;

/** Of a longer passage the words are not even told apart. In UTF-16 units. */
const MAX_LENGTH = 20_000;

/** Where fewer of the words are kept, they are confetti between the others: the passage was rewritten. */
const LEAST_KEPT_SHARE = 0.3;

/** A word or a sign, after the blanks before it. Some scripts write their words without blanks, so each sign is one. */
const WORD =
  /(\s*)([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|\S|$)/gu;

interface Token {
  word: string;
  /** With the blanks before it, which do not count. */
  text: string;
}

/**
 * Returns how to compare passages word by word: what is kept and what is added is the later one, to the last blank.
 * Where that would take too long, and where nearly nothing is kept, it is one whole passage in the place of the other.
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
      kind: added ? "added" : removed ? "removed" : "kept",
      text: value.map(({ text }) => text).join(""),
    }));
  }

  return (before, after) => {
    const pieces = settle(findChanges(before, after) ?? []);
    return isWorthTelling(pieces, before, after) ? pieces : compareWhole(before, after);
  };
}

/** Returns what has one value in the place of another. */
export function compareWhole(before: string, after: string): Piece[] {
  if (before === after) return settle([{ kind: "kept", text: after }]);
  return settle([
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ]);
}

export function hasChanged(pieces: Piece[]): boolean {
  return pieces.some(({ kind }) => kind !== "kept");
}

/** Between two kept pieces there is at most one that was removed, and then one that was added. */
function settle(changes: Piece[]): Piece[] {
  const pieces: Piece[] = [];
  let removed = "";
  let added = "";
  for (const { kind, text } of [...changes, { kind: "kept", text: "" } as const]) {
    if (kind === "removed") removed += text;
    if (kind === "added") added += text;
    if (kind !== "kept") continue;
    pieces.push({ kind: "removed", text: removed }, { kind: "added", text: added });
    pieces.push({ kind, text });
    removed = "";
    added = "";
  }
  return pieces.filter(({ text }) => text !== "");
}

function isWorthTelling(pieces: Piece[], before: string, after: string): boolean {
  if (pieces.length === 0) return false;
  const kept = pieces.filter(({ kind }) => kind === "kept").map(({ text }) => text);
  const most = Math.max(countWords(before), countWords(after));
  return countWords(kept.join(" ")) >= most * LEAST_KEPT_SHARE;
}

function toTokens(text: string): Token[] {
  return Array.from(text.matchAll(WORD), ([whole, , word = ""]) => ({ word, text: whole }));
}
