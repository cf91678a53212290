import { expect, test } from "vitest";

import { importText } from "#app/writing/import/import-text.ts";
import { describeLosses } from "#app/writing/import/losses.ts";
import { IMPORTED_FILES } from "#tests/support/imported-files.ts";

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
