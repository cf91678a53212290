import { expect, test, vi } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { formatQuote } from "#app/chat/quotes/quote.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { changeDocument, deleteDocument, readDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import {
  expectValue,
  hasLink,
  readAlerts,
  readBanner,
  readTexts,
  startPlainBrowser,
} from "#tests/support/plain-browser.ts";
import type { PlainBrowser, PlainPage } from "#tests/support/plain-requests.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { publishStory } from "#tests/support/stories.ts";

const ACTIONS = /^Actions for /;

/** The first message of `fillRoom`. */
const OLDEST = "filled-0000";

/** Starts the app with two people in the room, each in a browser without scripts. */
async function startRoom() {
  const browser = await startPlainBrowser();
  const join = async (who: PlainBrowser, displayName: string) => {
    const person = await browser.firebase.addAccount({ displayName });
    await who.post("/login", { email: person.email, password: person.password });
    return {
      ...who,
      uid: person.localId,
      person,
      say: async (message: string, path = "/home") =>
        who.submit(await who.get(path), "Send", { message }),
    };
  };
  return {
    firebase: browser.firebase,
    another: browser.another,
    join: (displayName: string) => join(browser.another(), displayName),
    ana: await join(browser, "Ana Reyes"),
    tomas: await join(browser.another(), "Tomas Lund"),
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  };
}

test("without scripts, a user who edits a message returns to the page that they came from", async () => {
  await using room = await startRoom();
  const { ana } = room;
  const sent = await ana.say("Helo", "/read/the-lamplighters-orchard?x=1");

  const page = await ana.follow(sent, ACTIONS);
  expectValue(page, "text", "Helo");
  expect(readTexts(page, ["h1"])).toEqual(["Your message"]);
  const done = await ana.submit(page, "Save", { text: " Hello\r\nthere " });

  expect(done.path).toBe("/read/the-lamplighters-orchard?x=1");
  // The story is an article, too.
  expect(readArticles(done).slice(1)).toEqual([expect.stringMatching(/edited.*Hello\nthere$/s)]);
  expect(done.html).toContain("Your message was changed.");
  expect(done.html).toMatch(/<details [^>]*open/);
  expect((await ana.get("/read/the-lamplighters-orchard")).html).not.toContain(
    "Your message was changed.",
  );
});

test("the page of a message has a form for each thing that the user may do", async () => {
  await using room = await startRoom();
  const { ana, tomas } = room;
  await ana.say("Hello");
  const home = await tomas.get("/home");

  const own = await ana.follow(home, ACTIONS);
  expect(readTexts(own, ["h2"])).toEqual(["Edit", "Reply"]);
  const other = await tomas.follow(home, ACTIONS);
  expect(readTexts(other, ["h2"])).toEqual(["Reply", "Hide this person", "Report this message"]);
});

test("an edit keeps the quote, which is not in the field", async () => {
  await using room = await startRoom();
  const { ana } = room;
  const story = { id: "ferry-0123456789", title: "The Ferry", text: "One\n\nTwo" };
  await publishStory(room.firebase.hosts, story);
  const quote = formatQuote({ words: "One", path: `/read/${story.id}#p-1` });
  const page = await ana.follow(await ana.say(`${quote}Helo`), ACTIONS);
  expectValue(page, "text", "Helo");

  const done = await ana.submit(page, "Save", { text: "Hello" });

  expect(readArticles(done)).toEqual([expect.stringMatching(/The Ferry.*“One”.*Hello$/s)]);
});

test.each([
  ["no text", " ", 400, "Type a message first."],
  ["too long a text", "x".repeat(4001), 400, "A message can have up to 4,000 characters."],
])("an edit with %s returns what was typed with the error", async (_, text, status, hint) => {
  await using room = await startRoom();
  const { ana } = room;
  const page = await ana.follow(await ana.say("Hello", "/create"), ACTIONS);

  const rejected = await ana.submit(page, "Save", { text });

  expect(rejected.status).toBe(status);
  expect(readBanner(rejected)).toBe(hint);
  expectValue(rejected, "text", text);
  const done = await ana.submit(rejected, "Save", { text: "Hello there" });
  expect(done.path).toBe("/create?panel=room");
  expect(readArticles(done)).toEqual([expect.stringContaining("Hello there")]);
});

