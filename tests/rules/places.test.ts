import { expect, test } from "vitest";

import { placeFieldsSchema } from "#app/schemas/place-schema.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { startFirebase, type TestFirebase } from "#tests/support/firebase.ts";

type Value = string | number | null;

interface Person {
  localId: string;
  idToken: string;
}

function call(
  { hosts }: TestFirebase,
  person: Person | null,
  method: string,
  path: string,
  fields?: Record<string, Value>,
) {
  const root = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/projects/${LOCAL_PROJECT_ID}`;
  const body = fields && {
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, toValue(value)]),
    ),
  };
  return fetch(`${root}/databases/(default)/documents/${path}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(person && { Authorization: `Bearer ${person.idToken}` }),
    },
    body: body && JSON.stringify(body),
  }).then(({ status }) => status);
}

function toValue(value: Value): object {
  if (value === null) return { nullValue: null };
  if (typeof value === "string") return { stringValue: value };
  return Number.isInteger(value) ? { integerValue: String(value) } : { doubleValue: value };
}

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

const pathOf = ({ localId }: Person) => `users/${localId}/places/salt`;

test("a place is its person's alone", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];

  expect(await call(firebase, ana, "PATCH", pathOf(ana), PLACE)).toBe(200);
  expect(await call(firebase, ana, "GET", pathOf(ana))).toBe(200);
  expect(await call(firebase, ana, "GET", `users/${ana.localId}/places`)).toBe(200);
  for (const other of [tomas, null]) {
    expect(await call(firebase, other, "PATCH", pathOf(ana), PLACE)).toBe(403);
    expect(await call(firebase, other, "GET", pathOf(ana))).toBe(403);
    expect(await call(firebase, other, "GET", `users/${ana.localId}/places`)).toBe(403);
    expect(await call(firebase, other, "DELETE", pathOf(ana))).toBe(403);
  }
  expect(await call(firebase, ana, "DELETE", pathOf(ana))).toBe(200);
});

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

test.each<[string, Record<string, Value>]>([
  ["a field too many", { story: "salt" }],
  ["a long title", { title: "x".repeat(200) }],
  ["too long a title", { title: "x".repeat(201) }],
  ["no title", { title: null }],
  ["a repeated paragraph", { paragraph: "p-1x2y3z-12" }],
  ["no paragraph of ours", { paragraph: "page" }],
  ["markup for a paragraph", { paragraph: 'p-1"><script>' }],
  ["a long beginning", { start: "x".repeat(80) }],
  ["too long a beginning", { start: "x".repeat(81) }],
  ["an offset before the beginning", { offset: -1 }],
  ["half an offset", { offset: 1.5 }],
  ["a number in words", { number: "two" }],
  ["all of it read", { percent: 100 }],
  ["more than all of it read", { percent: 101 }],
  ["less than no minutes", { minutesLeft: -1 }],
  ["no time", { time: null }],
])("rules and schema agree on a place with %s", async (_, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const fields = { ...PLACE, ...change };
  const isFine = placeFieldsSchema.safeParse(fields).success;

  expect(await call(firebase, ana, "PATCH", pathOf(ana), fields)).toBe(isFine ? 200 : 403);
});

test.each(Object.keys(PLACE))("a place without its %s is refused", async (name) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const fields = Object.fromEntries(Object.entries(PLACE).filter(([key]) => key !== name));

  expect(await call(firebase, ana, "PATCH", pathOf(ana), fields)).toBe(403);
});
