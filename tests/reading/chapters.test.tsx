import { expect, test } from "vitest";

import { ChatProvider } from "#app/chat/chat-provider.tsx";
import { getProgress } from "#app/reading/positions/use-position-tracking.ts";
import type { ReadingData } from "#app/reading/reading-data.ts";
import { Reader } from "#app/reading/reader/reader.tsx";
import { action as savePosition } from "#app/routes/reading-position.ts";
import { loader as statusLoader } from "#app/routes/story-status.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { readJson, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { renderPage } from "#tests/ui/render.tsx";
import { open, ORCHARD } from "./reading.ts";

const ID = "the-salt-road-0123456789";
const WORDS = "word ".repeat(450).trim();
const TEXT = ["Before.", "## One", WORDS, "## Two", WORDS, "### A part", "## Three", WORDS].join(
  "\n\n",
);

const firebase = {
  apiKey: "",
  projectId: "",
  appId: undefined,
  databaseURL: undefined,
  emulators: {},
};

async function load(app: TestApp, text: string, cookie?: string): Promise<ReadingData> {
  await publishStory(app.firebase.hosts, { id: ID, title: "The Salt Road", text });
  return (await open(app, ID, cookie)) as unknown as ReadingData; // as the loader made it
}

function render(story: ReadingData): string {
  const reader = <Reader story={story} uid={undefined} firebase={firebase} hiddenUids={[]} />;
  return renderPage(`/read/${ID}`, <ChatProvider>{reader}</ChatProvider>).replaceAll(
    /<!--.*?-->/g,
    "",
  );
}

test("headings of level 2 make chapters", async () => {
  await using app = await startApp();

  const { chapters, html } = await load(app, TEXT);

  expect(chapters.map(({ title }) => title)).toEqual(["One", "Two", "Three"]);
  expect(chapters[0]?.start).toBe("Before.".length);
  for (const [number, { id, end }] of chapters.entries()) {
    expect(html).toContain(`<h2 id="${id}">`);
    if (chapters[number + 1]) expect(end).toBe(chapters[number + 1]?.start);
  }
});

test("the addresses of chapters survive edits elsewhere", async () => {
  await using app = await startApp();
  const { chapters: before } = await load(app, TEXT);

  const { chapters: after } = await load(
    app,
    TEXT.replace("## One", "## A new one\n\nIt began.\n\n## Uno").replace("Before", "Long before"),
  );

  expect(after.slice(2).map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id));
});

test.each([
  ["without headings", "It began.\n\nIt ended."],
  ["with one heading", "## One\n\nIt began."],
  ["with other headings", "### One\n\nIt began.\n\n### Two\n\nIt ended."],
])("a story %s has no chapters", async (_what, text) => {
  await using app = await startApp();

  const story = await load(app, text);
  const html = render(story);

  expect(story.chapters).toEqual([]);
  expect(html).not.toContain("Contents");
  expect(html).not.toContain("Chapter");
  expect(html).toContain("Type");
});

test("shows what is read, what is left of the current chapter and how long the others are", async () => {
  await using app = await startApp();
  const { chapters } = await load(app, TEXT);
  const form = { story: ID, paragraph: chapters[1]?.id ?? "" };
  const saved = await app.send(savePosition, "/reading-position", { form });

  const story = await load(app, TEXT, toCookieHeader(saved.headers));
  const html = render(story);
  const toLink = (name: string, id?: string) =>
    new RegExp(`<a [^>]*aria-label="${name}"[^>]* href="[^"]*#${id}"`);

  expect(html).toContain("Chapter 2 of 3 · 33%");
  expect(html).toMatch(
    /1\. <bdi>One<\/bdi><\/span>.*?Read<\/span>.*?2\. <bdi>Two<\/bdi><\/span>.*?2 min left<\/span>/s,
  );
  expect(html).toMatch(/3\. <bdi>Three<\/bdi><\/span><span[^>]*>2 min<\/span>/);
  expect(html).toMatch(toLink("Previous chapter: One", chapters[0]?.id));
  expect(html).toMatch(toLink("Next chapter: Three", chapters[2]?.id));
});

test("counts the progress in the chapter and in the whole story", () => {
  const chapters = [
    { id: "p-1", title: "One", start: 10, end: 110 },
    { id: "p-2", title: "Two", start: 110, end: 210 },
  ];

  expect(getProgress(chapters, 0, 0)).toMatchObject({ chapter: -1 });
  expect(getProgress(chapters, 10, 4)).toEqual({ chapter: 0, chapterPercent: 0, percent: 4 });
  expect(getProgress(chapters, 135, 64)).toEqual({ chapter: 1, chapterPercent: 25, percent: 64 });
  expect(getProgress(chapters, 210, 100)).toMatchObject({ chapter: 1, chapterPercent: 100 });
});

test("says that a story is still being written", async () => {
  await using app = await startApp();
  const story = await load(app, TEXT);

  expect(story.isOngoing).toBe(false);
  expect(render(story)).not.toContain("still being written");
  expect(render({ ...story, isOngoing: true })).toContain("This story is still being written.");
});

test("responds to scripts with the time of a story's last change", async () => {
  await using app = await startApp();
  const { updatedAt } = await load(app, TEXT);

  for (const [id, time] of [
    [ID, updatedAt],
    ["gone-0123456789", null],
    [ORCHARD, null],
    ["../users/ana", null],
  ] as const) {
    const path = `/story-status?story=${encodeURIComponent(id)}`;
    expect(await readJson(await app.send(statusLoader, path))).toEqual({ updatedAt: time });
  }
  expect(updatedAt).toBe(Date.parse("2026-01-01T00:00:00Z"));
  expect((await app.send(statusLoader, "/story-status")).headers.get("Location")).toBe("/home");
});

test("reports that the time of the last change cannot be read now", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await app.send(statusLoader, `/story-status?story=${ID}`);

  expect(response.status).toBe(503);
});
