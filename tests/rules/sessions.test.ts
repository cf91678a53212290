import { expect, test } from "vitest";

import { listedSessionSchema } from "#app/session/session-record-schema.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { describeFields, describeOwner, type OwnDocument } from "./own-documents.ts";
import { call, type Fields } from "./requests.ts";

const SESSION = { device: "Mozilla/5.0", signedInAt: 1000, seenAt: 2000 };
const ID = "a".repeat(20);

const SESSIONS = {
  what: "a session on the list",
  collection: "sessions",
  ids: [ID, "b".repeat(20)],
  fields: SESSION,
  schema: listedSessionSchema,
} satisfies OwnDocument;

const pathOf = ({ localId }: { localId: string }, id = ID) => `users/${localId}/sessions/${id}`;

describeOwner(SESSIONS);

test.each<[string, Fields, number]>([
  ["that it was seen later", { seenAt: 3000 }, 200],
  ["that it was seen earlier", { seenAt: 1500 }, 403],
  ["half a time", { seenAt: 2000.5 }, 403],
  ["a field more", { place: "Lisbon" }, 403],
  ["another device", { device: "Another" }, 403],
  ["another beginning", { signedInAt: 1500 }, 403],
])("of a session can be noted %s: %j gets %i", async (_what, change, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  await call(firebase, ana, "PATCH", pathOf(ana), SESSION);

  const fields = { ...SESSION, ...change };
  expect(await call(firebase, ana, "PATCH", pathOf(ana), fields)).toBe(status);
});

describeFields(SESSIONS, [
  ["nothing unusual", {}],
  ["a field too many", { place: "Lisbon" }],
  ["no device", { device: "" }],
  ["a device that is none", { device: null }],
  ["a long device", { device: "x".repeat(300) }],
  ["too long a device", { device: "x".repeat(301) }],
  ["a list for a device", { device: ["Mozilla/5.0"] }],
  ["half a time", { signedInAt: 1.5 }],
  ["half a time later", { seenAt: 2000.5 }],
  ["a time before all times", { signedInAt: -1 }],
  ["no time", { seenAt: null }],
]);

test("a session from the future, one seen before it began, and one of another name are refused", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const future = { ...SESSION, seenAt: Date.now() + 120_000 };

  expect(await call(firebase, ana, "PATCH", pathOf(ana), future)).toBe(403);
  expect(await call(firebase, ana, "PATCH", pathOf(ana), { ...SESSION, seenAt: 999 })).toBe(403);
  expect(await call(firebase, ana, "PATCH", pathOf(ana, "short"), SESSION)).toBe(403);
});
