import { expect, test } from "vitest";
import * as z from "zod";

import { MAX_REASON_LENGTH } from "#app/chat/moderation/mute.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { PreciseDate } from "#app/firebase/firestore.server.ts";
import { MAX_REPORTS_A_DAY } from "#app/session/rate-record.server.ts";
import { changeDocument, readDocument } from "#tests/support/documents.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import { createCustomToken, signInToFirebase } from "#tests/support/page-token.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { publishStory } from "#tests/support/stories.ts";
import {
  call,
  commit,
  createRecord,
  list,
  type Change,
  type Fields,
  type TestUser,
} from "./requests.ts";

const ID = "a".repeat(20);
const MESSAGE = `rooms/general/messages/${ID}`;
const STORY = "the-salt-road-0123456789";
const REASON = "Spam or advertising";
const LATER = new Date(Date.now() + 60 * 60_000);

/** Olga is an operator. Ana has sent a message. */
async function startRoom() {
  const firebase = await startFirebase();
  const [ana, tomas, olga] = [
    await firebase.addAccount(),
    await firebase.addAccount(),
    await firebase.addAccount({ isOperator: true }),
  ];
  expect(await send(firebase, ana, ID)).toBe(200);
  return {
    firebase,
    ana,
    tomas,
    olga,
    [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose](),
  };
}

type Room = Awaited<ReturnType<typeof startRoom>>;

function createMessage({ localId }: Pick<TestAccount, "localId">, id: string): Change {
  return {
    path: `rooms/general/messages/${id}`,
    fields: { text: "Hello", uid: localId, displayName: "Anonymous", photoURL: null },
    times: ["createdAt"],
  };
}

async function send(
  firebase: TestFirebase,
  user: Pick<TestAccount, "localId" | "idToken">,
  id = createDocumentId(),
): Promise<number> {
  const record = await createRecord(firebase, user, "messages", id);
  return commit(firebase, user, createMessage(user, id), record);
}

/** Returns a report of Ana's message. */
async function createReport(
  { firebase, ana }: Room,
  reporter: TestAccount,
): Promise<Required<Change>> {
  const { createdAt } = z
    .object({ createdAt: z.object({ timestampValue: z.string() }) })
    .parse(await readDocument(firebase.hosts, MESSAGE));
  return {
    path: `reports/${ID}_${reporter.localId}`,
    fields: {
      reporter: reporter.localId,
      reporterName: "Anonymous",
      messageId: ID,
      sender: ana.localId,
      senderName: "Anonymous",
      sentAt: PreciseDate.fromTimestamp(createdAt.timestampValue),
      text: "Hello",
      reason: REASON,
    },
    times: ["createdAt"],
  };
}

async function report(room: Room, user: TestAccount, change: Partial<Change> = {}) {
  const record = await createRecord(room.firebase, user, "reports", ID);
  return commit(room.firebase, user, { ...(await createReport(room, user)), ...change }, record);
}

/** Returns the entry of an operator's action in the log, and the rate record that names it. */
async function createEntry(firebase: TestFirebase, operator: TestAccount, fields: Fields) {
  const id = createDocumentId();
  const entry: Required<Change> = {
    path: `moderation/${id}`,
    fields: {
      by: operator.localId,
      byName: "Anonymous",
      name: "Anonymous",
      reason: REASON,
      until: null,
      ...fields,
    },
    times: ["at"],
  };
  return [entry, await createRecord(firebase, operator, "moderation", id)] as const;
}

function createMute(uid: string, change: Fields = {}): Required<Change> {
  const fields = { name: "Anonymous", until: LATER, reason: REASON, appeal: null, ...change };
  return { path: `mutes/${uid}`, fields, times: ["at"] };
}

async function mute(
  { firebase, olga }: Room,
  { localId: person }: TestAccount,
  change: Fields = {},
  logged: Fields = {},
): Promise<number> {
  const action = { action: "mute", target: ID, person, until: LATER, ...logged };
  const entry = await createEntry(firebase, olga, action);
  return commit(firebase, olga, createMute(person, change), ...entry);
}

