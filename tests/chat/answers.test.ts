import { expect, test } from "vitest";
import * as z from "zod";

import { getAnswersPath } from "#app/chat/answers/answer.ts";
import { toMessageForm } from "#app/chat/post-message.ts";
import { formatQuote } from "#app/chat/quotes/quote.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import type { AnswersView } from "#app/profile/answers-view.ts";
import { action as readAll } from "#app/routes/answers.ts";
import { action as changeFollowing } from "#app/routes/following.ts";
import { action as changeHiddenItems } from "#app/routes/hidden.ts";
import { action as say, loader as home } from "#app/routes/home.tsx";
import { loader as profile } from "#app/routes/profile.tsx";
import { action as readOne, loader as newest } from "#app/routes/room-answers.ts";
import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { action as changeMessage } from "#app/routes/room-message.ts";
import { loader as summary } from "#app/routes/room-summary.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { deleteDocument } from "#tests/support/documents.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import { readJson, signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

const STORY = { id: "the-salt-road-0123456789", title: "The Salt Road" };
const PASSAGE = formatQuote({ words: "The tide.", path: `/read/${STORY.id}#p-1a2b` });

async function join(app: TestApp, displayName: string) {
  const person = await app.firebase.addAccount({ displayName });
  const { localId: uid } = person;
  const cookie = await signIn(app, person);

  return {
    ...{ person, uid, cookie },
    /** Sends a message, and returns its id. */
    async say(text: string, replyTo?: string, id = createDocumentId()): Promise<string> {
      const form = toMessageForm({ id, text, replyTo });
      const { status } = await app.send(say, "/home", { form, cookie });
      expect(status).toBe(303);
      await clearRateRecords(app.firebase.hosts, uid);
      return id;
    },
    async delete(id: string): Promise<void> {
      const form = { intent: "delete" };
      const path = `/rooms/general/messages/${id}`;
      await app.send(changeMessage, path, { form, cookie, params: { id } });
    },
    async list(query = ""): Promise<AnswersView> {
      const { data } = await app.send(profile, `/profile?tab=answers${query}`, { cookie });
      // `send` returns untyped data.
      const { answers } = data as { answers: AnswersView | null };
      if (!answers) throw new Error("The answers are unavailable");
      return answers;
    },
    /** Returns the answers that the header counts. */
    async count(): Promise<unknown> {
      const response = await app.send(summary, "/rooms/general/summary", { cookie });
      return z.looseObject({ answers: z.unknown().optional() }).parse(await readJson(response))
        .answers;
    },
    hide: (other: string) =>
      app.send(changeHidden, "/rooms/general/hidden", {
        form: { intent: "hide", person: other, name: "Someone" },
        cookie,
      }),
    follow: (writer: string) =>
      app.send(changeFollowing, "/following", { form: { intent: "follow", writer }, cookie }),
    readAll: (until: number) =>
      app.send(readAll, "/answers", { form: { until: String(until) }, cookie }),
    readOne: (answer: string) =>
      app.send(readOne, "/rooms/general/answers", { form: { answer }, cookie }),
  };
}

