import { expect, test } from "vitest";

import { placeFieldsSchema } from "#app/reading/position-schema.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { describeFields, describeOwner, type OwnDocument } from "./own-documents.ts";
import { call } from "./requests.ts";

const PLACE = {
  title: "Salt",
  paragraph: "p-1x2y3z",
  start: "The tide",
  offset: 3,
  number: 2,
  percent: 40,
  minutesLeft: 2,
  time: 1000,
};

const PLACES = {
  what: "a place",
  collection: "places",
  ids: ["salt", "sand"],
  fields: PLACE,
  schema: placeFieldsSchema,
} satisfies OwnDocument;

const pathOf = ({ localId }: { localId: string }) => `users/${localId}/places/salt`;

describeOwner(PLACES);

test("a place gives way to a later one only", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  const times = [5000, 4999, 5000, 6000];
  const answers: number[] = [];
  for (const time of times) {
    answers.push(await call(firebase, ana, "PATCH", pathOf(ana), { ...PLACE, time }));
  }

  expect(answers).toEqual([200, 403, 200, 200]);
});

test("a place from the future is refused", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const time = Date.now() + 120_000;

  expect(await call(firebase, ana, "PATCH", pathOf(ana), { ...PLACE, time })).toBe(403);
});

describeFields(PLACES, [
  ["a field too many", { story: "salt" }],
  ["a long title", { title: "x".repeat(200) }],
  ["too long a title", { title: "x".repeat(201) }],
  ["no title", { title: null }],
  ["a list for a title", { title: ["Salt"] }],
  ["a list for a beginning", { start: ["The tide"] }],
  ["a repeated paragraph", { paragraph: "p-1x2y3z-12" }],
  ["no paragraph of ours", { paragraph: "page" }],
  ["markup for a paragraph", { paragraph: 'p-1"><script>' }],
  ["a long beginning", { start: "x".repeat(80) }],
  ["too long a beginning", { start: "x".repeat(81) }],
  ["an offset before the beginning", { offset: -1 }],
  ["half an offset", { offset: 1.5 }],
  ["a number in words", { number: "two" }],
  ["half a number", { number: 2.5 }],
  ["a number before the first", { number: -1 }],
  ["half a percent", { percent: 40.5 }],
  ["less than nothing read", { percent: -1 }],
  ["half a minute", { minutesLeft: 2.5 }],
  ["half a time", { time: 1000.5 }],
  ["a time before all times", { time: -1 }],
  ["all of it read", { percent: 100 }],
  ["more than all of it read", { percent: 101 }],
  ["less than no minutes", { minutesLeft: -1 }],
  ["no time", { time: null }],
]);

test("a place does not become something else later", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  expect(await call(firebase, ana, "PATCH", pathOf(ana), PLACE)).toBe(200);

  const changed = { ...PLACE, time: 2000, percent: 101 };
  expect(await call(firebase, ana, "PATCH", pathOf(ana), changed)).toBe(403);
});