/** Returns a page of the user, whose session has not ended. */
async function openPage(firebase: TestFirebase, user: TestAccount) {
  const session = "s".repeat(20);
  const fields = { device: "", signedInAt: 0, seenAt: 0 };
  await call(firebase, user, "PATCH", `users/${user.localId}/sessions/${session}`, fields);
  return signInToFirebase(
    { firebase },
    createCustomToken(user.localId, { session, slot: session.slice(0, 2) }),
  );
}

test("a user can report a message once, and only operators read the report", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  const { path, fields } = await createReport(room, tomas);

  expect(await report(room, tomas)).toBe(200);
  expect(await report(room, tomas)).toBe(403);
  const pageOfOlga = await openPage(firebase, olga);
  for (const user of [tomas, ana, null, pageOfOlga] satisfies TestUser[]) {
    expect(await call(firebase, user, "GET", path)).toBe(403);
    expect(await list(firebase, user, { path: "reports", limit: 10 })).toBe(403);
    expect(await call(firebase, user, "PATCH", path, fields)).toBe(403);
    expect(await call(firebase, user, "DELETE", path)).toBe(403);
  }
  expect(await list(firebase, olga, { path: "reports", limit: 200 })).toBe(200);
  expect(await list(firebase, olga, { path: "reports", limit: 201 })).toBe(403);
  expect(await list(firebase, olga, { path: "reports" })).toBe(403);
  expect(await call(firebase, olga, "PATCH", path, fields)).toBe(403);
  expect(await call(firebase, olga, "DELETE", path), "unlogged").toBe(403);
});

test.each<[string, Fields, string?]>([
  ["without a reason", { reason: "" }],
  ["with a reason of 501 characters", { reason: "x".repeat(501) }],
  ["with a number for a reason", { reason: 5 }],
  ["with another text", { text: "I never said that" }],
  ["with another sender", { sender: "someone" }],
  ["with another name of the sender", { senderName: "Someone" }],
  ["with another name of the reporter", { reporterName: "Someone" }],
  ["with another time of the message", { sentAt: new Date() }],
  ["of a missing message", { messageId: "b".repeat(20) }, "missing"],
  ["of a path", { messageId: "../x" }],
  ["with an unknown field", { mood: "bad" }],
  ["under another id", {}, "another"],
])("rejects a report %s", async (_what, change, id) => {
  await using room = await startRoom();
  const { tomas } = room;
  const { path, fields } = await createReport(room, tomas);
  const paths: Record<string, string> = {
    another: "reports/another",
    missing: `reports/${"b".repeat(20)}_${tomas.localId}`,
  };

  const changed = { path: paths[id ?? ""] ?? path, fields: { ...fields, ...change } };
  expect(await report(room, tomas, changed)).toBe(403);
});

test("rejects a report by a visitor, for another user, or about the user's own message", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const { fields, ...rest } = await createReport(room, tomas);
  const record = await createRecord(firebase, tomas, "reports", ID);
  const own = {
    path: `reports/${ID}_${ana.localId}`,
    fields: { ...fields, reporter: ana.localId },
  };

  expect(await commit(firebase, null, { ...rest, fields }, record)).toBe(403);
  expect(await report(room, ana, { ...rest, fields })).toBe(403);
  expect(await report(room, ana, own)).toBe(403);
  const timed = { fields: { ...fields, createdAt: LATER }, times: [] };
  expect(await report(room, tomas, timed)).toBe(403);
  expect(await report(room, tomas, { times: [] })).toBe(403);
});

