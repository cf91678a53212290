import { expect, test } from "vitest";

import { messageFieldsSchema } from "#app/schemas/message-schema.ts";
import { createDocumentId } from "#app/schemas/document-id.ts";
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from "#app/schemas/message.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { startFirebase, type TestFirebase } from "#tests/support/firebase.ts";

const DOCUMENTS = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;

type Value = { stringValue: string } | { nullValue: null } | { integerValue: string };
type Fields = Record<string, Value>;

const ANONYMOUS: Value = { stringValue: "Anonymous" };
const BOB: Value = { stringValue: "Bob" };
const NAMELESS: Fields = { displayName: ANONYMOUS, photoURL: { nullValue: null } };

interface Person {
  localId: string;
  idToken: string;
}

function call(
  firebase: TestFirebase,
  person: Person | null,
  method: string,
  path: string,
  body?: object,
) {
  return fetch(`http://${firebase.hosts.FIRESTORE_EMULATOR_HOST}/v1/${DOCUMENTS}${path}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(person && { Authorization: `Bearer ${person.idToken}` }),
    },
    body: body && JSON.stringify(body),
  });
}

/** Creates a message by the one way there is: with a time set by the database. */
async function create(
  firebase: TestFirebase,
  person: Person | null,
  fields: Fields,
  { path = `rooms/general/messages/${createDocumentId()}`, timeField = "createdAt" } = {},
): Promise<number> {
  const write = {
    update: { name: `${DOCUMENTS}/${path}`, fields },
    ...(timeField && {
      updateTransforms: [{ fieldPath: timeField, setToServerValue: "REQUEST_TIME" }],
    }),
  };
  const { status } = await call(firebase, person, "POST", ":commit", { writes: [write] });
  return status;
}

function messageOf(person: Person): Fields {
  return {
    text: { stringValue: "Hello" },
    uid: { stringValue: person.localId },
    displayName: { stringValue: "Ana" },
    photoURL: { nullValue: null },
  };
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

  expect((await call(firebase, null, "GET", "/rooms/general/messages")).status).toBe(200);
  expect((await call(firebase, null, "GET", `/${path}`)).status).toBe(200);
  expect(await create(firebase, null, messageOf(ana))).toBe(403);
  expect((await call(firebase, null, "DELETE", `/${path}`)).status).toBe(403);
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

  const fields = { ...messageOf(ana), text: { stringValue: "Changed" } };
  expect((await call(firebase, ana, "PATCH", `/${path}`, { fields })).status).toBe(403);
  expect(await create(firebase, ana, fields, { path })).toBe(403);
  expect((await call(firebase, tomas, "DELETE", `/${path}`)).status).toBe(403);
  expect((await call(firebase, ana, "DELETE", `/${path}`)).status).toBe(200);
});

test.each<[string, "ana" | "tomas" | "a visitor", Fields, string[], boolean]>([
  ["takes the name off", "ana", NAMELESS, ["displayName", "photoURL"], true],
  ["takes the name off again", "ana", { displayName: ANONYMOUS }, ["displayName"], true],
  ["takes another's name off", "tomas", NAMELESS, ["displayName", "photoURL"], false],
  ["takes a name off", "a visitor", NAMELESS, ["displayName", "photoURL"], false],
  ["leaves the photo", "ana", { displayName: ANONYMOUS }, ["displayName"], false],
  [
    "takes another name",
    "ana",
    { ...NAMELESS, displayName: BOB },
    ["displayName", "photoURL"],
    false,
  ],
  [
    "changes the text with it",
    "ana",
    { ...NAMELESS, text: BOB },
    ["displayName", "photoURL", "text"],
    false,
  ],
  ["takes the sender off with it", "ana", NAMELESS, ["displayName", "photoURL", "uid"], false],
  [
    "adds a field with it",
    "ana",
    { ...NAMELESS, mood: BOB },
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
  const photoURL = { stringValue: "https://example.com/ana.png" };
  const hasPhoto = what !== "takes the name off again";
  const message = messageOf(people.ana);
  await create(firebase, people.ana, hasPhoto ? { ...message, photoURL } : message, { path });

  const mask = fieldPaths.map((name) => `updateMask.fieldPaths=${name}`).join("&");
  const { status } = await call(firebase, people[who], "PATCH", `/${path}?${mask}`, { fields });

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

  expect(await create(firebase, ana, { ...fields, id: { stringValue: "x" } })).toBe(403);
  expect(await create(firebase, ana, fields, { timeField: "" })).toBe(403);
  const createdAt = { timestampValue: "2026-01-01T00:00:00Z" };
  const ownTime = { ...fields, createdAt } as unknown as Fields; // a value that Fields leaves out
  expect(await create(firebase, ana, ownTime, { timeField: "" })).toBe(403);
});

test.each([
  ["rooms/lobby/messages/33333333333333333333"],
  ["rooms/general/secrets/33333333333333333333"],
  ["books/33333333333333333333"],
])("%s is closed to everybody", async (path) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  expect(await create(firebase, ana, messageOf(ana), { path })).toBe(403);
  expect((await call(firebase, ana, "GET", `/${path}`)).status).toBe(403);
});

test.each<[string, string, string | number | null]>([
  ["text", "empty", ""],
  ["text", "only spaces", " \n\t "],
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
  const plain = { text: "Hello", uid: ana.localId, displayName: "Ana", photoURL: null };
  const isFine = messageFieldsSchema.safeParse({ ...plain, [name]: value }).success;

  const fields = { ...messageOf(ana), [name]: toValue(value) };

  expect(await create(firebase, ana, fields)).toBe(isFine ? 200 : 403);
});

test("the schema counts UTF-16 units, as Firestore does", () => {
  const { text } = messageFieldsSchema.shape;

  expect(text.safeParse("🌿".repeat(MAX_TEXT_LENGTH / 2)).success).toBe(true);
  expect(text.safeParse("🌿".repeat(MAX_TEXT_LENGTH / 2) + "x").success).toBe(false);
});

function toValue(value: string | number | null): Value {
  if (value === null) return { nullValue: null };
  return typeof value === "number" ? { integerValue: String(value) } : { stringValue: value };
}