async function startRoom() {
  const app = await startApp();
  const [ana, tomas] = [await join(app, "Ana Reyes"), await join(app, "Tomas Lund")];
  return { app, ana, tomas, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** Returns the ids of the stored answers to a user, bypassing the rules. */
async function listStored({ firebase: { hosts } }: TestApp, uid: string): Promise<string[]> {
  const root = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;
  const ids: string[] = [];
  let pageToken: string | undefined = "";
  // Google's emulator lists fewer documents than it is asked for.
  while (pageToken !== undefined) {
    const response: Response = await fetch(
      `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${root}/${getAnswersPath(uid)}?pageSize=300&pageToken=${pageToken}`,
      { headers: { Authorization: "Bearer owner" } },
    );
    const text = await response.text();
    ids.push(...[...text.matchAll(/answers\/([\w~-]+)"/g)].map(([, id = ""]) => id));
    pageToken = /"nextPageToken": ?"([^"]+)"/.exec(text)?.[1];
  }
  return ids;
}

test("a reply is listed for the sender of the message that it answers, and counted", async () => {
  await using room = await startRoom();
  const { ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  expect(await ana.count()).toBeNull();

  const reply = await tomas.say("> Ana Reyes: Where is the ferry?\nIn the fog.", question);

  expect(await ana.list()).toMatchObject({
    counts: { all: 1, replies: 1, quotes: 0, chapters: 0 },
    newCount: 1,
    before: null,
    rows: [
      {
        key: reply,
        isNew: true,
        name: "Tomas Lund",
        action: "replied to you",
        words: "In the fog.",
        title: null,
        day: "Today",
        path: `/home#m-${reply}`,
      },
    ],
  });
  expect(await ana.count()).toEqual({
    count: 1,
    newest: {
      key: reply,
      at: expect.any(Number),
      text: "Tomas Lund replied to you",
      path: `/home#m-${reply}`,
      laterPath: expect.stringMatching(new RegExp(`^/home\\?before=[^#]+#m-${reply}$`)),
    },
  });
  expect((await tomas.list()).rows).toEqual([]);
  expect(await tomas.count()).toBeNull();
});

test("scripts get the newest four answers for the header, visitors none", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  const replies: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    replies.unshift(await tomas.say(`> Ana Reyes: Where is the ferry?\n${index}`, question));
  }

  const path = "/rooms/general/answers";
  const response = await app.send(newest, path, { cookie: ana.cookie });
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  const { rows, newCount } = (await readJson(response)) as AnswersView;
  expect(rows.map(({ key }) => key)).toEqual(replies.slice(0, 4));
  expect(newCount).toBe(5);
  expect(await readJson(await app.send(newest, path))).toBeNull();
  const visited = await app.send(newest, path, {
    cookie: ana.cookie,
    headers: { Accept: "text/html" },
  });
  expect([visited.status, visited.headers.get("Location")]).toEqual([302, "/profile?tab=answers"]);
});

test("replying to yourself stores no answer", async () => {
  await using room = await startRoom();
  const { app, ana } = room;
  await publishStory(app.firebase.hosts, { ...STORY, text: "x", uid: ana.uid });
  const id = await ana.say("Where is the ferry?");

  await ana.say("> Ana Reyes: Where is the ferry?\nHere.", id);
  await ana.say(`${PASSAGE}My best line.`);

  expect(await listStored(app, ana.uid)).toEqual([]);
});

test("a quote is listed for the writer of the story; a reply that quotes it is one answer", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  await publishStory(app.firebase.hosts, { ...STORY, text: "The tide.", uid: ana.uid });

  const quote = await tomas.say(`${PASSAGE}Whose?`);
  await tomas.say(`/read/${STORY.id}\nAbout the whole story.`);
  const mine = await ana.say(`${PASSAGE}Mine.`, quote);
  const both = await tomas.say(`${PASSAGE}> Ana Reyes: Mine.\nOh.`, mine);

  const { rows, counts } = await ana.list();
  expect(rows).toMatchObject([
    { key: both, action: "replied to you", words: "Oh.", quote: "The tide.", title: STORY.title },
    { key: quote, action: "quoted your story", words: "Whose?", quote: "The tide." },
  ]);
  expect(counts).toEqual({ all: 2, replies: 1, quotes: 1, chapters: 0 });
  expect(rows[1]?.path).toBe(`/read/${STORY.id}?talk=story#m-${quote}`);
  expect((await ana.list("&kind=quotes")).rows).toMatchObject([{ key: quote }]);
  // A reply to a quote of somebody's story is a quote, too.
  expect((await tomas.list()).rows).toMatchObject([{ key: mine, action: "replied to you" }]);
});

test("words about a later part than the user has read are not shown", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const text = Array.from({ length: 9 }, (_, number) => `Paragraph ${number}.`).join("\n\n");
  await publishStory(app.firebase.hosts, { ...STORY, text });
  const quote = formatQuote({ words: "The end", path: `/read/${STORY.id}#p-zzz` });
  const question = await ana.say("How does it end?");

  await tomas.say(`${quote}> Ana Reyes: How does it end?\nThe ferry sinks.`, question);

  const { rows } = await ana.list();
  expect(rows).toMatchObject([{ isLater: true, words: null, quote: null, title: STORY.title }]);
  expect(JSON.stringify(rows)).not.toMatch(/sinks|The end/);
});

test("a hidden person causes no answers", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  await ana.follow(tomas.uid);
  await publishStory(app.firebase.hosts, {
    ...STORY,
    text: "x",
    uid: tomas.uid,
    publishedAt: new Date().toISOString(),
  });
  await ana.hide(tomas.uid);

  await tomas.say("> Ana Reyes: Where is the ferry?\nIn the fog.", question);

  expect(await ana.list()).toMatchObject({ rows: [], counts: { all: 0 }, newCount: 0 });
  expect(await ana.count()).toBeNull();
});