test("a user can send as many reports in a day as their record says, each with the record", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const hour = 60 * 60_000;
  const ages = Array.from({ length: MAX_REPORTS_A_DAY }, (_, index) => (23 - index) * hour);
  const created = await createReport(room, tomas);
  const ofAnother = await createRecord(firebase, tomas, "reports", "b".repeat(20));

  expect(await commit(firebase, tomas, created), "without a record").toBe(403);
  expect(await commit(firebase, tomas, created, ofAnother)).toBe(403);
  await setRateRecord(firebase.hosts, tomas.localId, "reports", ages);
  expect(await report(room, tomas)).toBe(403);
  const path = `users/${tomas.localId}/limits/reports`;
  expect(await call(firebase, tomas, "DELETE", path), "to start over").toBe(403);
  await setRateRecord(firebase.hosts, tomas.localId, "reports", [24.1 * hour, ...ages.slice(1)]);
  expect(await report(room, tomas)).toBe(200);
  const only = await createRecord(firebase, ana, "reports", ID);
  expect(await commit(firebase, ana, only), "a record without a report").toBe(403);
});

test("an operator deletes a message with all that belongs to it, and the log says so", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  expect(await report(room, tomas)).toBe(200);
  const edit = { path: `rooms/general/edits/${ID}`, fields: { uid: ana.localId } };
  const rate = await createRecord(firebase, ana, "messages", ID);
  const text = { path: MESSAGE, fields: { text: "Hello there" } };
  expect(await commit(firebase, ana, text, { ...edit, times: ["editedAt"] }, rate)).toBe(200);
  const topic = { uid: { stringValue: ana.localId } };
  await changeDocument(firebase.hosts, `rooms/general/topics/${ID}`, topic);
  await changeDocument(firebase.hosts, `users/${tomas.localId}/answers/${ID}`, {
    from: { stringValue: ana.localId },
  });
  const paths = [
    MESSAGE,
    `users/${tomas.localId}/answers/${ID}`,
    edit.path,
    `rooms/general/topics/${ID}`,
    `reports/${ID}_${tomas.localId}`,
  ];
  const deletions = paths.map((path) => ({ path }));
  const action = { action: "delete", target: ID, person: ana.localId };
  const attempt = async (operator: TestAccount, fields: Fields, user: TestUser = operator) =>
    commit(firebase, user, ...deletions, ...(await createEntry(firebase, operator, fields)));

  expect(await commit(firebase, olga, ...deletions), "unlogged").toBe(403);
  const [entry, record] = await createEntry(firebase, olga, action);
  expect(await commit(firebase, olga, ...deletions, entry), "without the record").toBe(403);
  expect(await commit(firebase, olga, ...deletions, record), "without the entry").toBe(403);
  expect(await attempt(olga, { ...action, action: "dismiss" })).toBe(403);
  expect(await attempt(olga, { ...action, target: "b".repeat(20) })).toBe(403);
  expect(await attempt(olga, { ...action, person: tomas.localId })).toBe(403);
  expect(await attempt(tomas, action), "not an operator").toBe(403);
  expect(await attempt(olga, action, await openPage(firebase, olga)), "a page's token").toBe(403);
  expect(await attempt(olga, action)).toBe(200);
  for (const path of paths) {
    expect(await readDocument(firebase.hosts, path)).toMatchObject({ error: { code: 404 } });
  }
});

test("what is left of other messages with the same id goes with the message and its reports", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  const others = { uid: { stringValue: "other" }, from: { stringValue: "other" } };
  const paths = [
    `users/${tomas.localId}/answers/${ID}`,
    `rooms/general/edits/${ID}`,
    `rooms/general/topics/${ID}`,
  ];
  for (const path of paths) await changeDocument(firebase.hosts, path, others);
  const report = `reports/${ID}_other`;
  await changeDocument(firebase.hosts, report, {
    messageId: { stringValue: ID },
    sender: { stringValue: "other" },
  });
  const action = { action: "delete", target: ID, person: ana.localId };
  const entry = await createEntry(firebase, olga, action);
  const deletions = [MESSAGE, ...paths, report].map((path) => ({ path }));

  expect(await commit(firebase, olga, ...deletions, ...entry)).toBe(200);
});

test("an entry that was logged before allows nothing now", async () => {
  await using room = await startRoom();
  const { firebase, ana, olga } = room;
  const action = { action: "delete", target: ID, person: ana.localId };
  const entry = await createEntry(firebase, olga, action);

  expect(await commit(firebase, olga, ...entry)).toBe(200);
  expect(await commit(firebase, olga, { path: MESSAGE })).toBe(403);
});

