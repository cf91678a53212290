import { expect, test } from "vitest";

import { openFile } from "#app/writing/import/open-file.client.ts";
import { importText } from "#app/writing/import/import-text.ts";
import { describeLosses } from "#app/writing/import/losses.ts";
import { IMPORTED_FILES } from "#tests/support/imported-files.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";

for (const [name, { file, title = "", text, notKept = [] }] of Object.entries(IMPORTED_FILES)) {
  test(`imports ${name}`, () => {
    const imported = importText(file);
    expect(imported.text).toBe(text);
    expect(imported.title).toBe(title);
    expect(describeLosses(imported.losses, "kept")).toEqual(notKept);
  });
}

test("leaves out the scene breaks before and after all scenes", () => {
  const html = "<html><hr><h1>The Ferry</h1><hr><h2>One</h2><p>Fog.</p><p>* * *</p></html>";
  const bytes = new TextEncoder().encode(html);
  expect(importText({ name: "ferry.html", bytes })).toMatchObject({
    title: "The Ferry",
    text: "## One\n\nFog.",
  });
});

test("keeps a document's title in the text of a story that has another one", () => {
  const work = (title: string) => ({
    name: "ferry.html",
    bytes: new TextEncoder().encode(
      `<html><div id="workskin"><h2 class="title">${title}</h2><div class="userstuff"><p>Fog.</p></div></div></html>`,
    ),
  });
  const page = "<html><h1>The *Ferry*</h1><h2>One</h2><p>Fog.</p></html>";
  const bytes = new TextEncoder().encode(page);
  const chapter = "## One\n\nFog.";
  expect(openFile("ferry.html", bytes, "")).toMatchObject({ text: chapter });
  expect(openFile("ferry.html", bytes, "The *Ferry*")).toMatchObject({ text: chapter });
  const text = `# The \\*Ferry\\*\n\n${chapter}`;
  expect(openFile("ferry.html", bytes, "The Storm")).toMatchObject({ text });
  const { name, bytes: saved } = work("The Ferry");
  expect(openFile(name, saved, "The Storm")).toMatchObject({ text: "# The Ferry\n\nFog." });
  const long = "The Ferry ".repeat(30).trim();
  expect(importText(work(long))).toMatchObject({ title: "", text: `# ${long}\n\nFog.` });
});

const LINK = '<a href="https://example.com/">here</a>';

test.each([
  ["a link", `Look!${LINK}`, "Look\\![here](https://example.com/)"],
  ["a bold link", `Look!<b>${LINK}</b>`, "Look\\![**here**](https://example.com/)"],
  ["a link after bold words", `<b>Look!</b>${LINK}`, "**Look**\\![here](https://example.com/)"],
  ["a link in bold words", `<b>Look!${LINK}</b>`, "**Look\\![here](https://example.com/)**"],
])("%s after an exclamation mark is no picture", (_, markup, text) => {
  const bytes = new TextEncoder().encode(`<html><p>${markup}</p></html>`);
  const imported = importText({ name: "ferry.html", bytes });

  expect(imported.text).toBe(text);
  const { html } = renderMarkdown(imported.text);
  expect(html).toContain('href="https://example.com/"');
  expect(html).not.toContain("<img");
});
