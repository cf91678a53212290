import fc from "fast-check";
import { expect, test } from "vitest";

import { getLastReachedIn } from "#app/reading/marks.server.ts";
import {
  findMatch,
  findPositionAt,
  mergePositions,
  updateFinished,
} from "#app/reading/positions/position-matching.server.ts";
import { getPercent, type ReadingPosition } from "#app/stories/positions/position.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";

const STORY = [
  "The tide had been coming in for eleven days when the clockmaker agreed to be paid in salt.",
  "She weighed it on the brass pan she kept for mainsprings, and said nothing.",
  "Everyone is losing, she said, and opened the back of the watch.",
  "There is nothing wrong with it, and there has not been for years.",
];

/** Texts that the tests use again and again, by their paragraphs. A long one takes longer to render than to search. */
const parsed = new WeakMap<readonly string[], ReturnType<typeof renderMarkdown>["paragraphs"]>();

function parse(paragraphs: readonly string[]) {
  const known = parsed.get(paragraphs);
  if (known) return known;
  const rendered = renderMarkdown(paragraphs.join("\n\n")).paragraphs;
  parsed.set(paragraphs, rendered);
  return rendered;
}

/** Returns the position of a user who is reading a paragraph. */
function createPosition(
  paragraphs: readonly string[],
  number: number,
  offset = 7,
): ReadingPosition {
  const { id = "", start = "", before = 0 } = parse(paragraphs)[number] ?? {};
  const percent = getPercent(
    before,
    parse(paragraphs)
      .map(({ length }) => length)
      .reduce((a, b) => a + b, 0),
  );
  const where = { paragraph: id, start, offset, number, percent, minutesLeft: 2 };
  return { story: "salt", title: "Salt", time: 1000, ...where };
}

test("finds a position in an unchanged text", () => {
  expect(findMatch(parse(STORY), createPosition(STORY, 2))).toMatchObject({ number: 2, offset: 7 });
});

test("finds a position after paragraphs before it were added, removed or changed", () => {
  const [first = "", , third = "", fourth = ""] = STORY;
  const edited = ["A new beginning.", `${first} Or so they say.`, "Another.", third, fourth];

  expect(findMatch(parse(edited), createPosition(STORY, 2))).toMatchObject({
    number: 3,
    offset: 7,
  });
});

test("finds a paragraph with a rewritten end by its beginning", () => {
  const edited = STORY.with(
    2,
    "Everyone is losing, she said, and opened the back of the old clock with a knife.",
  );

  expect(findMatch(parse(edited), createPosition(STORY, 2))).toMatchObject({
    number: 2,
    offset: 7,
  });
});

test("finds a paragraph with a corrected beginning by its similarity, at its first word", () => {
  const edited = [
    "A new beginning.",
    ...STORY.with(2, "Everybody is losing, she said. She opened the back."),
  ];

  expect(findMatch(parse(edited), createPosition(STORY, 2))).toMatchObject({
    number: 3,
    offset: 0,
  });
});

test("falls back to the number of a paragraph that was removed", () => {
  const edited = STORY.toSpliced(2, 1);

  expect(findMatch(parse(edited), createPosition(STORY, 2))).toMatchObject({
    number: 2,
    offset: 0,
  });
  expect(findMatch(parse(["All is new."]), createPosition(STORY, 3))).toMatchObject({ number: 0 });
  expect(findMatch([], createPosition(STORY, 3))).toBeUndefined();
});

test("finds the nearest of several paragraphs with the same words", () => {
  const refrain = ["Lights out.", "One walks.", "Lights out.", "Two walk.", "Lights out."];
  const edited = ["Lights out.", "One walks.", "Lights out.", "Two walk."];

  expect(findMatch(parse(edited), createPosition(refrain, 4))).toMatchObject({ number: 2 });
  expect(findMatch(parse(refrain), createPosition(refrain, 4))).toMatchObject({ number: 4 });
});

/** 300 paragraphs, three of them with the same words. */
const LONG = Array.from({ length: 300 }, (_, index) =>
  [10, 20, 280].includes(index) ? "“Yes,” she said." : `Paragraph ${index} tells of the sea.`,
);

test.each([10, 20, 280])("finds the repeat at %i of three after an edit to any other", (number) => {
  const others = [10, 20, 280].filter((other) => other !== number);
  for (const other of others) {
    const edited = LONG.with(other, "“No,” she said.");
    expect(findMatch(parse(edited), createPosition(LONG, number))?.number).toBe(number);

    const longer = ["A prologue.", "Another.", ...edited, "An epilogue."];
    expect(findMatch(parse(longer), createPosition(LONG, number))?.number).toBe(number + 2);

    const shorter = edited.toSpliced(1, 4);
    expect(findMatch(parse(shorter), createPosition(LONG, number))?.number).toBe(number - 4);
  }
});

test("finds the same repeat after a long prologue was added", () => {
  const prologue = Array.from({ length: 250 }, (_, index) => `Prologue ${index} tells of salt.`);

  for (const number of [10, 20, 280]) {
    const match = findMatch(parse([...prologue, ...LONG]), createPosition(LONG, number));
    expect(match?.number).toBe(250 + number);
  }
});

