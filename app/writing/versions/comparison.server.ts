import { diffArrays } from "diff";

import { readDrawing } from "#app/stories/cover/drawing.ts";
import { countWords } from "#app/stories/words.ts";
import type { DraftContent } from "#app/writing/draft.ts";
import type { Comparison, Passage, Piece } from "./comparison.ts";
import { compareWhole, createWordComparison, hasChanged } from "./word-comparison.server.ts";

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
