import { expect, test } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as createMessage } from "#app/routes/home.tsx";
import { action as savePosition } from "#app/routes/reading-positions.ts";
import { loader } from "#app/routes/read.$id.tsx";
import { action as saveSettings } from "#app/routes/reading-settings.ts";
import { changeDocument } from "#tests/support/documents.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { createPosition, getCookie, open, ORCHARD } from "./reading.ts";

const STORY = "the-salt-road-0123456789";
const TEXT =
  "The road began.\n\n- It ![x](https://example.com/x.png '</p><!--') went on.\n\n```\n</pre>\n```\n\nIt ended.";
const IDS = renderMarkdown(TEXT).paragraphs.map(({ id }) => id);

/** Publishes the story, with a message about each paragraph. */
async function startStory() {
  const app = await startApp();
  await publishStory(app.firebase.hosts, { id: STORY, title: "The Salt Road", text: TEXT });
  const ana = await join(app);
  for (const id of [...IDS, "p-gone"]) await quote(app, ana.cookie, STORY, id);
  return app;
}

async function join(app: TestApp) {
  const account = await app.firebase.addAccount();
  return { uid: account.localId, cookie: await signIn(app, account) };
}

async function quote(app: TestApp, cookie: string, story: string, paragraph: string) {
  const text = `“x”\n/read/${story}#${paragraph}`;
  const form = toMessageForm({ id: createDocumentId(), text });
  expect(await app.send(createMessage, "/home", { form, cookie })).toHaveProperty("status", 303);
}

/** Saves the user's position at a paragraph. */
async function readTo(app: TestApp, cookie: string, number: number, percent = 50, ids = IDS) {
  const paragraph = ids[number] ?? "";
  const position = createPosition({ story: STORY, paragraph, number, percent, time: Date.now() });
  const form = { position: JSON.stringify(position) };
  await app.send(savePosition, "/reading-positions", { form, cookie });
}

/** Returns the paragraphs with a mark in the text that the server has rendered. */
async function listMarked(app: TestApp, cookie?: string): Promise<string[]> {
  const story = await open(app, STORY, cookie);
  return Array.from(
    String(story?.html).matchAll(/<\/\w+><a data-mark href="[^"]*\?passage=([^"]+)#room"/g),
    ([, id = ""]) => id,
  );
}

test("marks quoted passages up to the reader's position", async () => {
  await using app = await startStory();
  const { cookie } = await join(app);
  expect(await listMarked(app)).toEqual([]);
  expect(await listMarked(app, cookie)).toEqual([]);

  await readTo(app, cookie, 1);

  expect(await listMarked(app, cookie)).toEqual(IDS.slice(0, 2));
  await readTo(app, cookie, 0, 100);
  expect(await listMarked(app, cookie)).toEqual(IDS);
});

test("a finished story to which a chapter is added continues at the end of what was read", async () => {
  await using app = await startStory();
  const { cookie } = await join(app);
  await readTo(app, cookie, IDS.length - 1, 100);
  const device = getCookie([
    createPosition({ story: STORY, paragraph: IDS[1] ?? "", number: 1, time: 1 }),
  ]);
  const text = `${TEXT}\n\n## Two\n\nNobody came.`;
  await publishStory(app.firebase.hosts, { id: STORY, title: "The Salt Road", text });
  const added = renderMarkdown(text).paragraphs.at(-1)?.id ?? "";
  await quote(app, cookie, STORY, added);

  expect(await open(app, STORY, `${cookie}; ${device}`)).toMatchObject({
    position: { paragraph: IDS.at(-1), percent: 74 },
    otherPosition: null,
    lastReached: IDS.length - 1,
    quoted: { lastReached: IDS.length - 1 },
  });
  expect(await listMarked(app, cookie)).toEqual(IDS);
  // The stored position of a large window is that of its first visible line.
  const end = [
    ...IDS,
    ...renderMarkdown(text)
      .paragraphs.slice(-2)
      .map(({ id }) => id),
  ];
  await readTo(app, cookie, IDS.length, 100, end);
  expect(await open(app, STORY, cookie)).toMatchObject({
    position: { paragraph: added, percent: 100 },
  });
  expect(await listMarked(app, cookie)).toEqual([...IDS, added]);
});

test("shows all marks to the story's author", async () => {
  await using app = await startStory();
  const { uid, cookie } = await join(app);
  await changeDocument(app.firebase.hosts, `stories/${STORY}`, { uid: { stringValue: uid } });

  expect(await listMarked(app, cookie)).toEqual(IDS);
});

test("changes nothing else in the text", async () => {
  await using app = await startStory();
  const { cookie } = await join(app);
  const before = await open(app, STORY);

  await readTo(app, cookie, 0, 100);
  const after = await open(app, STORY, cookie);

  const unmarked = String(after?.html).replaceAll(/<a data-mark .*?<\/a>/g, "");
  expect(unmarked).toBe(before?.html);
  expect(after?.version).toBe(before?.version);
  expect(after?.marks).toEqual(IDS.map((paragraph, number) => ({ paragraph, number, count: 1 })));
});

test("names the mark by the number of messages", async () => {
  await using app = await startStory();
  const { cookie } = await join(app);
  await quote(app, cookie, STORY, IDS[0] ?? "");
  await readTo(app, cookie, 1);

  const story = await open(app, STORY, cookie);

  expect(story?.html).toContain('aria-label="2 messages about this passage"><span>2</span>');
  expect(story?.html).toContain('aria-label="1 message about this passage"><span>1</span>');
});

test("says at the story's end how many messages quote it", async () => {
  await using app = await startStory();
  const { cookie } = await join(app);
  await quote(app, cookie, STORY, IDS[0] ?? "");

  const story = await open(app, STORY, cookie);

  expect(story?.end).toContain(`${IDS.length + 1} messages quote this story.`);
});

test("shows no marks once the reader has turned them off", async () => {
  await using app = await startStory();
  const { cookie } = await join(app);
  await readTo(app, cookie, 1);
  const saved = await app.send(saveSettings, "/reading-settings", { form: { quotes: "off" } });

  const off = `${cookie}; ${toCookieHeader(saved.headers)}`;

  expect(await listMarked(app, off)).toEqual([]);
  expect(await open(app, STORY, off)).toMatchObject({ marks: [], settings: { quotes: "off" } });
});

test("marks passages of a built-in story by the position in this browser", async () => {
  await using app = await startApp();
  const { cookie } = await join(app);
  const story = await open(app, ORCHARD);
  const [, id = ""] = /id="(p-[^"]+)"/.exec(String(story?.html)) ?? [];
  await quote(app, cookie, ORCHARD, id);
  const row = [ORCHARD, "Orchard", id, "There were", 0, 0, 10, 1, Date.now()];

  const device = `places=${encodeURIComponent(JSON.stringify([row]))}`;
  const outcome = await app.send(loader, `/read/${ORCHARD}.data`, {
    params: { id: ORCHARD },
    cookie: device,
  });

  expect(outcome.data).toMatchObject({
    story: { html: expect.stringContaining(`?passage=${id}#room`), lastReached: 0 },
  });
});