test("stays on the same sentence after any edits to other paragraphs", () => {
  // There are few words, so that sentences repeat, and a long common beginning, so that they are similar.
  const word = fc.constantFrom("sea", "salt", "öl", "λόγος", "once", "a", "clock");
  const beginning = fc.constantFrom("", "the tide had been coming in for eleven days when ");
  const sentence = fc
    .tuple(beginning, fc.array(word, { minLength: 1, maxLength: 4 }))
    .map(([start, words]) => `${start}${words.join(" ")}.`);
  const text = fc.array(sentence, { minLength: 1, maxLength: 10 });
  const edits = fc.record({ before: text, after: text });

  fc.assert(
    fc.property(
      text,
      fc.nat(),
      fc.option(edits),
      fc.array(fc.nat(), { maxLength: 5 }),
      (story, pick, added, removed) => {
        const number = pick % story.length;
        const sentenceThere = story[number] ?? "";
        const isKept = (_: string, index: number) =>
          !removed.some((one) => one % story.length === index);
        const edited = [
          ...(added?.before ?? []),
          ...story.slice(0, number).filter(isKept),
          sentenceThere,
          ...story.slice(number + 1),
          ...(added?.after ?? []),
        ];

        const match = findMatch(parse(edited), createPosition(story, number, 0));

        expect(edited[match?.number ?? -1]).toBe(sentenceThere);
      },
    ),
    { numRuns: 300 },
  );
});

test("finds the same repeat after the words before it and all after it have changed", () => {
  const line = fc.constantFrom("Yes.", "No.", "Lights out.", "The tide had been coming in.");
  const lines = fc.array(line, { minLength: 1, maxLength: 40 });

  fc.assert(
    fc.property(lines, lines, lines, fc.nat(), (story, others, behind, pick) => {
      const number = pick % story.length;
      const before = story.slice(0, number).map((one, index) => others[index] ?? one);
      const edited = [...before, story[number] ?? "", ...behind];

      expect(findMatch(parse(edited), createPosition(story, number, 2))).toMatchObject({
        number,
        offset: 2,
      });
    }),
    { numRuns: 300 },
  );
});

/** Returns the position of a user who has finished a text. */
function finish({ paragraphs }: ReturnType<typeof renderMarkdown>): ReadingPosition {
  const { id = "", start = "" } = paragraphs.at(-1) ?? {};
  const number = paragraphs.length - 1;
  const where = { paragraph: id, start, offset: 0, number, percent: 100, minutesLeft: 0 };
  return { story: "salt", title: "Salt", time: 1000, ...where };
}

test.each([1, 2, 3])("chapters before the last %i lines of every version are unread", (count) => {
  const begin = ["## One", ...STORY, "## Two", ...STORY.toReversed()];
  const end = ["To be continued…", "Thank you.", "Ana"].slice(0, count);
  const finished = finish(renderMarkdown([...begin, ...end].join("\n\n")));
  const added = ["## Three", "It rained.", "## Four", "It stopped."];
  const grown = renderMarkdown([...begin, ...added, ...end].join("\n\n"));

  const updated = updateFinished(grown, finished, finished.time + 1);

  expect(updated.percent).toBeLessThan(100);
  expect(getLastReachedIn(grown, [updated])).toBe(begin.length - 1);
});

test("a paragraph added before a short last chapter leaves a story finished", () => {
  const begin = ["## One", ...STORY];
  const end = ["## Epilogue", "They lived."];
  const finished = finish(renderMarkdown([...begin, ...end].join("\n\n")));
  const edited = renderMarkdown([...begin, "It rained.", ...end].join("\n\n"));

  expect(updateFinished(edited, finished, finished.time - 1)).toMatchObject({
    percent: 100,
    number: 7,
  });
});

const at = (percent: number, time: number) => ({ ...createPosition(STORY, 1), percent, time });

test.each([
  ["only this device has one", at(30, 1), undefined, 30, undefined],
  ["only the account has one", undefined, at(30, 1), 30, undefined],
  ["the account's is later and further", at(30, 1), at(60, 2), 60, undefined],
  ["the account's is later and a little back", at(30, 1), at(26, 2), 26, undefined],
  ["the account's is later and far back", at(60, 1), at(20, 2), 60, 20],
  ["this device's is later and further", at(60, 2), at(30, 1), 60, undefined],
  ["this device's is later, the account's much further", at(20, 2), at(60, 1), 20, 60],
  ["this device's is later, the account's a little further", at(20, 2), at(24, 1), 20, undefined],
] as const)("chooses a position where %s", (_, device, account, percent, otherPercent) => {
  const { position, other } = mergePositions(device, account);

  expect(position?.percent).toBe(percent);
  expect(other?.percent).toBe(otherPercent);
});

test("returns no position when neither side has one", () => {
  expect(mergePositions(undefined, undefined)).toEqual({
    position: undefined,
    other: undefined,
  });
});

test("cuts a story's long title between two characters", async () => {
  const [paragraph] = parse(STORY);
  const story = {
    ...{ id: "salt", title: `${"T".repeat(199)}😀 x`, author: "Ana", uid: "ana", description: "" },
    ...{ tags: [], cover: "", markdown: STORY.join("\n\n"), updatedAt: 0, isOngoing: false },
  };

  const position = await findPositionAt(story, paragraph?.id ?? "");

  expect(position?.title).toBe("T".repeat(199));
});