test.each([
  ["Save", { text: " " }, "Type a message first."],
  ["Reply", { message: " " }, "Type a message first."],
])("the page of a failed %s starts at its error", async (button, fields, error) => {
  await using room = await startRoom();
  const { ana } = room;
  const page = await ana.follow(await ana.say("Hello"), ACTIONS);
  expect(page.html).not.toContain("autofocus");

  const rejected = await ana.submit(page, button, fields);

  const [start, ...others] = rejected.html.split("autofocus");
  expect(others).toHaveLength(1);
  expect(readBanner({ ...rejected, html: others.join() })).toBe(error);
  expect(start).toContain("Hello");
});

test("an edit that is too fast, too late or of a deleted message returns what was typed", async () => {
  await using room = await startRoom();
  const { ana, firebase } = room;
  const page = await ana.follow(await ana.say("Hello"), ACTIONS);
  const id = readId(page);

  await setRateRecord(firebase.hosts, ana.uid, "messages", [4, 3, 2, 1, 0]);
  const tooFast = await ana.submit(page, "Save", { text: "Faster" });
  expect(tooFast.status).toBe(429);
  expectValue(tooFast, "text", "Faster");
  expect(readBanner(tooFast)).toMatch(/Try again in \d+ seconds?\./);

  const createdAt = { timestampValue: new Date(Date.now() - 16 * 60_000).toISOString() };
  await changeDocument(firebase.hosts, `rooms/general/messages/${id}`, { createdAt });
  const late = await ana.get(page.path);
  expect(readTexts(late, ["h2"])).not.toContain("Edit");
  expect(readTexts(late, ["p"]).join()).toContain("You can edit a message for 15 minutes.");
  const tooLate = await ana.submit(page, "Save", { text: "Later" });
  expect(tooLate.status).toBe(409);
  expectValue(tooLate, "text", "Later");

  const question = await ana.follow(late, "Delete this message");
  await ana.submit(question, "Delete");
  const gone = await ana.submit(page, "Save", { text: "Gone" });
  expect(gone.status).toBe(404);
  expect(readAlerts(gone)).toEqual(["This message was deleted."]);
  expectValue(gone, "text", "Gone");
});

test("a reply is sent from the page of the message, and leads back to it", async () => {
  await using room = await startRoom();
  const { ana, tomas, firebase } = room;
  const story = { id: "ferry-0123456789", title: "The Ferry", text: "One" };
  await publishStory(firebase.hosts, story);
  const quote = `/read/${story.id}\n`;
  await tomas.say(`${quote}<b>Why</b> is it late?\nIt never was.`);
  const page = await ana.follow(await ana.get("/home"), ACTIONS);
  expect(readTexts(page, ["h1"])).toEqual(["A message in the room"]);

  await setRateRecord(firebase.hosts, ana.uid, "messages", [4, 3, 2, 1, 0]);
  const tooFast = await ana.submit(page, "Reply", { message: "Fog.\r\nI saw it." });
  expect(tooFast.status).toBe(429);
  expectValue(tooFast, "message", "Fog.\nI saw it.");
  await setRateRecord(firebase.hosts, ana.uid, "messages", []);
  const empty = await ana.submit(page, "Reply", { message: " " });
  expect(readBanner(empty)).toBe("Type a message first.");
  const done = await ana.submit(tooFast, "Reply");

  expect(done.path + done.hash).toBe("/home#newest");
  expect(readArticles(done)[1]).toMatch(
    /Ana Reyes.*The Ferry.*Tomas Lund.*is it late\?Fog\.\nI saw it\.$/s,
  );
  const card = "Reply to Tomas Lund: <b>Why</b> is it late? Go to that message";
  expect(done.html).toContain(
    `aria-label="${card.replace("<", "&lt;").replace("</", "&lt;/").replaceAll(">", "&gt;")}"`,
  );
  const original = await tomas.get(page.path);
  expect(done.html).toContain(`href="${new URL(page.path, "http://x").pathname}"`);
  expect(readArticles(original)).toHaveLength(1);
  const topicPath = /messages\/([\w-]+)\/actions/;
  const reply = await ana.follow(done, /^Actions for your message/);
  const id = topicPath.exec(reply.path)?.[1] ?? "";
  expect(await readDocument(firebase.hosts, `rooms/general/messages/${id}`)).toMatchObject({
    text: {
      stringValue: `${quote}> Tomas Lund: <b>Why</b> is it late?\n> It never was.\n\nFog.\nI saw it.`,
    },
  });
  expect(await readDocument(firebase.hosts, `rooms/general/topics/${id}`)).toMatchObject({
    replyTo: { stringValue: readId(page) },
  });
  // The lines that a reply repeats are not edited, and are no answer by themselves.
  expectValue(reply, "text", "Fog.\nI saw it.");
  expect(readAlerts(await ana.submit(reply, "Save", { text: " " }))).toEqual([
    "Type a message first.",
  ]);
});