test("an operator closes the reports of a message, but none about themselves", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  const path = `reports/${ID}_${tomas.localId}`;
  expect(await report(room, tomas)).toBe(200);
  const dismiss = async (person: string) => {
    const action = { action: "dismiss", target: ID, person };
    return commit(firebase, olga, { path }, ...(await createEntry(firebase, olga, action)));
  };

  await changeDocument(firebase.hosts, path, { sender: { stringValue: olga.localId } });
  expect(await dismiss(olga.localId)).toBe(403);
  await changeDocument(firebase.hosts, path, { sender: { stringValue: ana.localId } });
  expect(await dismiss(ana.localId)).toBe(200);
});

test("closes 200 reports of a message in one commit", async () => {
  await using room = await startRoom();
  const { firebase, ana, olga } = room;
  const paths = Array.from({ length: 200 }, (_, index) => `reports/${ID}_${index}`);
  for (const path of paths) {
    await changeDocument(firebase.hosts, path, {
      messageId: { stringValue: ID },
      sender: { stringValue: ana.localId },
    });
  }
  const action = { action: "dismiss", target: ID, person: ana.localId };
  const entry = await createEntry(firebase, olga, action);

  expect(await commit(firebase, olga, ...paths.map((path) => ({ path })), ...entry)).toBe(200);
});

test("nobody changes or forges the log, and only operators read it", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  const action = { action: "dismiss", target: ID, person: ana.localId };
  const [entry, record] = await createEntry(firebase, olga, action);
  expect(await commit(firebase, olga, entry, record)).toBe(200);

  for (const user of [olga, ana, null]) {
    expect(await call(firebase, user, "PATCH", entry.path, { reason: "Nothing" })).toBe(403);
    expect(await call(firebase, user, "DELETE", entry.path)).toBe(403);
    const expected = user === olga ? 200 : 403;
    expect(await list(firebase, user, { path: "moderation", limit: 100 })).toBe(expected);
  }
  expect(await list(firebase, olga, { path: "moderation", limit: 101 })).toBe(403);
  const attempt = async (user: TestAccount, fields: Fields, times?: string[]) => {
    const [created, next] = await createEntry(firebase, user, { ...action, ...fields });
    return commit(firebase, user, { ...created, ...(times && { times }) }, next);
  };
  expect(await attempt(tomas, {}), "not an operator").toBe(403);
  expect(await attempt(olga, { by: tomas.localId }), "for another operator").toBe(403);
  expect(await attempt(olga, { byName: "Tomas" }), "under another name").toBe(403);
  expect(await attempt(olga, { action: "praise" })).toBe(403);
  expect(await attempt(olga, { mood: "bad" })).toBe(403);
  expect(await attempt(olga, { reason: "x".repeat(MAX_REASON_LENGTH + 1) })).toBe(403);
  expect(await attempt(olga, { at: new Date() }, []), "at another time").toBe(403);
  expect(await attempt(olga, {})).toBe(200);
});

test("an entry of the log has texts of a bounded length", async () => {
  await using room = await startRoom();
  const { firebase, ana, olga } = room;
  const longest = {
    target: "t".repeat(128),
    person: "p".repeat(128),
    name: "n".repeat(80),
    reason: "r".repeat(MAX_REASON_LENGTH),
  };
  const log = async (fields: Fields) => {
    const action = { action: "dismiss", target: ID, person: ana.localId, ...fields };
    return commit(firebase, olga, ...(await createEntry(firebase, olga, action)));
  };

  expect(await log(longest)).toBe(200);
  for (const [name, text] of Object.entries(longest)) {
    expect([name, await log({ [name]: `${text}x` })]).toEqual([name, 403]);
    expect([name, await log({ [name]: 5 })]).toEqual([name, 403]);
  }
});

test("an operator's actions are limited", async () => {
  await using room = await startRoom();
  const { firebase, ana, olga } = room;
  const ages = Array.from({ length: 30 }, (_, index) => (50 - index) * 1000);
  await setRateRecord(firebase.hosts, olga.localId, "moderation", ages);
  const action = { action: "dismiss", target: ID, person: ana.localId };

  expect(await commit(firebase, olga, ...(await createEntry(firebase, olga, action)))).toBe(403);
});