test("deleting a message deletes its answer", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  const reply = await tomas.say("> Ana Reyes: Where is the ferry?\nIn the fog.", question);
  expect(await listStored(app, ana.uid)).toEqual([reply]);

  await tomas.delete(reply);

  expect(await listStored(app, ana.uid)).toEqual([]);
});

test("an answer whose message is gone is left out, and deleted", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  const reply = await tomas.say("> Ana Reyes: Where is the ferry?\nIn the fog.", question);
  // Then the sender's server does not know the recipient.
  await ana.delete(question);
  await tomas.delete(reply);
  expect(await listStored(app, ana.uid)).toEqual([reply]);

  expect(await ana.count()).toBeNull();
  expect(await ana.list()).toMatchObject({ rows: [], counts: { all: 0 }, newCount: 0 });
  await app.finish();
  expect(await listStored(app, ana.uid)).toEqual([]);
});

test("what is read stays read: one answer, and then all of them", async () => {
  await using room = await startRoom();
  const { ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  const say = (words: string) => tomas.say(`> Ana Reyes: Where is the ferry?\n${words}`, question);
  const first = await say("In the fog.");
  await say("Or gone.");
  const third = await say("Or sunk.");
  const listNew = async () => (await ana.list()).rows.map(({ isNew }) => isNew);

  expect((await ana.readOne(first)).status).toBe(200);
  expect(await listNew()).toEqual([true, true, false]);
  expect(await ana.count()).toMatchObject({ count: 2, newest: { key: third } });
  const { until } = await ana.list();
  const later = await say("There it is!");
  await ana.readAll(until);
  expect(await listNew()).toEqual([true, false, false, false]);
  expect(await ana.count()).toMatchObject({ count: 1, newest: { key: later } });
  await ana.readOne(later);
  expect(await ana.count()).toBeNull();
  expect((await ana.readOne("../~read")).status).toBe(400);
  expect((await ana.readAll(-1)).status).toBe(400);
});

test("hidden stories of followed writers are neither listed nor counted", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const publishedAt = new Date(Date.now() - 60_000).toISOString();
  for (const [id, tags] of [
    ["salt-0000000001", ["Sea"]],
    ["sand-0000000002", []],
  ] as const) {
    const story = { id, title: id, text: "x", uid: tomas.uid, tags: [...tags], publishedAt };
    await publishStory(app.firebase.hosts, story);
  }
  await ana.follow(tomas.uid);
  const form = { intent: "hide", tag: "sea" };
  await app.send(changeHiddenItems, "/hidden", { form, cookie: ana.cookie });

  expect((await ana.list()).rows).toMatchObject([{ title: "sand-0000000002" }]);
  expect(await ana.count()).toMatchObject({ count: 1 });
});

test("new stories and chapters of followed writers are listed, and nothing of others", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const publish = (
    id: string,
    uid: string,
    dates: { publishedAt: string; newChapterAt?: string },
  ) =>
    publishStory(app.firebase.hosts, {
      ...{ id, title: id, text: "x", uid, author: "Tomas Lund", ...dates },
      updatedAt: dates.newChapterAt ?? dates.publishedAt,
    });
  await publish("new-0000000001", tomas.uid, { publishedAt: daysAgo(1) });
  await publish("grown-0000000002", tomas.uid, {
    publishedAt: daysAgo(200),
    newChapterAt: daysAgo(2),
  });
  await publish("old-0000000003", tomas.uid, { publishedAt: daysAgo(100) });
  await publish("other-0000000004", "mira", { publishedAt: daysAgo(1) });
  await ana.follow(tomas.uid);

  const { rows, counts } = await ana.list("&kind=chapters");

  expect(rows).toMatchObject([
    {
      action: "published a new story",
      title: "new-0000000001",
      path: "/read/new-0000000001",
      isNew: true,
    },
    { action: "published a new chapter", title: "grown-0000000002", name: "Tomas Lund" },
  ]);
  expect(counts).toEqual({ all: 2, replies: 0, quotes: 0, chapters: 2 });
  expect(await ana.count()).toMatchObject({
    count: 2,
    newest: { text: "Tomas Lund published a new story" },
  });
  await ana.readOne(rows[0]?.key ?? "");
  expect(await ana.count()).toMatchObject({ count: 1 });
});