test("a message about a later part offers no reply", async () => {
  await using room = await startRoom();
  const { ana, tomas, firebase } = room;
  const text = Array.from({ length: 9 }, (_, number) => `Paragraph ${number}.`).join("\n\n");
  await publishStory(firebase.hosts, { id: "ferry-0123456789", title: "The Ferry", text });
  await tomas.say(`${formatQuote({ words: "The end", path: "/read/ferry-0123456789#p-zzz" })}Sad`);

  const page = await ana.follow(await ana.get("/home"), ACTIONS);

  expect(readTexts(page, ["h2"])).toContain("Report this message");
  expect(readTexts(page, ["h2"])).not.toContain("Reply");
  expect(page.html).not.toContain("&gt; Tomas");
});

test("a message is deleted once its sender has confirmed it", async () => {
  await using room = await startRoom();
  const { ana } = room;
  const page = await ana.follow(await ana.say("Hello"), ACTIONS);

  const question = await ana.follow(page, "Delete this message");
  expect(readTexts(question, ["h1", "h2"])).toEqual(["Your message", "Delete this message?"]);
  expect(readArticles(question)).toEqual([expect.stringContaining("Hello")]);
  expect((await ana.follow(question, "Keep it")).html).toContain("<textarea");
  const done = await ana.submit(question, "Delete");

  expect(done.path).toBe("/home");
  expect(done.html).toContain("Your message was deleted.");
  expect(readArticles(done)).toEqual([]);
  const gone = await ana.get(page.path);
  expect(gone.status).toBe(404);
  expect(readTexts(gone, ["h1"])).toEqual(["This message was deleted"]);
  expect(gone.html).toContain("It can&#x27;t be shown or changed any more.");
});

test("folds the messages of a hidden person until they are shown again on the profile", async () => {
  await using room = await startRoom();
  const { ana, tomas } = room;
  await tomas.say("Noise");
  await tomas.say("More noise");
  await ana.say("Please stop");

  const page = await ana.follow(await ana.get("/home"), /^Actions for Tomas Lund/);
  const done = await ana.submit(page, "Hide this person");

  expect(done.path).toBe("/home");
  expect(done.html).toContain("You won&#x27;t see their messages any more.");
  for (const shown of [done, await ana.get("/home"), await ana.get("/create")]) {
    expect(readArticles(shown)).toEqual([expect.stringContaining("Please stop")]);
    expect(shown.html).toContain("2 hidden messages");
  }
  expect(readArticles(await tomas.get("/home"))).toHaveLength(3);

  await ana.submit(await ana.get("/profile?tab=hidden"), "Show again Tomas Lund");
  expect(readArticles(await ana.get("/home"))).toHaveLength(3);
});

test("a page folds hidden people's messages without asking the database for them", async () => {
  await using room = await startRoom();
  const { ana, tomas } = room;
  await tomas.say("Noise");
  await ana.submit(await ana.follow(await ana.get("/home"), ACTIONS), "Hide this person");

  const spy = vi.spyOn(globalThis, "fetch");
  const page = await ana.get("/home");
  const requests = JSON.stringify(spy.mock.calls);
  spy.mockRestore();

  expect(page.html).toContain("1 hidden message");
  expect(requests).toContain("messages");
  expect(requests).not.toContain("hidden");
});