test("a muted user can't post or edit, with any token, until the mute ends or is lifted", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  const edit = async (user: TestUser) => {
    const mark = { path: `rooms/general/edits/${ID}`, fields: { uid: ana.localId } };
    const text = { path: MESSAGE, fields: { text: `Hello ${createDocumentId()}` } };
    const rate = await createRecord(firebase, ana, "messages", ID);
    return commit(firebase, user, text, { ...mark, times: ["editedAt"] }, rate);
  };
  const page = await openPage(firebase, ana);
  expect(await edit(ana)).toBe(200);

  expect(await mute(room, ana)).toBe(200);
  expect(await send(firebase, ana)).toBe(403);
  expect(await edit(ana)).toBe(403);
  expect(await send(firebase, page), "a page's token").toBe(403);
  const { idToken } = await signInAgain(firebase, ana);
  expect(await send(firebase, { ...ana, idToken }), "a second sign-in").toBe(403);
  expect(await send(firebase, tomas), "others").toBe(200);
  expect(await call(firebase, ana, "DELETE", MESSAGE), "they delete their own").toBe(200);
  const past = { timestampValue: new Date(Date.now() - 1000).toISOString() };
  await changeDocument(firebase.hosts, `mutes/${ana.localId}`, { until: past });
  expect(await send(firebase, ana), "after its end").toBe(200);

  expect(await mute(room, ana)).toBe(200);
  expect(await send(firebase, ana)).toBe(403);
  const lift = { action: "lift", target: ana.localId, person: ana.localId };
  const unmuted = { path: `mutes/${ana.localId}` };
  expect(await commit(firebase, olga, unmuted), "unlogged").toBe(403);
  expect(await commit(firebase, olga, unmuted, ...(await createEntry(firebase, olga, lift)))).toBe(
    200,
  );
  expect(await send(firebase, ana)).toBe(200);
});

test("only operators mute, with an entry that says the same, and never themselves", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  const action = { action: "mute", target: ID, person: ana.localId, until: LATER };
  const entryOfTomas = await createEntry(firebase, tomas, action);

  expect(await commit(firebase, tomas, createMute(ana.localId), ...entryOfTomas)).toBe(403);
  expect(await commit(firebase, olga, createMute(ana.localId)), "unlogged").toBe(403);
  expect(await mute(room, olga), "themselves").toBe(403);
  expect(await mute(room, ana, {}, { person: tomas.localId })).toBe(403);
  expect(await mute(room, ana, {}, { action: "lift" })).toBe(403);
  expect(await mute(room, ana, {}, { until: new Date() })).toBe(403);
  expect(await mute(room, ana, {}, { reason: "Nothing" })).toBe(403);
  expect(await mute(room, ana, {}, { name: "Someone" })).toBe(403);
  expect(await mute(room, ana, { until: null }, { until: null })).toBe(403);
  expect(await mute(room, ana, { reason: "" }, { reason: "" })).toBe(403);
  expect(await mute(room, ana, { appeal: "Please" })).toBe(403);
  expect(await mute(room, ana, { mood: "bad" })).toBe(403);
  expect(await mute(room, ana)).toBe(200);
  expect(await mute(room, ana), "again").toBe(200);
});

test("a muted user reads their own mute, and can't change or lift it", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  const path = `mutes/${ana.localId}`;
  expect(await mute(room, ana)).toBe(200);

  expect(await call(firebase, ana, "GET", path)).toBe(200);
  expect(await call(firebase, olga, "GET", path)).toBe(200);
  expect(await list(firebase, olga, { path: "mutes", limit: 100 })).toBe(200);
  expect(await list(firebase, olga, { path: "mutes", limit: 101 })).toBe(403);
  for (const user of [tomas, null]) expect(await call(firebase, user, "GET", path)).toBe(403);
  expect(await list(firebase, ana, { path: "mutes", limit: 100 })).toBe(403);
  expect(await call(firebase, ana, "PATCH", path, { until: new Date(0) })).toBe(403);
  expect(await call(firebase, ana, "DELETE", path)).toBe(403);
  const lift = { action: "lift", target: ana.localId, person: ana.localId };
  const entry = await createEntry(firebase, ana, lift);
  expect(await commit(firebase, ana, { path }, ...entry)).toBe(403);
});

