import { diffArrays } from "diff";

import { readDrawing } from "#app/stories/cover/drawing.ts";
import { UNSPACED_CHARACTER } from "#app/stories/terms.ts";
import { countWords } from "#app/stories/words.ts";
import type { DraftContent } from "#app/writing/draft.ts";
import type { Comparison, Passage, Piece } from "#app/writing/editor-data.ts";

/**
 * The maximum number of lines that may be added or removed. A comparison takes about half the square of that number in
 * steps.
 */
const MAX_LINE_EDITS = 1000;

/** The maximum number of lines that may differ from the line at the same position. More would not fit on a page. */
const MAX_CHANGED_LINES = 5000;

/** Lines that both texts have, or lines of one text that replace lines of the other. */
type Run = { unchanged: string[] } | { before: string[]; after: string[] };

/**
 * Compares two versions of a draft word by word. It compares lines first, and then the words of the lines that differ, so
 * a long story with few changes takes no longer than a short one. To limit the time, large changes are compared as whole
 * passages, and very large ones not at all. Two of the longest stories take some 150 ms.
 */
export function compareDrafts(before: DraftContent, after: DraftContent): Comparison {
  const compareWords = createWordComparison();
  const fields = [
    { name: "Title", pieces: compareWords(before.title, after.title) },
    { name: "Description", pieces: compareWords(before.description, after.description) },
    { name: "Tags", pieces: compareWords(before.tags.join(", "), after.tags.join(", ")) },
    { name: "Cover", pieces: compareWhole(describeCover(before), describeCover(after)) },
  ];
  const runs = findRuns(before.text.split("\n"), after.text.split("\n"));
  const text = runs && toPassages(runs, compareWords);
  return {
    fields: fields.filter(({ pieces }) => hasChanged(pieces)),
    text,
    isSpacingOnly: text?.length === 0 && before.text !== after.text,
  };
}

function describeCover({ cover }: DraftContent): string {
  const drawing = readDrawing(cover ?? "");
  return drawing === undefined ? (cover ?? "") : `Drawing ${drawing + 1}`;
}

function findRuns(before: string[], after: string[]): Run[] | null {
  const changes = diffArrays(before, after, { maxEditLength: MAX_LINE_EDITS });
  // If a word has changed in nearly every line, such as a name, the lines can still be compared in pairs.
  if (!changes) return pairLines(before, after);
  const runs: Run[] = [];
  for (const { value, added, removed } of changes) {
    const lastRun = runs.at(-1);
    if (!added && !removed) runs.push({ unchanged: value });
    else if (lastRun && "before" in lastRun) lastRun[added ? "after" : "before"].push(...value);
    else runs.push(added ? { before: [], after: value } : { before: value, after: [] });
  }
  return runs;
}

function pairLines(before: string[], after: string[]): Run[] | null {
  if (before.length !== after.length) return null;
  const runs = before.map((line, index): Run => {
    const other = after[index] ?? "";
    return line === other ? { unchanged: [line] } : { before: [line], after: [other] };
  });
  return runs.filter((run) => "before" in run).length > MAX_CHANGED_LINES ? null : runs;
}

/** Returns the changed passages with the lines around them, and the number of unchanged words in between. */
function toPassages(
  runs: Run[],
  compareWords: (before: string, after: string) => Piece[],
): Passage[] {
  const passages: Passage[] = [];
  let unchanged: string[] = [];

  function addUnchanged(isEnd: boolean) {
    const lines = unchanged.filter((line) => line.trim() !== "");
    const after = passages.length === 0 ? [] : lines.splice(0, 1);
    const before = isEnd ? [] : lines.splice(-1);
    const unchangedWords = countWords(lines.join("\n"));
    passages.push(
      ...after.map(toUnchanged),
      ...(unchangedWords > 0 ? [{ unchangedWords }] : []),
      ...before.map(toUnchanged),
    );
    unchanged = [];
  }

  for (const run of runs) {
    const pieces =
      "unchanged" in run ? [] : compareWords(run.before.join("\n"), run.after.join("\n"));
    if (hasChanged(pieces)) {
      addUnchanged(false);
      passages.push({ pieces });
    } else {
      unchanged = unchanged.concat("unchanged" in run ? run.unchanged : run.after);
    }
  }
  if (passages.length > 0) addUnchanged(true);
  return passages;
}

function toUnchanged(text: string): Passage {
  return { pieces: [{ kind: "unchanged", text }] };
}

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
function createWordComparison(): (before: string, after: string) => Piece[] {
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
function compareWhole(before: string, after: string): Piece[] {
  if (before === after) return mergePieces([{ kind: "unchanged", text: after }]);
  return mergePieces([
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ]);
}

function hasChanged(pieces: Piece[]): boolean {
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