test("a user who hides somebody sees no words of originals that a page does not have", async () => {
  await using room = await startRoom();
  const { ana, tomas, firebase } = room;
  const mira = await room.join("Mira Okafor");
  await fillRoom(firebase, tomas.person, 60);
  const reply = { id: createDocumentId(), text: "> Tomas Lund: Noise\nIndeed", replyTo: OLDEST };
  await mira.post("/home", toMessageForm(reply));
  const home = await ana.get("/home");
  expect(readArticles(home).at(-1)).toContain("Tomas Lund");
  const page = await ana.follow(home, /^Actions for Mira Okafor/);
  expect(readArticles(page)[0]).toContain("Tomas Lund");

  await ana.submit(await ana.follow(home, /^Actions for Tomas Lund/), "Hide this person");

  for (const shown of [await ana.get("/home"), await ana.get(page.path)]) {
    expect(readArticles(shown)).toEqual([expect.stringMatching(/An earlier message\.Indeed$/)]);
    expect(shown.html).toContain('aria-label="An earlier message. Go to that message"');
  }
});

test("a message with the id of a deleted one is not shown as what others replied to", async () => {
  await using room = await startRoom();
  const { ana, tomas, firebase } = room;
  const story = { id: "ferry-0123456789", title: "The Ferry", text: "One" };
  await publishStory(firebase.hosts, story);
  const ids = { id: createDocumentId(), reply: createDocumentId() };
  const about = `/read/${story.id}\n`;
  await tomas.post("/home", toMessageForm({ id: ids.id, text: "Is it late?" }));
  const text = `${about}> Tomas Lund: Is it late?\nIt is.`;
  await tomas.post("/home", toMessageForm({ id: ids.reply, text, replyTo: ids.id }));
  const isReply = expect.stringContaining("It is.");
  expect(readArticles(await ana.get("/home"))).toEqual([expect.anything(), isReply]);
  await deleteDocument(firebase.hosts, `rooms/general/messages/${ids.id}`);

  await ana.post("/home", toMessageForm({ id: ids.id, text: "Is the earth flat?" }));

  const home = await ana.get("/home");
  expect(readArticles(home)[1]).toContain("Is the earth flat?");
  for (const page of [home, await ana.get(`/read/${story.id}?talk=story`)]) {
    const reply = expect.stringMatching(/The original was deleted\.It is\.$/);
    expect(readArticles(page)).toContainEqual(reply);
    expect(page.html).not.toContain("replied to you");
  }
});

test("opening Hidden on the profile stores the people hidden in another browser", async () => {
  await using room = await startRoom();
  const { ana, tomas, another } = room;
  await tomas.say("Noise");
  await ana.submit(await ana.follow(await ana.get("/home"), ACTIONS), "Hide this person");

  const elsewhere = another();
  const { email, password } = ana.person;
  await elsewhere.post("/login", { email, password });
  await elsewhere.get("/profile?tab=hidden");
  expect(readArticles(await elsewhere.get("/home"))).toEqual([]);
  await elsewhere.submit(await elsewhere.get("/profile?tab=hidden"), "Show again Tomas Lund");
  expect(readArticles(await elsewhere.get("/home"))).toHaveLength(1);

  expect(readArticles(await ana.get("/home"))).toEqual([]);
  await ana.get("/profile?tab=hidden");
  expect(readArticles(await ana.get("/home"))).toHaveLength(1);

  await ana.submit(await ana.follow(await ana.get("/home"), ACTIONS), "Hide this person");
  await ana.post("/login", { email: tomas.person.email, password: tomas.person.password });
  expect(readArticles(await ana.get("/home"))).toHaveLength(1);
});

test("from a message in the frame of new messages, the user returns to the page around it", async () => {
  await using room = await startRoom();
  const { ana } = room;
  const sent = await ana.say("Hello", "/read/the-lamplighters-orchard?x=1");
  const [, frame = ""] = /<iframe [^>]*src="([^"]+)"/.exec(sent.html) ?? [];
  expect(frame).toMatch(/^\/rooms\/general\/live\?/);

  const page = await ana.follow({ ...sent, path: frame.replaceAll("&amp;", "&") }, ACTIONS);
  expect(hasLink(page, "Back to the room", "/read/the-lamplighters-orchard?x=1#room")).toBe(true);
});

