import { expect, test } from "vitest";

import { listedSessionSchema } from "#app/session/session-record-schema.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { createCustomToken, signInToFirebase } from "#tests/support/page-token.ts";
import { createDraft } from "./draft-documents.ts";
import { describeFields, describeOwner, type OwnDocument } from "./own-documents.ts";
import { call, commit, list, type Fields } from "./requests.ts";

const SESSION = { device: "Mozilla/5.0", signedInAt: 1000, seenAt: 2000 };
const ID = "a".repeat(20);

const SESSIONS = {
  what: "a session record",
  collection: "sessions",
  ids: [ID, "b".repeat(20)],
  fields: SESSION,
  schema: listedSessionSchema,
} satisfies OwnDocument;

const getSessionPath = ({ localId }: { localId: string }, id = ID) =>
  `users/${localId}/sessions/${id}`;

describeOwner(SESSIONS);

test.each<[string, Fields, number]>([
  ["a later use", { seenAt: 3000 }, 200],
  ["an earlier use", { seenAt: 1500 }, 403],
  ["a fraction of a time", { seenAt: 2000.5 }, 403],
  ["an unknown field", { place: "Lisbon" }, 403],
  ["another device", { device: "Another" }, 403],
  ["another sign-in time", { signedInAt: 1500 }, 403],
])("updates a session record with %s: %j gets %i", async (_what, change, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  await call(firebase, ana, "PATCH", getSessionPath(ana), SESSION);

  const fields = { ...SESSION, ...change };
  expect(await call(firebase, ana, "PATCH", getSessionPath(ana), fields)).toBe(status);
});

describeFields(SESSIONS, [
  ["valid fields", {}],
  ["an unknown field", { place: "Lisbon" }],
  ["no device", { device: "" }],
  ["null for a device", { device: null }],
  ["a long device", { device: "x".repeat(300) }],
  ["a device that is too long", { device: "x".repeat(301) }],
  ["a list for a device", { device: ["Mozilla/5.0"] }],
  ["a fraction of a time", { signedInAt: 1.5 }],
  ["a fraction of a later time", { seenAt: 2000.5 }],
  ["the earliest time", { signedInAt: 0 }],
  ["no use since the sign-in", { seenAt: SESSION.signedInAt }],
  ["a negative time", { signedInAt: -1 }],
  ["no time", { seenAt: null }],
]);

test("rejects a session record with an invalid id or an impossible time", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const future = { ...SESSION, seenAt: Date.now() + 120_000 };

  expect(await call(firebase, ana, "PATCH", getSessionPath(ana), future)).toBe(403);
  // The app's clock may be ahead of the database's.
  const ahead = { ...SESSION, seenAt: Date.now() + 30_000 };
  expect(await call(firebase, ana, "PATCH", getSessionPath(ana, "b".repeat(20)), ahead)).toBe(200);
  expect(await call(firebase, ana, "PATCH", getSessionPath(ana), { ...SESSION, seenAt: 999 })).toBe(
    403,
  );
  expect(await call(firebase, ana, "PATCH", getSessionPath(ana, "short"), SESSION)).toBe(403);
});

test("a page can read its user's drafts and positions only while its session is listed", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const openPage = (user: { localId: string }, session?: string) =>
    signInToFirebase(
      { firebase },
      createCustomToken(user.localId, session ? { session, slot: "aa" } : undefined),
    );
  const draft = createDraft(ana);
  expect(await commit(firebase, ana, draft)).toBe(200);
  expect(await call(firebase, ana, "PATCH", getSessionPath(ana), SESSION)).toBe(200);
  expect(await call(firebase, tomas, "PATCH", getSessionPath(tomas), SESSION)).toBe(200);
  const own = [draft.path, `users/${ana.localId}/places/salt`];
  const lists = ["drafts", "places", "sessions", "reads"].map(
    (name) => `users/${ana.localId}/${name}`,
  );
  const page = await openPage(ana, ID);

  for (const path of own) expect(await call(firebase, page, "GET", path)).not.toBe(403);
  for (const other of [
    await openPage(ana, "b".repeat(20)),
    await openPage(ana),
    await openPage(tomas, ID),
  ]) {
    for (const path of own) expect(await call(firebase, other, "GET", path)).toBe(403);
  }
  for (const path of lists) expect(await list(firebase, page, { path, limit: 1 })).toBe(403);
  expect(await call(firebase, page, "GET", getSessionPath(ana))).toBe(403);
  expect(await call(firebase, page, "GET", `${draft.path}/parts/0`)).toBe(403);
  expect(await call(firebase, page, "DELETE", draft.path)).toBe(403);
  expect(
    await call(firebase, page, "PATCH", getSessionPath(ana), { ...SESSION, seenAt: 3000 }),
  ).toBe(403);
  expect(await call(firebase, page, "PATCH", getSessionPath(ana, "c".repeat(20)), SESSION)).toBe(
    403,
  );
  expect(await call(firebase, page, "DELETE", getSessionPath(ana))).toBe(403);

  expect(await call(firebase, ana, "DELETE", getSessionPath(ana))).toBe(200);

  for (const path of own) expect(await call(firebase, page, "GET", path)).toBe(403);
  expect(await call(firebase, page, "PATCH", getSessionPath(ana), SESSION)).toBe(403);
});
