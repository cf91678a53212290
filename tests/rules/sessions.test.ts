import { expect, test } from "vitest";

import { listedSessionSchema } from "#app/schemas/listed-session-schema.ts";
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
  const entries = Object.entries(fields ?? {}).map(([name, value]) => [name, toValue(value)]);
  return fetch(`${root}/databases/(default)/documents/${path}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(person && { Authorization: `Bearer ${person.idToken}` }),
    },
    body: fields && JSON.stringify({ fields: Object.fromEntries(entries) }),
  }).then(({ status }) => status);
}

function toValue(value: Value): object {
  if (value === null) return { nullValue: null };
  if (typeof value === "string") return { stringValue: value };
  return Number.isInteger(value) ? { integerValue: String(value) } : { doubleValue: value };
}

const SESSION = { device: "Mozilla/5.0", signedInAt: 1000, seenAt: 2000 };
const ID = "a".repeat(20);

const pathOf = ({ localId }: Person, id = ID) => `users/${localId}/sessions/${id}`;

test("a list of sessions is its person's alone", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];

  expect(await call(firebase, ana, "PATCH", pathOf(ana), SESSION)).toBe(200);
  expect(await call(firebase, ana, "GET", pathOf(ana))).toBe(200);
  expect(await call(firebase, ana, "GET", `users/${ana.localId}/sessions`)).toBe(200);
  for (const other of [tomas, null]) {
    expect(await call(firebase, other, "PATCH", pathOf(ana, "b".repeat(20)), SESSION)).toBe(403);
    expect(await call(firebase, other, "GET", pathOf(ana))).toBe(403);
    expect(await call(firebase, other, "GET", `users/${ana.localId}/sessions`)).toBe(403);
    expect(await call(firebase, other, "DELETE", pathOf(ana))).toBe(403);
  }
  expect(await call(firebase, ana, "DELETE", pathOf(ana))).toBe(200);
  expect(await call(firebase, ana, "GET", pathOf(ana))).toBe(404);
});

test.each<[string, Record<string, Value>, number]>([
  ["that it was seen later", { seenAt: 3000 }, 200],
  ["that it was seen earlier", { seenAt: 1500 }, 403],
  ["another device", { device: "Another" }, 403],
  ["another beginning", { signedInAt: 1500 }, 403],
])("of a session can be noted %s: %j gets %i", async (_what, change, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  await call(firebase, ana, "PATCH", pathOf(ana), SESSION);

  const fields = { ...SESSION, ...change };
  expect(await call(firebase, ana, "PATCH", pathOf(ana), fields)).toBe(status);
});

test.each<[string, Record<string, Value>]>([
  ["nothing unusual", {}],
  ["a field too many", { place: "Lisbon" }],
  ["no device", { device: "" }],
  ["a device that is none", { device: null }],
  ["a long device", { device: "x".repeat(300) }],
  ["too long a device", { device: "x".repeat(301) }],
  ["half a time", { signedInAt: 1.5 }],
  ["a time before all times", { signedInAt: -1 }],
  ["no time", { seenAt: null }],
])("rules and schema agree on a session with %s", async (_what, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const fields = { ...SESSION, ...change };
  const isFine = listedSessionSchema.safeParse(fields).success;

  expect(await call(firebase, ana, "PATCH", pathOf(ana), fields)).toBe(isFine ? 200 : 403);
});

test.each(Object.keys(SESSION))("a session without its %s is refused", async (name) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const fields = Object.fromEntries(Object.entries(SESSION).filter(([key]) => key !== name));

  expect(await call(firebase, ana, "PATCH", pathOf(ana), fields)).toBe(403);
});

test("a session from the future, one seen before it began, and one of another name are refused", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const future = { ...SESSION, seenAt: Date.now() + 120_000 };

  expect(await call(firebase, ana, "PATCH", pathOf(ana), future)).toBe(403);
  expect(await call(firebase, ana, "PATCH", pathOf(ana), { ...SESSION, seenAt: 999 })).toBe(403);
  expect(await call(firebase, ana, "PATCH", pathOf(ana, "short"), SESSION)).toBe(403);
});
