import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { getPublicName, MAX_TEXT_LENGTH } from "#app/chat/message.ts";
import { MAX_NAME_LENGTH } from "#app/session/user.ts";
import { messageFieldsSchema } from "#app/chat/create-message.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { isVisible } from "#app/http/text.ts";
import {
  isGoogleFirestore,
  startFirebase,
  type TestAccount,
  type TestFirebase,
} from "#tests/support/firebase.ts";
import { call, commit, createRecord, type Fields, type TestUser } from "./requests.ts";

const PICTURE = `/pictures/ana/${"0123456789abcdef".repeat(2)}.webp`;
const WITHOUT_NAME = { displayName: "Anonymous", photoURL: null };

const ANA = { displayName: "Ana", photoUrl: "https://example.com/ana.png" };

/** Creates a message like the app: with the time of the commit and the rate record. */
async function create(
  firebase: TestFirebase,
  user: TestUser,
  fields: Fields,
  { path = `rooms/general/messages/${createDocumentId()}`, times = ["createdAt"] } = {},
): Promise<number> {
  const id = path.split("/").at(-1) ?? "";
  const records = user ? [await createRecord(firebase, user, "messages", id)] : [];
  return commit(firebase, user, { path, fields, times }, ...records);
}

function createMessage({ localId, displayName }: TestAccount) {
  return { text: "Hello", uid: localId, displayName: displayName || "Anonymous", photoURL: null };
}

function omit(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

test("a signed-in user can send a message", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  expect(await create(firebase, ana, createMessage(ana))).toBe(200);
});

test("a visitor can only read the room", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const path = "rooms/general/messages/11111111111111111111";
  await create(firebase, ana, createMessage(ana), { path });

  expect(await call(firebase, null, "GET", path)).toBe(200);
  expect(await create(firebase, null, createMessage(ana))).toBe(403);
  expect(await call(firebase, null, "DELETE", path)).toBe(403);
});

test("rejects a message with another user's uid", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];

  expect(await create(firebase, tomas, createMessage(ana))).toBe(403);
});

test("only the sender can delete a message, and nobody can change it", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const path = "rooms/general/messages/22222222222222222222";
  await create(firebase, ana, createMessage(ana), { path });

  const fields = { ...createMessage(ana), text: "Changed" };
  expect(await call(firebase, ana, "PATCH", path, fields)).toBe(403);
  expect(await create(firebase, ana, fields, { path })).toBe(403);
  expect(await call(firebase, tomas, "DELETE", path)).toBe(403);
  expect(await call(firebase, ana, "DELETE", path)).toBe(200);
});

test.each<[string, "ana" | "tomas" | "a visitor", Fields, string[], boolean]>([
  ["anonymizes a message", "ana", WITHOUT_NAME, ["displayName", "photoURL"], true],
  ["anonymizes a message again", "ana", { displayName: "Anonymous" }, ["displayName"], true],
  ["anonymizes another user's message", "tomas", WITHOUT_NAME, ["displayName", "photoURL"], false],
  [
    "anonymizes a message as a visitor",
    "a visitor",
    WITHOUT_NAME,
    ["displayName", "photoURL"],
    false,
  ],
  ["anonymizes only the name", "ana", { displayName: "Anonymous" }, ["displayName"], false],
  [
    "sets another name",
    "ana",
    { ...WITHOUT_NAME, displayName: "Bob" },
    ["displayName", "photoURL"],
    false,
  ],
  [
    "changes the text as well",
    "ana",
    { ...WITHOUT_NAME, text: "Bob" },
    ["displayName", "photoURL", "text"],
    false,
  ],
  ["removes the sender as well", "ana", WITHOUT_NAME, ["displayName", "photoURL", "uid"], false],
  [
    "adds a field as well",
    "ana",
    { ...WITHOUT_NAME, mood: "Bob" },
    ["displayName", "photoURL", "mood"],
    false,
  ],
])(
  "only the sender can anonymize a message, and nothing else changes: %s, as %s",
  async (what, who, fields, fieldPaths, isAllowed) => {
    await using firebase = await startFirebase();
    const users = {
      ana: await firebase.addAccount(ANA),
      tomas: await firebase.addAccount(),
      "a visitor": null,
    };
    const path = "rooms/general/messages/44444444444444444444";
    const photoURL = ANA.photoUrl;
    const hasPhoto = what !== "anonymizes a message again";
    const message = createMessage(users.ana);
    await create(firebase, users.ana, hasPhoto ? { ...message, photoURL } : message, { path });

    const mask = fieldPaths.map((name) => `updateMask.fieldPaths=${name}`).join("&");
    const status = await call(firebase, users[who], "PATCH", `${path}?${mask}`, fields);

    expect(status).toBe(isAllowed ? 200 : 403);
  },
);

