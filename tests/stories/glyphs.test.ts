import { expect, test } from "vitest";

import { drawBlock, RAMP } from "#app/stories/picture/glyphs.server.ts";

/** Draws a glyph on a picture of 6 by 4 pixels, and returns the levels of its ink. A unit of the outline is a pixel. */
function draw(outline: string): number[][] {
  const width = 6;
  // Each row begins with a byte for its filter.
  const rows = new Uint8Array((width + 1) * 4);
  const font = { glyphs: { a: [4, outline] as [number, string] }, kerning: {} };
  const block = { lines: ["a"], size: 1000, x: 1, baseline: 4, lineHeight: 4 };
  drawBlock({ width, height: 4, palette: new Uint8Array(), rows }, font, block, 0);
  return [0, 1, 2, 3].map((row) => [...rows.subarray(row * 7 + 1, row * 7 + 7)]);
}

test("a glyph covers the pixels inside its outline, and those at a slanted edge in part", () => {
  const all = RAMP;
  const half = Math.round(RAMP / 2);

  expect(draw("0 0 0 2 3 0 0 -2")).toEqual([
    [0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0],
    [0, all, all, all, 0, 0],
    [0, all, all, all, 0, 0],
  ]);
  expect(draw("0 0 0 4 4 -4")).toEqual([
    [0, half, 0, 0, 0, 0],
    [0, all, half, 0, 0, 0],
    [0, all, all, half, 0, 0],
    [0, all, all, all, half, 0],
  ]);
});
