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