test("corrections to old stories hide no new story of a followed writer", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const { hosts } = app.firebase;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const mira = await join(app, "Mira Sol");
  const story = { id: "new-0000000001", title: "New", text: "x", uid: mira.uid };
  await publishStory(hosts, { ...story, publishedAt: daysAgo(1) });
  for (let index = 10; index < 22; index += 1) {
    const old = { id: `old-00000000${index}`, title: "Old", text: "x", uid: tomas.uid };
    await publishStory(hosts, { ...old, publishedAt: daysAgo(200), updatedAt: daysAgo(0) });
  }
  for (const { uid } of [tomas, mira]) await ana.follow(uid);

  expect((await ana.list("&kind=chapters")).rows).toMatchObject([{ title: "New" }]);
  expect(await ana.count()).toMatchObject({ count: 1 });
  const { data } = await app.send(home, "/home", { cookie: ana.cookie });
  expect(data).toMatchObject({
    newStories: [{ title: "New" }, ...Array(7).fill({ title: "Old" })],
  });
});

test("answers are listed to the end, thirty at a time, and only the newest 200 stay", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  const reply = await tomas.say("> Ana Reyes: Where is the ferry?\nIn the fog.", question);
  await addAnswers(app, ana.uid, tomas.uid, 205);

  const pages: AnswersView[] = [];
  for (let before: string | null = ""; before !== null; before = pages.at(-1)?.before ?? null) {
    pages.push(await ana.list(before && `&before=${encodeURIComponent(before)}`));
  }
  await app.finish();

  expect(pages.map(({ rows }) => rows.length)).toEqual([30, 30, 30, 30, 30, 30, 20]);
  expect(pages.map(({ isEarlier }) => isEarlier)).toEqual(pages.map((_, index) => index > 0));
  const keys = pages.flatMap(({ rows }) => rows.map(({ key }) => key));
  expect(new Set(keys).size).toBe(200);
  expect(keys[0]).toBe(reply);
  expect(await listStored(app, ana.uid)).toHaveLength(200);
  // The place of an older message is the page that begins with it.
  expect(pages[6]?.rows.at(-1)?.path).toMatch(/^\/home\?before=\d+(\.\d+)?-old-\d+#m-old-\d+$/);
});

test("what a hidden person sends, or deletes again, does not take the place of other answers", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  const reply = await tomas.say("> Ana Reyes: Where is the ferry?\nIn the fog.", question);
  const other = await join(app, "Someone");
  await ana.hide(other.uid);
  const inSixHours = Date.now() + 6 * 3_600_000;
  await addAnswers(app, ana.uid, other.uid, 160, inSixHours);
  await addAnswers(app, ana.uid, "gone", 160, inSixHours + 1, { areDeleted: true });

  expect(await ana.count()).toMatchObject({ count: 1, newest: { key: reply } });
  expect(await ana.list()).toMatchObject({ rows: [{ key: reply }], counts: { all: 1 } });
  await app.finish();
  // The hidden person's are stored as if nobody had hidden them, so that their sender does not find out.
  expect(await listStored(app, ana.uid)).toHaveLength(1 + 160);
});

test("only the newest 200 answers stay of a hidden person, too", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  const reply = await tomas.say("> Ana Reyes: Where is the ferry?\nIn the fog.", question);
  const other = await join(app, "Someone");
  await ana.hide(other.uid);
  const inSixHours = Date.now() + 6 * 3_600_000;
  // Together more deletions than one commit may have.
  await addAnswers(app, ana.uid, other.uid, 240, inSixHours);
  await addAnswers(app, ana.uid, "gone", 480, 3 * inSixHours, { areDeleted: true });

  expect(await ana.list()).toMatchObject({ rows: [{ key: reply }], counts: { all: 1 } });
  await app.finish();
  expect(await listStored(app, ana.uid)).toHaveLength(1 + 200);
});

test("ten replies that were deleted again do not hide the one before them", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  await tomas.say("> Ana Reyes: Where is the ferry?\nIn the fog.", question);
  await addAnswers(app, ana.uid, "gone", 10, Date.now() + 3_600_000, { areDeleted: true });

  expect(await ana.count()).toMatchObject({ count: 1 });
});

test("a page of replies that are gone is filled with the answers before them", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  await addAnswers(app, ana.uid, tomas.uid, 35);
  await addAnswers(app, ana.uid, "gone", 31, Date.now() + 3_600_000, { areDeleted: true });

  const { rows, before, ...first } = await ana.list();
  const second = await ana.list(`&before=${encodeURIComponent(before ?? "")}`);
  await app.finish();

  expect(first).toMatchObject({ counts: { all: 35 }, newCount: 35 });
  const keys = [...rows, ...second.rows].map(({ key }) => key);
  expect(rows).toHaveLength(30);
  expect(keys).toEqual(Array.from({ length: 35 }, (_, index) => `old-${34 - index}`));
  expect(second.before).toBeNull();
  expect(await listStored(app, ana.uid)).toHaveLength(35);
});

