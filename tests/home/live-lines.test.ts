import { expect, test } from "vitest";
import * as z from "zod";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { loader, action as createMessage } from "#app/routes/home.tsx";
import { action as savePosition } from "#app/routes/reading-positions.ts";
import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { action as changeMessage } from "#app/routes/room-message.ts";
import { action as followingAction } from "#app/routes/following.ts";
import { createPosition } from "#tests/reading/reading.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

const STORY = "the-ministry-of-quiet-machines";
const OTHER = "what-the-heron-keeps";

const homeSchema = z.object({
  lines: z.record(
    z.string(),
    z.object({ name: z.string(), words: z.string(), chapter: z.number() }).nullable(),
  ),
});

/** Returns what /home shows about the story. */
async function readLine(app: TestApp, cookie?: string) {
  const { data } = await app.send(loader, "/home", { cookie });
  return homeSchema.parse(data).lines[STORY];
}

async function join(app: TestApp, displayName: string) {
  const account = await app.firebase.addAccount({ displayName });
  const cookie = await signIn(app, account);
  return {
    account,
    cookie,
    async say(text: string, story = STORY) {
      const id = createDocumentId();
      const form = toMessageForm({ id, text: `/read/${story}\n${text}` });
      expect((await app.send(createMessage, "/home", { form, cookie })).status).toBe(303);
      return id;
    },
    async read(number: number, percent = 20) {
      const position = createPosition({ story: STORY, number, percent, time: Date.now() });
      const form = { position: JSON.stringify(position) };
      await app.send(savePosition, "/reading-positions", { form, cookie });
    },
  };
}

test("shows the newest line about a story to a visitor, without its path", async () => {
  await using app = await startApp();
  const ana = await join(app, "Ana");
  expect(await readLine(app)).toBeUndefined();

  await ana.say("It came over quiet.");
  await ana.say("A heron.", OTHER);
  await ana.say("So did mine.");

  const line = { name: "Ana", words: "So did mine.", chapter: 1 };
  expect(await readLine(app)).toMatchObject(line);
});

test("shows nothing about a later part than the user has read, and to visitors none further on", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app, "Ana"), await join(app, "Tomas")];
  await ana.say("It begins.");
  await ana.read(40);
  await ana.say("The second chapter!");

  for (const cookie of [undefined, tomas.cookie]) {
    expect(await readLine(app, cookie)).toMatchObject({ words: "It begins." });
  }
  await tomas.read(39);
  expect(await readLine(app, tomas.cookie)).toMatchObject({ words: "It begins." });
  await tomas.read(41);
  const second = { words: "The second chapter!", chapter: 2 };
  expect(await readLine(app, tomas.cookie)).toMatchObject(second);
  expect(await readLine(app)).toMatchObject({ words: "It begins." });
});

test("shows nothing by a hidden person, and nothing that was deleted", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app, "Ana"), await join(app, "Tomas")];
  await ana.say("First.");
  const id = await tomas.say("Second.");
  const form = { intent: "hide", person: tomas.account.localId, name: "Tomas" };
  const { headers } = await app.send(changeHidden, "/rooms/general/hidden", {
    form,
    cookie: ana.cookie,
  });

  const cookie = `${ana.cookie}; ${toCookieHeader(headers)}`;
  expect(await readLine(app, cookie)).toMatchObject({ words: "First." });
  expect(await readLine(app, ana.cookie)).toMatchObject({ words: "Second." });

  await app.send(changeMessage, `/rooms/general/messages/${id}`, {
    form: { intent: "delete" },
    cookie: tomas.cookie,
    params: { id },
  });
  expect(await readLine(app, tomas.cookie)).toMatchObject({ words: "First." });
});

test("finds a line that is older than the page of the room", async () => {
  await using app = await startApp();
  const ana = await join(app, "Ana");
  await ana.say("Long ago.");
  await fillRoom(app.firebase, ana.account, 60, [], (index) => Date.now() + index * 1000);

  expect(await readLine(app)).toMatchObject({ words: "Long ago." });
});

test("knows that nothing was said in a room of few messages, without another request", async () => {
  await using app = await startApp();
  const ana = await join(app, "Ana");
  const form = { intent: "follow", writer: "inkglade" };
  await app.send(followingAction, "/following", { form, cookie: ana.cookie });
  await fillRoom(app.firebase, ana.account, 3);

  expect(await readLine(app, ana.cookie)).toBeUndefined();
  await ana.say("Elsewhere.", OTHER);
  expect(await readLine(app, ana.cookie)).toBeUndefined();
});

test("claims nothing about stories of which a page without requests left knows nothing", async () => {
  await using app = await startApp();
  const ana = await join(app, "Ana");
  const form = { intent: "follow", writer: "inkglade" };
  await app.send(followingAction, "/following", { form, cookie: ana.cookie });

  expect(await readLine(app, ana.cookie)).toBeUndefined();
  await fillRoom(app.firebase, ana.account, 60);
  expect(await readLine(app, ana.cookie)).toBeNull();
  await ana.say("Here.");
  expect(await readLine(app, ana.cookie)).toMatchObject({ words: "Here." });
});

test("claims nothing about a story whose newest line a page has no request left to read", async () => {
  await using app = await startApp();
  const ana = await join(app, "Ana");
  const follower = await join(app, "Tomas");
  const form = { intent: "follow", writer: "inkglade" };
  await app.send(followingAction, "/following", { form, cookie: follower.cookie });
  await ana.say("Here.");
  await fillRoom(app.firebase, ana.account, 60, [], (index) => Date.now() + index * 1000);

  // Afterwards the server knows what the story's newest line is, and has not kept its words.
  expect(await readLine(app, ana.cookie)).toMatchObject({ words: "Here." });

  expect(await readLine(app, follower.cookie)).toBeNull();
});