test.each(["text", "uid", "displayName", "photoURL"])(
  "rejects a message without its %s",
  async (name) => {
    await using firebase = await startFirebase();
    const ana = await firebase.addAccount();

    expect(await create(firebase, ana, omit(createMessage(ana), name))).toBe(403);
  },
);

test("rejects a message with an unknown field or without the server's time", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const fields = createMessage(ana);

  expect(await create(firebase, ana, { ...fields, id: "x" })).toBe(403);
  expect(await create(firebase, ana, fields, { times: [] })).toBe(403);
  const ownTime = { ...fields, createdAt: new Date("2026-01-01T00:00:00Z") };
  expect(await create(firebase, ana, ownTime, { times: [] })).toBe(403);
});

test.each([
  ["rooms/lobby/messages/33333333333333333333"],
  ["rooms/general/secrets/33333333333333333333"],
  ["books/33333333333333333333"],
])("nobody can read or write %s", async (path) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  expect(await create(firebase, ana, createMessage(ana), { path })).toBe(403);
  expect(await call(firebase, ana, "GET", path)).toBe(403);
});

test.each<[string, string | number | null]>([
  ["empty", ""],
  ["only spaces", " \n\t "],
  ["only other whitespace", "\v\u00A0\u1680\u2003\u2028\u3000\uFEFF"],
  ["only an invisible character", "\u200B"],
  ["only invisible characters", "\u00AD\u115F\u180E\u2060\u2800\u3164\uFE0F\uFFA0\u{E0020}"],
  ["an invisible and a visible character", "\u200Bx"],
  ["an emoji with its variation", "\u2764\uFE0F"],
  ["as long as allowed", "x".repeat(MAX_TEXT_LENGTH)],
  ["too long", "x".repeat(MAX_TEXT_LENGTH + 1)],
  ["of several lines", "\n\nHello\n"],
  ["a number", 5],
  ["nothing", null],
])("rules and schema agree on a text that is %s", async (_kind, text) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const fields = { ...createMessage(ana), text };
  const isFine = messageFieldsSchema.safeParse(fields).success;

  expect(await create(firebase, ana, fields)).toBe(isFine ? 200 : 403);
});

test("the rules and the app agree on invisible characters", async () => {
  const rules = await readFile(new URL("../../firestore.rules", import.meta.url), "utf8");
  const [, characters = ""] =
    /matches\('\(\?s\)\.\*(\[\^\\\\x\{0\}[^\]]+\])\.\*'\)/.exec(rules) ?? [];
  const visible = new RegExp(characters.replaceAll("\\\\x", "\\u"), "u");

  const different: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    // Surrogates are not characters.
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (visible.test(character) !== isVisible(character)) different.push(code.toString(16));
  }
  expect(different).toEqual([]);
});

const LONG = "x".repeat(MAX_NAME_LENGTH);

/** Google's emulator counts UTF-16 code units, and so accepts this one. */
const LONG_BY_CODE_UNITS = "🌿".repeat(39);

