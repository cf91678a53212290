import fc from "fast-check";
import { expect, test } from "vitest";

import { findMatch, settlePlaces } from "#app/reading/position-matching.server.ts";
import { percentAt, type Place } from "#app/reading/position.ts";
import { renderMarkdown } from "#app/stories/markdown.server.ts";

const STORY = [
  "The tide had been coming in for eleven days when the clockmaker agreed to be paid in salt.",
  "She weighed it on the brass pan she kept for mainsprings, and said nothing.",
  "Everyone is losing, she said, and opened the back of the watch.",
  "There is nothing wrong with it, and there has not been for years.",
];

function parse(paragraphs: readonly string[]) {
  return renderMarkdown(paragraphs.join("\n\n")).paragraphs;
}

/** The place of somebody who reads that paragraph of the story. */
function placeIn(paragraphs: readonly string[], number: number, offset = 7): Place {
  const { id = "", start = "", before = 0 } = parse(paragraphs)[number] ?? {};
  const percent = percentAt(
    before,
    parse(paragraphs)
      .map(({ length }) => length)
      .reduce((a, b) => a + b, 0),
  );
  const where = { paragraph: id, start, offset, number, percent, minutesLeft: 2 };
  return { story: "salt", title: "Salt", time: 1000, ...where };
}

test("a place is where it was in a text that stays the same", () => {
  expect(findMatch(parse(STORY), placeIn(STORY, 2))).toMatchObject({ number: 2, offset: 7 });
});

test("paragraphs that come, go or change before it do not move a place", () => {
  const [first = "", , third = "", fourth = ""] = STORY;
  const edited = ["A new beginning.", `${first} Or so they say.`, "Another.", third, fourth];

  expect(findMatch(parse(edited), placeIn(STORY, 2))).toMatchObject({ number: 3, offset: 7 });
});

test("a paragraph whose end was rewritten is known by its beginning", () => {
  const edited = STORY.with(
    2,
    "Everyone is losing, she said, and opened the back of the old clock with a knife.",
  );

  expect(findMatch(parse(edited), placeIn(STORY, 2))).toMatchObject({ number: 2, offset: 7 });
});

test("a paragraph whose beginning was corrected is known by its likeness, from its first word on", () => {
  const edited = [
    "A new beginning.",
    ...STORY.with(2, "Everybody is losing, she said. She opened the back."),
  ];

  expect(findMatch(parse(edited), placeIn(STORY, 2))).toMatchObject({ number: 3, offset: 0 });
});

test("a paragraph that is gone leaves its number", () => {
  const edited = STORY.toSpliced(2, 1);

  expect(findMatch(parse(edited), placeIn(STORY, 2))).toMatchObject({ number: 2, offset: 0 });
  expect(findMatch(parse(["All is new."]), placeIn(STORY, 3))).toMatchObject({ number: 0 });
  expect(findMatch([], placeIn(STORY, 3))).toBeUndefined();
});

test("of paragraphs with the same words it is the nearest one", () => {
  const refrain = ["Lights out.", "One walks.", "Lights out.", "Two walk.", "Lights out."];
  const edited = ["Lights out.", "One walks.", "Lights out.", "Two walk."];

  expect(findMatch(parse(edited), placeIn(refrain, 4))).toMatchObject({ number: 2 });
  expect(findMatch(parse(refrain), placeIn(refrain, 4))).toMatchObject({ number: 4 });
});

/** 300 paragraphs, three of which say the same. */
const LONG = Array.from({ length: 300 }, (_, index) =>
  [10, 20, 280].includes(index) ? "“Yes,” she said." : `Paragraph ${index} tells of the sea.`,
);

test.each([10, 20, 280])(
  "whichever of three repeats is read, it is found after an edit to any other: the one at %i",
  (number) => {
    const others = [10, 20, 280].filter((other) => other !== number);
    for (const other of others) {
      const edited = LONG.with(other, "“No,” she said.");
      expect(findMatch(parse(edited), placeIn(LONG, number))?.number).toBe(number);

      const longer = ["A prologue.", "Another.", ...edited, "An epilogue."];
      expect(findMatch(parse(longer), placeIn(LONG, number))?.number).toBe(number + 2);

      const shorter = edited.toSpliced(1, 4);
      expect(findMatch(parse(shorter), placeIn(LONG, number))?.number).toBe(number - 4);
    }
  },
);

test("a long prologue does not make an earlier repeat of the one that is read", () => {
  const prologue = Array.from({ length: 250 }, (_, index) => `Prologue ${index} tells of salt.`);

  for (const number of [10, 20, 280]) {
    const match = findMatch(parse([...prologue, ...LONG]), placeIn(LONG, number));
    expect(match?.number).toBe(250 + number);
  }
});

test("any edits to other paragraphs leave the place on the same sentence", () => {
  // Few words, so that sentences repeat; a long beginning, so that they are alike.
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
        const keep = (_: string, index: number) =>
          !removed.some((one) => one % story.length === index);
        const edited = [
          ...(added?.before ?? []),
          ...story.slice(0, number).filter(keep),
          sentenceThere,
          ...story.slice(number + 1),
          ...(added?.after ?? []),
        ];

        const match = findMatch(parse(edited), placeIn(story, number, 0));

        expect(edited[match?.number ?? -1]).toBe(sentenceThere);
      },
    ),
    { numRuns: 300 },
  );
});

test("of repeats it is the very same one, whatever became of the words before it and of all behind it", () => {
  const line = fc.constantFrom("Yes.", "No.", "Lights out.", "The tide had been coming in.");
  const lines = fc.array(line, { minLength: 1, maxLength: 40 });

  fc.assert(
    fc.property(lines, lines, lines, fc.nat(), (story, others, behind, pick) => {
      const number = pick % story.length;
      const before = story.slice(0, number).map((one, index) => others[index] ?? one);
      const edited = [...before, story[number] ?? "", ...behind];

      expect(findMatch(parse(edited), placeIn(story, number, 2))).toMatchObject({
        number,
        offset: 2,
      });
    }),
    { numRuns: 300 },
  );
});

const at = (percent: number, time: number) => ({ ...placeIn(STORY, 1), percent, time });

test.each([
  ["only this device knows one", at(30, 1), undefined, 30, undefined],
  ["only the account knows one", undefined, at(30, 1), 30, undefined],
  ["the account's is later and further", at(30, 1), at(60, 2), 60, undefined],
  ["the account's is later and a little back", at(30, 1), at(26, 2), 26, undefined],
  ["the account's is later and far back", at(60, 1), at(20, 2), 60, 20],
  ["this device's is later and further", at(60, 2), at(30, 1), 60, undefined],
  ["this device's is later, the account's much further", at(20, 2), at(60, 1), 20, 60],
  ["this device's is later, the account's a little further", at(20, 2), at(24, 1), 20, undefined],
] as const)("where %s", (_, here, there, percent, otherPercent) => {
  const { place, other } = settlePlaces(here, there);

  expect(place?.percent).toBe(percent);
  expect(other?.percent).toBe(otherPercent);
});

test("without any place there is none", () => {
  expect(settlePlaces(undefined, undefined)).toEqual({ place: undefined, other: undefined });
});
