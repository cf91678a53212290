import { readdir, readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { loader as markdownLoader } from "#app/routes/read.$id[.]md.ts";
import { loader } from "#app/routes/read.$id.tsx";
import { builtInStories } from "#app/stories/built-in.server.ts";
import { sampleItems } from "#app/stories/sample-items.server.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";
import { startApp } from "#tests/support/routes.ts";

const FOLDER = "public/assets/stories";

test("has a text for every book of the list, and no other texts", async () => {
  const books: unknown = JSON.parse(await readFile("public/assets/jsons/books.json", "utf8"));
  const ids = builtInStories.map(({ id }) => id);

  expect(books).toEqual(
    builtInStories.map(({ id, title, cover }) => ({ id, title, coverPhoto: cover })),
  );
  expect((await readdir(FOLDER)).toSorted()).toEqual(ids.map((id) => `${id}.md`).toSorted());
});

// After a change of a text, copy the numbers of the failure to app/stories/built-in-stories.json.
test.each(builtInStories)("has the right length for $title", async ({ id, words, chapters }) => {
  const text = renderMarkdown(await readFile(`${FOLDER}/${id}.md`, "utf8"));

  const starts = text.chapters.map(({ number }) => number);
  expect({ words, chapters }).toEqual({ words: text.words, chapters: starts });
});

test.each(builtInStories)("describes $title", ({ id, description, tags }) => {
  const sample = sampleItems.find(({ readLink }) => readLink === `/read/${id}`);

  expect(description.length).toBeGreaterThan(40);
  expect(description.length).toBeLessThanOrEqual(200);
  if (sample) expect(description).toBe(sample.description);
  expect(tags.length).toBeGreaterThanOrEqual(2);
  expect(tags.length).toBeLessThanOrEqual(4);
});

test("reads a deployed text once", async () => {
  const paths: string[] = [];
  const ASSETS = {
    fetch: async ({ pathname }: URL) => {
      paths.push(pathname);
      return new Response("The heron stood.");
    },
  };
  await using started = await startApp();
  const app = started.withBindings({ ASSETS });
  const params = { id: "what-the-heron-keeps" };

  for (let count = 0; count < 2; count += 1) {
    const file = await app.send(markdownLoader, `/read/${params.id}.md`, { params });
    expect(await (file as Response).text()).toMatch(
      /^# What the Heron Keeps\n.*The heron stood\.$/s,
    );
  }

  expect(paths).toEqual(["/assets/stories/what-the-heron-keeps.md"]);
});

test.each([
  ["is missing", async () => new Response("Not found", { status: 404 })],
  ["cannot be read", () => Promise.reject(new Error("The network is down."))],
])("reports a text that %s", async (_what, fetch) => {
  await using started = await startApp();
  const app = started.withBindings({ ASSETS: { fetch } });
  const params = { id: "what-the-heron-keeps" };

  const page = await app.send(loader, `/read/${params.id}`, { params });

  expect(page).toMatchObject({ status: 200, data: { story: null, isUnavailable: true } });
});