test.each<[what: string, own: string, given: string | number | null, isAllowed: boolean]>([
  ["the user's name", "Ana", "Ana", true],
  ["another name", "Ana", "Inkglade Editors", false],
  ["a part of it", "Ana the first", "Ana", false],
  ["more than it", "Ana", "Ana the admin", false],
  ["nothing", "Ana", null, false],
  ["an empty name", "Ana", "", false],
  ["Anonymous for a user with a name", "Ana", "Anonymous", false],
  ["Anonymous for a user without one", "", "Anonymous", true],
  ["an empty name for a user without one", "", "", false],
  ["a name for a user without one", "", "Ana", false],
  ["Anonymous for an invisible name", "\u200B\u3164", "Anonymous", true],
  ["an invisible name", "\u200B\u3164", "\u200B\u3164", false],
  ["the longest name", LONG, LONG, true],
  ["a name that is too long", `${LONG}x`, `${LONG}x`, false],
  ["a long name, truncated", `${LONG}x`, LONG, true],
  ["a long name, truncated too early", `${LONG}x`, LONG.slice(1), false],
  ["the end of a long name", `${LONG}y`, `${LONG.slice(1)}y`, false],
  ["a long name of emoji, truncated", "🌿".repeat(41), "🌿".repeat(40), true],
  ["a long name of emoji, truncated too late", "🌿".repeat(90), "🌿".repeat(81), false],
  ["a long name of emoji, truncated too early", "🌿".repeat(41), LONG_BY_CODE_UNITS, false],
])(
  "a message has the user's name, or Anonymous for none: %s, %j as %j",
  async (_what, displayName, given, isAllowed) => {
    await using firebase = await startFirebase();
    const ana = await firebase.addAccount({ displayName });
    const isOurs = given === getPublicName(displayName || null);

    const isAccepted = isAllowed || (isGoogleFirestore && given === LONG_BY_CODE_UNITS);
    expect(await create(firebase, ana, { ...createMessage(ana), displayName: given })).toBe(
      isAccepted ? 200 : 403,
    );
    expect(isOurs, "the server stores this one").toBe(isAllowed);
  },
);

test.each<[what: string, own: string | undefined, given: string | null, isAllowed: boolean]>([
  ["the user's photo", ANA.photoUrl, ANA.photoUrl, true],
  ["no photo of a user with one", ANA.photoUrl, null, true],
  ["another photo", ANA.photoUrl, "https://example.com/tomas.png", false],
  ["no photo of a user without one", undefined, null, true],
  ["the path of an uploaded photo", `http://localhost${PICTURE}`, PICTURE, true],
  [
    "the path of another photo",
    `http://localhost${PICTURE}`,
    PICTURE.replace("webp", "png"),
    false,
  ],
  ["a path that is no picture's", "http://localhost/logout", "/logout", false],
  ["a photo of a user without one", undefined, ANA.photoUrl, false],
  ["an http URL", "http://example.com/ana.png", "http://example.com/ana.png", false],
  ["a script", "javascript:alert(1)", "javascript:alert(1)", false],
  [
    "a long URL",
    `https://example.com/${"x".repeat(1980)}`,
    `https://example.com/${"x".repeat(1980)}`,
    true,
  ],
  [
    "a URL that is too long",
    `https://example.com/${"x".repeat(1981)}`,
    `https://example.com/${"x".repeat(1981)}`,
    false,
  ],
])("a message has the user's photo, or none: %s", async (_what, photoUrl, photoURL, isAllowed) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount(photoUrl === undefined ? {} : { photoUrl });
  const isFine = messageFieldsSchema.shape.photoURL.safeParse(photoURL).success;

  expect(await create(firebase, ana, { ...createMessage(ana), photoURL })).toBe(
    isAllowed ? 200 : 403,
  );
  if (isAllowed) expect(isFine, "the schema accepts it").toBe(true);
});

test("the schema counts UTF-16 units", () => {
  const { text } = messageFieldsSchema.shape;

  expect(text.safeParse("🌿".repeat(MAX_TEXT_LENGTH / 2)).success).toBe(true);
  expect(text.safeParse("🌿".repeat(MAX_TEXT_LENGTH / 2) + "x").success).toBe(false);
});