test("replies that are gone are not counted as new on a page that does not list them", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  await tomas.say("> Ana Reyes: Where is the ferry?\nIn the fog.", question);
  await addAnswers(app, ana.uid, "gone", 3, Date.now() + 3_600_000, { areDeleted: true });

  expect(await ana.list("&kind=chapters")).toMatchObject({ rows: [], newCount: 1 });
});

test("fifty newer answers that are not counted hide no unread one from the header", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say("Where is the ferry?");
  const reply = await tomas.say("> Ana Reyes: Where is the ferry?\nIn the fog.", question);
  const other = await join(app, "Someone");
  await ana.hide(other.uid);
  const inAnHour = Date.now() + 3_600_000;
  await addAnswers(app, ana.uid, other.uid, 50, inAnHour);
  await addAnswers(app, ana.uid, "gone", 50, 2 * inAnHour, { areDeleted: true });

  expect(await ana.count()).toMatchObject({ count: 1, newest: { key: reply } });
});

test("fifty newer answers that were read one by one hide no unread one from the header", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  await addAnswers(app, ana.uid, tomas.uid, 51);

  for (let index = 50; index > 0; index -= 1) await ana.readOne(`old-${index}`);

  expect(await ana.count()).toMatchObject({ count: 1, newest: { key: "old-0" } });
});

/** Adds messages with answers, each a minute before the next and the last a minute before `end`, bypassing the rules. */
async function addAnswers(
  app: TestApp,
  to: string,
  from: string,
  count: number,
  end = Date.now(),
  { areDeleted = false } = {},
) {
  const root = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;
  const writes = Array.from({ length: count }, (_, index) => {
    const id = areDeleted ? `gone-${index}` : `old-${index}`;
    const at = { timestampValue: new Date(end - (count - index) * 60_000).toISOString() };
    const message = {
      text: { stringValue: `Answer ${index}` },
      uid: { stringValue: from },
      displayName: { stringValue: "Tomas Lund" },
      photoURL: { nullValue: null },
      createdAt: at,
    };
    const answer = { kind: { stringValue: "reply" }, from: { stringValue: from }, at };
    const stored = { update: { name: `${root}/rooms/general/messages/${id}`, fields: message } };
    return [
      ...(areDeleted ? [] : [stored]),
      { update: { name: `${root}/${getAnswersPath(to)}/${id}`, fields: answer } },
    ];
  });
  const { FIRESTORE_EMULATOR_HOST: host } = app.firebase.hosts;
  const response = await fetch(`http://${host}/v1/${root}:commit`, {
    method: "POST",
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify({ writes: writes.flat() }),
  });
  expect(response.status).toBe(200);
}

test("the header counts nine, and says that there are more", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  await addAnswers(app, ana.uid, tomas.uid, 12);

  expect(await ana.count()).toMatchObject({ count: 10 });
});

test("says that the answers cannot be read while the database is unavailable", async () => {
  await using room = await startRoom();
  const { app, ana } = room;
  const broken = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  expectConsoleError();

  const { data } = await broken.send(profile, "/profile?tab=answers", { cookie: ana.cookie });

  expect(data).toMatchObject({ answers: null, tab: "answers" });
});

test("a reply to a message that was just deleted is sent once, without its words", async () => {
  await using room = await startRoom();
  const { app, ana, tomas } = room;
  const question = await ana.say(`${PASSAGE}Where is the ferry?`);
  await deleteDocument(app.firebase.hosts, `rooms/general/messages/${question}`);
  const lines = "> Ana Reyes: Where is the ferry?\n\n";
  const empty = toMessageForm({ id: createDocumentId(), text: lines, replyTo: question });

  const id = await tomas.say(`${PASSAGE}${lines}In the fog.`, question);
  // The same message again, after a lost response.
  await tomas.say(`${PASSAGE}${lines}In the fog.`, question, id);
  const { data } = await app.send(say, "/home", { form: empty, cookie: tomas.cookie });

  expect(data).toMatchObject({ reason: "invalid" });
  expect(await listStored(app, ana.uid)).toEqual([]);
  const { data: page } = await app.send(home, "/home");
  const messages = [{ id, text: `${PASSAGE}In the fog.` }];
  expect(page).toMatchObject({ room: { feed: { messages } } });
});
