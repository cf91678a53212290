import { expect, test } from "vitest";

import { messageFieldsSchema } from "#app/schemas/message-schema.ts";
import { createDocumentId } from "#app/schemas/document-id.ts";
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from "#app/schemas/message.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import { call, commit, type Fields, type Person } from "./requests.ts";

const NAMELESS = { displayName: "Anonymous", photoURL: null };

/** Creates a message by the one way there is: with a time set by the database. */
function create(
  firebase: TestFirebase,
  person: Person,
  fields: Fields,
  { path = `rooms/general/messages/${createDocumentId()}`, times = ["createdAt"] } = {},
): Promise<number> {
  return commit(firebase, person, { path, fields, times });
}

function messageOf({ localId }: TestAccount) {
  return { text: "Hello", uid: localId, displayName: "Ana", photoURL: null };
}

function omit(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

test("a signed-in person may say something as themselves", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  expect(await create(firebase, ana, messageOf(ana))).toBe(200);
});

test("a visitor may read the room, and nothing more", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const path = "rooms/general/messages/11111111111111111111";
  await create(firebase, ana, messageOf(ana), { path });

  expect(await call(firebase, null, "GET", "rooms/general/messages")).toBe(200);
  expect(await call(firebase, null, "GET", path)).toBe(200);
  expect(await create(firebase, null, messageOf(ana))).toBe(403);
  expect(await call(firebase, null, "DELETE", path)).toBe(403);
});

test("nobody speaks in another's name", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];

  expect(await create(firebase, tomas, messageOf(ana))).toBe(403);
});

test("a message is deleted by whoever sent it, and changed by nobody", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const path = "rooms/general/messages/22222222222222222222";
  await create(firebase, ana, messageOf(ana), { path });

  const fields = { ...messageOf(ana), text: "Changed" };
  expect(await call(firebase, ana, "PATCH", path, fields)).toBe(403);
  expect(await create(firebase, ana, fields, { path })).toBe(403);
  expect(await call(firebase, tomas, "DELETE", path)).toBe(403);
  expect(await call(firebase, ana, "DELETE", path)).toBe(200);
});

test.each<[string, "ana" | "tomas" | "a visitor", Fields, string[], boolean]>([
  ["takes the name off", "ana", NAMELESS, ["displayName", "photoURL"], true],
  ["takes the name off again", "ana", { displayName: "Anonymous" }, ["displayName"], true],
  ["takes another's name off", "tomas", NAMELESS, ["displayName", "photoURL"], false],
  ["takes a name off", "a visitor", NAMELESS, ["displayName", "photoURL"], false],
  ["leaves the photo", "ana", { displayName: "Anonymous" }, ["displayName"], false],
  [
    "takes another name",
    "ana",
    { ...NAMELESS, displayName: "Bob" },
    ["displayName", "photoURL"],
    false,
  ],
  [
    "changes the text with it",
    "ana",
    { ...NAMELESS, text: "Bob" },
    ["displayName", "photoURL", "text"],
    false,
  ],
  ["takes the sender off with it", "ana", NAMELESS, ["displayName", "photoURL", "uid"], false],
  [
    "adds a field with it",
    "ana",
    { ...NAMELESS, mood: "Bob" },
    ["displayName", "photoURL", "mood"],
    false,
  ],
])("%s: %s", async (what, who, fields, fieldPaths, isAllowed) => {
  await using firebase = await startFirebase();
  const people = {
    ana: await firebase.addAccount(),
    tomas: await firebase.addAccount(),
    "a visitor": null,
  };
  const path = "rooms/general/messages/44444444444444444444";
  const photoURL = "https://example.com/ana.png";
  const hasPhoto = what !== "takes the name off again";
  const message = messageOf(people.ana);
  await create(firebase, people.ana, hasPhoto ? { ...message, photoURL } : message, { path });

  const mask = fieldPaths.map((name) => `updateMask.fieldPaths=${name}`).join("&");
  const status = await call(firebase, people[who], "PATCH", `${path}?${mask}`, fields);

  expect(status).toBe(isAllowed ? 200 : 403);
});

test.each(["text", "uid", "displayName", "photoURL"])(
  "a message without its %s is refused",
  async (name) => {
    await using firebase = await startFirebase();
    const ana = await firebase.addAccount();

    expect(await create(firebase, ana, omit(messageOf(ana), name))).toBe(403);
  },
);

test("a message with a field too many, without a time or with a time of its own is refused", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const fields = messageOf(ana);

  expect(await create(firebase, ana, { ...fields, id: "x" })).toBe(403);
  expect(await create(firebase, ana, fields, { times: [] })).toBe(403);
  const ownTime = { ...fields, createdAt: new Date("2026-01-01T00:00:00Z") };
  expect(await create(firebase, ana, ownTime, { times: [] })).toBe(403);
});

test.each([
  ["rooms/lobby/messages/33333333333333333333"],
  ["rooms/general/secrets/33333333333333333333"],
  ["books/33333333333333333333"],
])("%s is closed to everybody", async (path) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  expect(await create(firebase, ana, messageOf(ana), { path })).toBe(403);
  expect(await call(firebase, ana, "GET", path)).toBe(403);
});

test.each<[string, string, string | number | null]>([
  ["text", "empty", ""],
  ["text", "only spaces", " \n\t "],
  ["text", "only blanks of other kinds", "\v\u00A0\u1680\u2003\u2028\u3000\uFEFF"],
  ["text", "only an invisible sign", "\u200B"],
  ["text", "as long as can be", "x".repeat(MAX_TEXT_LENGTH)],
  ["text", "too long", "x".repeat(MAX_TEXT_LENGTH + 1)],
  ["text", "of several lines", "\n\nHello\n"],
  ["text", "a number", 5],
  ["text", "nothing", null],
  ["displayName", "empty", ""],
  ["displayName", "as long as can be", "x".repeat(MAX_NAME_LENGTH)],
  ["displayName", "too long", "x".repeat(MAX_NAME_LENGTH + 1)],
  ["displayName", "nothing", null],
  ["photoURL", "nothing", null],
  ["photoURL", "an https address", "https://example.com/ana.png"],
  ["photoURL", "an http address", "http://example.com/ana.png"],
  ["photoURL", "a script", "javascript:alert(1)"],
  ["photoURL", "too long", `https://example.com/${"x".repeat(2000)}`],
])("rules and schema agree on a %s that is %s", async (name, _kind, value) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const fields = { ...messageOf(ana), [name]: value };
  const isFine = messageFieldsSchema.safeParse(fields).success;

  expect(await create(firebase, ana, fields)).toBe(isFine ? 200 : 403);
});

test("the schema counts UTF-16 units, as Firestore does", () => {
  const { text } = messageFieldsSchema.shape;

  expect(text.safeParse("🌿".repeat(MAX_TEXT_LENGTH / 2)).success).toBe(true);
  expect(text.safeParse("🌿".repeat(MAX_TEXT_LENGTH / 2) + "x").success).toBe(false);
});