test("a muted operator does not lift their own mute", async () => {
  await using room = await startRoom();
  const { firebase } = room;
  const wren = await firebase.addAccount({ isOperator: true });
  expect(await mute(room, wren)).toBe(200);

  const lift = { action: "lift", target: wren.localId, person: wren.localId };
  const entry = await createEntry(firebase, wren, lift);
  expect(await commit(firebase, wren, { path: `mutes/${wren.localId}` }, ...entry)).toBe(403);
});

test("a muted user asks once to post again, and for another mute once more", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const ask = (user: TestUser, fields: Fields) =>
    commit(firebase, user, { path: `mutes/${ana.localId}`, fields });
  expect(await ask(ana, { appeal: "Please" }), "before it").toBe(403);
  expect(await mute(room, ana)).toBe(200);

  expect(await ask(tomas, { appeal: "Please" })).toBe(403);
  expect(await ask(ana, { appeal: " " })).toBe(403);
  expect(await ask(ana, { appeal: "x".repeat(MAX_REASON_LENGTH + 1) })).toBe(403);
  expect(await ask(ana, { appeal: "Please", reason: "Nothing" })).toBe(403);
  expect(await ask(ana, { appeal: "x".repeat(MAX_REASON_LENGTH) })).toBe(200);
  expect(await ask(ana, { appeal: "Please" })).toBe(403);
  expect(await mute(room, ana)).toBe(200);
  expect(await ask(ana, { appeal: "Please" })).toBe(200);
});

test("only an operator's message has an id that marks it", async () => {
  await using room = await startRoom();
  const { firebase, ana, olga } = room;
  const [id, other] = [`op-${createDocumentId()}`, createDocumentId()];

  expect(await send(firebase, ana, id)).toBe(403);
  expect(await send(firebase, await openPage(firebase, olga), id)).toBe(403);
  expect(await send(firebase, olga, id)).toBe(200);
  expect(await send(firebase, olga, other)).toBe(200);
});

test("an operator unpublishes a story with its text, and the log says so", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  await publishStory(firebase.hosts, {
    id: STORY,
    title: "The Salt Road",
    text: "It began.",
    uid: ana.localId,
  });
  const deletions = [{ path: `stories/${STORY}/parts/0` }, { path: `stories/${STORY}` }];
  const action = { action: "unpublish", target: STORY, person: ana.localId };
  const attempt = async (operator: TestAccount, change: Fields = {}) =>
    commit(
      firebase,
      operator,
      ...deletions,
      ...(await createEntry(firebase, operator, { ...action, ...change })),
    );

  expect(await commit(firebase, olga, ...deletions), "unlogged").toBe(403);
  expect(await attempt(tomas), "not an operator").toBe(403);
  expect(await attempt(olga, { person: tomas.localId })).toBe(403);
  expect(await attempt(olga, { target: "another-story-0123456789" })).toBe(403);
  expect(await attempt(olga)).toBe(200);
});

const STORY_REPORTS = `story~${STORY}`;

/** Publishes a story of Ana's, and returns Tomas's report of it with his rate record. */
async function createStoryReport({ firebase, ana, tomas }: Room) {
  await publishStory(firebase.hosts, {
    id: STORY,
    title: "The Salt Road",
    text: "It began.",
    uid: ana.localId,
  });
  const { publishedAt, author } = z
    .object({
      publishedAt: z.object({ timestampValue: z.string() }),
      author: z.object({ stringValue: z.string() }),
    })
    .parse(await readDocument(firebase.hosts, `stories/${STORY}`));
  const report: Required<Change> = {
    path: `reports/${STORY_REPORTS}_${tomas.localId}`,
    fields: {
      reporter: tomas.localId,
      reporterName: "Anonymous",
      messageId: STORY_REPORTS,
      sender: ana.localId,
      senderName: author.stringValue,
      sentAt: PreciseDate.fromTimestamp(publishedAt.timestampValue),
      text: "The Salt Road",
      reason: REASON,
    },
    times: ["createdAt"],
  };
  return { report, record: await createRecord(firebase, tomas, "reports", STORY) };
}

