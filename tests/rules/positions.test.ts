import { expect, test } from "vitest";

import { positionFieldsSchema } from "#app/stories/positions/position-schema.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { describeFields, describeOwner, type OwnDocument } from "./own-documents.ts";
import { call } from "./requests.ts";

const POSITION = {
  title: "Salt",
  paragraph: "p-1x2y3z",
  start: "The tide",
  offset: 3,
  number: 2,
  percent: 40,
  minutesLeft: 2,
  time: 1000,
};

const POSITIONS = {
  what: "a reading position",
  collection: "places",
  ids: ["salt", "sand"],
  fields: POSITION,
  schema: positionFieldsSchema,
} satisfies OwnDocument;

const getPositionPath = ({ localId }: { localId: string }) => `users/${localId}/places/salt`;

describeOwner(POSITIONS);

test("only a later reading position replaces another", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  const times = [5000, 4999, 5000, 6000];
  const statuses: number[] = [];
  for (const time of times) {
    statuses.push(await call(firebase, ana, "PATCH", getPositionPath(ana), { ...POSITION, time }));
  }

  expect(statuses).toEqual([200, 403, 200, 200]);
});

test("accepts a reading position half a minute in the future, but not two minutes", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  const statuses: number[] = [];
  for (const ahead of [120_000, 30_000]) {
    const fields = { ...POSITION, time: Date.now() + ahead };
    statuses.push(await call(firebase, ana, "PATCH", getPositionPath(ana), fields));
  }

  expect(statuses).toEqual([403, 200]);
});

describeFields(POSITIONS, [
  ["an unknown field", { story: "salt" }],
  ["a long title", { title: "x".repeat(200) }],
  ["a title that is too long", { title: "x".repeat(201) }],
  ["no title", { title: null }],
  ["a list for a title", { title: ["Salt"] }],
  ["a list for a start", { start: ["The tide"] }],
  ["a repeated paragraph", { paragraph: "p-1x2y3z-12" }],
  ["an invalid paragraph id", { paragraph: "page" }],
  ["markup in the paragraph id", { paragraph: 'p-1"><script>' }],
  ["a long start", { start: "x".repeat(80) }],
  ["a start that is too long", { start: "x".repeat(81) }],
  ["a negative offset", { offset: -1 }],
  ["a fraction of an offset", { offset: 1.5 }],
  ["a number that is a string", { number: "two" }],
  ["a fraction of a number", { number: 2.5 }],
  ["a negative number", { number: -1 }],
  ["a fraction of a percent", { percent: 40.5 }],
  ["a negative percentage", { percent: -1 }],
  ["a fraction of a minute", { minutesLeft: 2.5 }],
  ["a fraction of a time", { time: 1000.5 }],
  ["a negative time", { time: -1 }],
  ["the start of a story", { offset: 0, number: 0, percent: 0 }],
  ["the last minute of a story", { minutesLeft: 0 }],
  ["100 percent", { percent: 100 }],
  ["101 percent", { percent: 101 }],
  ["negative minutes", { minutesLeft: -1 }],
  ["no time", { time: null }],
]);

test("rejects an invalid update of a reading position", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  expect(await call(firebase, ana, "PATCH", getPositionPath(ana), POSITION)).toBe(200);

  const changed = { ...POSITION, time: 2000, percent: 101 };
  expect(await call(firebase, ana, "PATCH", getPositionPath(ana), changed)).toBe(403);
});
