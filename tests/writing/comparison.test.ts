import fc from "fast-check";
import { expect, test } from "vitest";

import { MAX_STORY_LENGTH, type DraftContent } from "#app/writing/draft.ts";
import { compareDrafts } from "#app/writing/versions/comparison.server.ts";
import type { Piece } from "#app/writing/editor-data.ts";
import { makeLongText } from "#tests/support/stories.ts";

const content: DraftContent = { title: "", description: "", tags: [], cover: null, text: "" };

function compare(before: string, after: string) {
  return compareDrafts({ ...content, text: before }, { ...content, text: after });
}

/** Writes pieces as one line: -removed- and +added+. */
function toLine(pieces: Piece[]): string {
  const signs = { unchanged: "", removed: "-", added: "+" };
  return pieces.map(({ kind, text }) => signs[kind] + text + signs[kind]).join("");
}

function toLines(before: string, after: string) {
  const { text } = compare(before, after);
  return text?.map((passage) =>
    "pieces" in passage ? toLine(passage.pieces) : `(${passage.unchangedWords})`,
  );
}

test.each([
  ["a word", "The tide came in.", "The slow tide came in.", ["The+ slow+ tide came in."]],
  ["the end", "The tide came in", "The tide came in.", ["The tide came in+.+"]],
  ["another word", "The tide came in.", "The tide went in.", ["The tide- came-+ went+ in."]],
  [
    "an apostrophe",
    "It isn't late in the day.",
    "It wasn't late in the day.",
    ["It- isn't-+ wasn't+ late in the day."],
  ],
  ["other letters", "Море было тихим.", "Море стало тихим.", ["Море- было-+ стало+ тихим."]],
  ["characters that are words", "春天来了", "春天又来了", ["春天+又+来了"]],
  ["a script without spaces", "နေကောင်း", "နေမကောင်း", ["နေ+မ+ကောင်း"]],
  [
    "seven words in ten",
    "one two three a b c d e f g",
    "one two three h i j k l m n",
    ["one two three- a b c d e f g-+ h i j k l m n+"],
  ],
  [
    "a rewritten line",
    "The tide came in.",
    "Nobody is here.",
    ["-The tide came in.-+Nobody is here.+"],
  ],
  ["the whole text", "The tide came in.", "", ["-The tide came in.-"]],
  ["a first line", "", "The tide came in.", ["+The tide came in.+"]],
])("shows a change of %s word by word", (_, before, after, lines) => {
  expect(toLines(before, after)).toEqual(lines);
});

test("shows only the unchanged lines next to a change", () => {
  const lines = [
    "One.",
    "Two and more.",
    "Three.",
    "The tide.",
    "Five.",
    "Six and more.",
    "Seven.",
  ];
  const before = lines.join("\n\n");

  expect(toLines(before, before.replace("tide", "slow tide"))).toEqual([
    "(4)",
    "Three.",
    "The+ slow+ tide.",
    "Five.",
    "(4)",
  ]);
});

test("compares the other fields too, each by its name", () => {
  const before = { ...content, title: "Salt and Sand", tags: ["sea"] };
  const after = { ...before, title: "Salt and Sky", tags: ["sea", "slow"], cover: "https://a.b/c" };

  const { fields, text } = compareDrafts(before, after);

  expect(fields.map(({ name, pieces }) => [name, toLine(pieces)])).toEqual([
    ["Title", "Salt and- Sand-+ Sky+"],
    ["Tags", "sea+, slow+"],
    ["Cover", "+https://a.b/c+"],
  ]);
  expect(text).toEqual([]);
});

test("names a drawing that the writer has chosen as the cover", () => {
  const after = { ...content, cover: "drawing:4" };
  const { fields } = compareDrafts(content, after);
  expect(fields.map(({ pieces }) => toLine(pieces))).toEqual(["+Drawing 5+"]);
});

test("reports a change of spaces alone, but not as changed words", () => {
  expect(compare("One  two", "One two")).toMatchObject({ text: [], isSpacingOnly: true });
  expect(compare("One two", "One two")).toMatchObject({ text: [], isSpacingOnly: false });
});

test("the pieces of a comparison make up the earlier and the later line", () => {
  const word = fc.constantFrom("tide", "sand", "The", ",", ".", "it's", "é", "海", "😀", "  ");
  const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  const removeSpaces = (text: string) => text.replaceAll(/\s+/g, "");
  fc.assert(
    fc.property(line, line, (before, after) => {
      const passages = compare(before, after).text ?? [];
      const pieces = passages.flatMap((passage) => ("pieces" in passage ? passage.pieces : []));
      const join = (...kinds: Piece["kind"][]) =>
        pieces.flatMap(({ kind, text }) => (kinds.includes(kind) ? text : [])).join("");
      if (pieces.length === 0) {
        expect(removeSpaces(before)).toBe(removeSpaces(after));
      } else {
        expect(join("unchanged", "added")).toBe(after);
        expect(removeSpaces(join("unchanged", "removed"))).toBe(removeSpaces(before));
      }
    }),
  );
});

test("shows every change of a name throughout the longest story", () => {
  const before = makeLongText(MAX_STORY_LENGTH);

  const passages = compare(before, before.replaceAll("rain", "snow")).text ?? [];

  const changed = passages.filter(
    (one) => "pieces" in one && toLine(one.pieces).includes("-+ snow+"),
  );
  expect(changed.length).toBeGreaterThan(2000);
});

test("does not compare two of the longest stories that have nothing in common", () => {
  const lines = (word: string) => Array.from({ length: 40_000 }, (_, n) => word + n).join("\n");

  expect(compare(lines("tide "), lines("sand ")).text).toBeNull();
});

test("compares a passage of half a million characters only as a whole", () => {
  const before = "tide ".repeat(MAX_STORY_LENGTH / 5);

  expect(compare(before, `${before}sand`).text).toMatchObject([
    { pieces: [{ kind: "removed" }, { kind: "added" }] },
  ]);
});