test("a user reports a story once, and only operators read it", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  const { report: created, record } = await createStoryReport(room);

  expect(await commit(firebase, tomas, created), "uncounted").toBe(403);
  expect(await commit(firebase, tomas, created, record)).toBe(200);
  const again = await createRecord(firebase, tomas, "reports", STORY);
  expect(await commit(firebase, tomas, created, again), "again").toBe(403);
  for (const user of [tomas, ana, null]) {
    expect(await call(firebase, user, "GET", created.path)).toBe(403);
    expect(await list(firebase, user, { path: "reports", limit: 10 })).toBe(403);
    expect(await call(firebase, user, "DELETE", created.path)).toBe(403);
  }
  expect(await list(firebase, olga, { path: "reports", limit: 200 })).toBe(200);
});

test.each<[string, Fields]>([
  ["with another title", { text: "The Sugar Road" }],
  ["with another writer", { sender: "someone" }],
  ["with another name of the writer", { senderName: "Someone" }],
  ["with another time", { sentAt: new Date() }],
  ["without a reason", { reason: "" }],
  ["of a missing story", { messageId: "story~another-story-0123456789" }],
  ["of a path", { messageId: "story~../x" }],
  ["for another user", { reporter: "someone" }],
])("rejects a report of a story %s", async (_what, change) => {
  await using room = await startRoom();
  const { firebase, tomas } = room;
  const { report: created, record } = await createStoryReport(room);

  const changed = { ...created, fields: { ...created.fields, ...change } };
  expect(await commit(firebase, tomas, changed, record)).toBe(403);
});

test("reports of stories and messages share a limit, and nobody reports their own story", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const { report: created, record } = await createStoryReport(room);
  const own = {
    ...created,
    path: `reports/${STORY_REPORTS}_${ana.localId}`,
    fields: { ...created.fields, reporter: ana.localId },
  };
  const ofAna = await createRecord(firebase, ana, "reports", STORY);

  expect(await commit(firebase, ana, own, ofAna)).toBe(403);
  expect(await report(room, tomas), "of a message").toBe(200);
  expect(await commit(firebase, tomas, created, record), "not counted with it").toBe(403);
  const hour = 60 * 60_000;
  const ages = Array.from({ length: MAX_REPORTS_A_DAY }, (_, index) => (23 - index) * hour);
  await setRateRecord(firebase.hosts, tomas.localId, "reports", ages);
  const full = await createRecord(firebase, tomas, "reports", STORY);
  expect(await commit(firebase, tomas, created, full)).toBe(403);
});

test("an operator closes the reports of a story when they unpublish it, and those of no other", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, olga } = room;
  const { report: created, record } = await createStoryReport(room);
  expect(await commit(firebase, tomas, created, record)).toBe(200);
  expect(await report(room, tomas)).toBe(200);
  const action = { action: "unpublish", target: STORY, person: ana.localId };
  const close = async (path: string, change: Fields = {}) =>
    commit(
      firebase,
      olga,
      { path },
      ...(await createEntry(firebase, olga, { ...action, ...change })),
    );

  expect(await close(`reports/${ID}_${tomas.localId}`), "a message's").toBe(403);
  expect(await close(created.path, { target: "another-story-0123456789" })).toBe(403);
  expect(await close(created.path)).toBe(200);
});

/** Signs in again, as a program of a muted user may. */
async function signInAgain(firebase: TestFirebase, { email, password }: TestAccount) {
  const url = `http://${firebase.hosts.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=${firebase.apiKey}`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  });
  return z.object({ idToken: z.string() }).parse(await response.json());
}
