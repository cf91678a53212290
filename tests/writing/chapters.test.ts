import { expect, test } from "vitest";

import { findChapters } from "#app/writing/chapters.ts";

test("finds the headings of level 2, and no other lines", () => {
  const markdown = [
    "# Salt and Sand",
    "## High water",
    "The tide came in. ## Not a heading",
    "   ## Low water ##",
    "### A part",
    "```",
    "## Code",
    "~~~",
    "```",
    "##",
    "##Also not",
  ].join("\n");

  expect(findChapters(markdown)).toEqual(["High water", "Low water", ""]);
});