test("a message is reported with a reason and details", async () => {
  await using room = await startRoom();
  const { ana, tomas, firebase } = room;
  await tomas.say("Buy my lamp oil");
  const page = await ana.follow(await ana.get("/home"), ACTIONS);

  const details = "x".repeat(401);
  const rejected = await ana.submit(page, "Report", { kind: "other", details });
  expect(rejected.status).toBe(400);
  expect(readBanner(rejected)).toBe("The details can have up to 400 characters.");
  expectValue(rejected, "kind", "other");
  expectValue(rejected, "details", details);
  const done = await ana.submit(rejected, "Report", { details: "It never burns." });

  expect(done.path).toBe("/home");
  expect(done.html).toContain("Thank you. We look at reports every day.");
  const path = `reports/${readId(page)}_${ana.uid}`;
  expect(await readDocument(firebase.hosts, path)).toMatchObject({
    text: { stringValue: "Buy my lamp oil" },
    reason: { stringValue: "Something else: It never burns." },
  });
});

test("a visitor is asked to sign in, and returns to the message", async () => {
  await using room = await startRoom();
  await room.tomas.say("Buy my lamp oil");
  const visitor = room.another();
  const { email, password } = room.ana.person;

  const page = await visitor.follow(await visitor.get("/home"), ACTIONS);
  expect(readArticles(page)).toEqual([expect.stringContaining("Buy my lamp oil")]);
  expect(readTexts(page, ["form"])).toEqual([]);
  expect(readTexts(page, ["p"]).join()).toContain("Please sign in to report this message");
  const login = await visitor.follow(page, "sign in");
  expect(login.html).toContain("Sign in to report it.");
  const back = await visitor.submit(login, "Login", { email, password });

  expect(readTexts(back, ["h1"])).toEqual(["A message in the room"]);
  expect((await visitor.submit(back, "Report")).html).toContain("Thank you.");
});

test.each([
  [
    "an ended session",
    "Not authenticated",
    async ({ ana }: Awaited<ReturnType<typeof startRoom>>) => ana.clearCookies(),
  ],
  [
    "another user",
    "Someone else is signed in now.",
    async ({ ana, tomas }: Awaited<ReturnType<typeof startRoom>>) => {
      const { email, password } = tomas.person;
      await ana.post("/login", { email, password });
    },
  ],
])("an edit with %s returns what was typed, with one instruction", async (_, message, change) => {
  await using room = await startRoom();
  const { ana } = room;
  const page = await ana.follow(await ana.say("Hello"), ACTIONS);
  await change(room);

  const rejected = await ana.submit(page, "Save", { text: "Mine alone" });

  expect(rejected.status).toBe(401);
  expect(readAlerts(rejected)).toEqual([message]);
  expectValue(rejected, "text", "Mine alone");
  expectValue(rejected, "uid", ana.uid);
  expect(readTexts(rejected, ["p"]).join()).not.toMatch(/sign in/i);
  await ana.post("/login", { email: ana.person.email, password: ana.person.password });
  const done = await ana.submit(rejected, "Save", { text: "Mine alone" });
  expect(readArticles(done)).toEqual([expect.stringContaining("Mine alone")]);
});

test("nobody changes another's message, and no address leads away from the site", async () => {
  await using room = await startRoom();
  const { ana, tomas } = room;
  const page = await tomas.follow(await tomas.say("Mine"), ACTIONS);
  const { pathname } = new URL(page.path, "http://localhost");

  const denied = await ana.post(`${pathname}?returnTo=//example.com`, {
    intent: "edit",
    text: "Yours",
  });
  expect(denied.status).toBe(403);
  expect(hasLink(denied, "Back to the room", "/home#room")).toBe(true);
  expect((await ana.post(pathname, { intent: "publish" })).status).toBe(400);
  expect((await ana.get("/rooms/general/messages/nothing/actions")).status).toBe(404);
  const own = await tomas.submit(await tomas.get(`${pathname}?returnTo=//example.com`), "Save");
  expect(own.path).toBe("/home");
});

function readArticles(page: PlainPage): string[] {
  return readTexts(page, ["article"]);
}

/** Returns the id of the message of a page. */
function readId({ path }: PlainPage): string {
  return /messages\/([\w-]+)\/actions/.exec(path)?.[1] ?? "";
}

test("the page of a message says that the room can't be reached", async () => {
  expectConsoleError();
  await using browser = await startPlainBrowser({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const page = await browser.get(`/rooms/general/messages/${OLDEST}/actions`);

  expect(page.status).toBe(503);
  expect(readTexts(page, ["h1"])).toEqual(["We can't reach the room right now"]);
});
