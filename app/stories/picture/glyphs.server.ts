import type { IndexedPng } from "./png.server.ts";

/** The outlines of a font, as `npm run pictures` writes them. Lengths are thousandths of the font's size. */
export interface Font {
  /**
   * The width of each character, and its outline: the points of contours, which are separated by M. Each point is relative
   * to the one before, with y upwards.
   */
  glyphs: Record<string, [advance: number, outline: string]>;
  /** How far the second of two characters moves. */
  kerning: Record<string, number>;
}

/** Lines of text in one size. Lengths are pixels. */
export interface TextBlock {
  lines: readonly string[];
  size: number;
  x: number;
  /** The baseline of the first line. */
  baseline: number;
  lineHeight: number;
}

/** How many colours a palette has for each ink: steps from the ground to the full colour. */
export const RAMP = 15;

export function canDraw({ glyphs }: Font, text: string): boolean {
  return Array.from(text).every((character) => character in glyphs);
}

/** Returns the width of a text in thousandths of the font's size. */
export function measure(font: Font, text: string): number {
  return place(font, text, () => {});
}

/** Calls `onGlyph` with the start of each character, and returns the width of all. */
function place(
  { glyphs, kerning }: Font,
  text: string,
  onGlyph: (character: string, start: number) => void,
): number {
  let width = 0;
  let last = "";
  for (const character of text) {
    width += kerning[last + character] ?? 0;
    onGlyph(character, width);
    width += glyphs[character]?.[0] ?? 0;
    last = character;
  }
  return width;
}

/**
 * Draws text on the ground, whose index is 0. Glyphs begin at whole pixels, so that each is drawn once and copied.
 *
 * @param ink the number of the ink, counted from 0
 */
export function drawBlock(
  { width, rows }: IndexedPng,
  font: Font,
  { lines, size, x, baseline, lineHeight }: TextBlock,
  ink: number,
): void {
  const scale = size / 1000;
  const bitmaps = new Map<string, Bitmap>();
  for (const [index, line] of lines.entries()) {
    place(font, line, (character, start) => {
      const outline = font.glyphs[character]?.[1];
      if (!outline) return;
      const bitmap = bitmaps.get(character) ?? toBitmap(outline, scale);
      bitmaps.set(character, bitmap);
      const left = Math.round(x + start * scale) + bitmap.left;
      const top = baseline + index * lineHeight + bitmap.top;
      const { levels } = bitmap;
      for (let from = 0, to = top * (width + 1) + 1 + left; from < levels.length; to += width + 1) {
        for (let column = 0; column < bitmap.width; column++, from++) {
          const level = levels[from] ?? 0;
          if (level > 0) rows[to + column] = ink * RAMP + level;
        }
      }
    });
  }
}

/** How much of each pixel a glyph covers, from 0 to `RAMP`, and where the pixels are from its start on the baseline. */
interface Bitmap {
  left: number;
  top: number;
  width: number;
  levels: Uint8Array;
}

/**
 * Each edge adds to the pixels that it crosses how much it covers to its right. Their sum along a row is the coverage.
 *
 * @see https://medium.com/@raphlinus/inside-the-fastest-font-renderer-in-the-world-75ae5270c445
 */
function toBitmap(outline: string, scale: number): Bitmap {
  const edges = toEdges(outline, scale);
  const [minX, minY, maxX, maxY] = findBounds(edges);
  const [left, top] = [Math.floor(minX), Math.floor(minY)];
  // An edge also adds to the pixel after it.
  const width = Math.ceil(maxX) - left + 2;
  const height = Math.ceil(maxY) - top;
  const sums = new Float32Array(width * height);

  for (let at = 0; at < edges.length; at += 4) {
    const x0 = edges[at] ?? 0;
    const y0 = edges[at + 1] ?? 0;
    const x1 = edges[at + 2] ?? 0;
    const y1 = edges[at + 3] ?? 0;
    if (y0 === y1) continue;
    const slope = (x1 - x0) / (y1 - y0);
    const direction = y0 < y1 ? 1 : -1;
    const upper = Math.min(y0, y1) - top;
    const lower = Math.max(y0, y1) - top;
    for (let row = Math.floor(upper); row < lower; row++) {
      const from = Math.max(upper, row);
      const to = Math.min(lower, row + 1);
      const one = x0 - left + (from + top - y0) * slope;
      const other = x0 - left + (to + top - y0) * slope;
      const first = Math.min(one, other);
      const last = Math.max(one, other);
      for (let column = Math.floor(first); column <= last; column++) {
        const start = Math.max(first, column);
        const end = Math.min(last, column + 1);
        const share = last > first ? (end - start) / (last - first) : 1;
        const covered = (to - from) * share * direction;
        const after = covered * ((start + end) / 2 - column);
        const pixel = row * width + column;
        sums[pixel] = (sums[pixel] ?? 0) + covered - after;
        sums[pixel + 1] = (sums[pixel + 1] ?? 0) + after;
      }
    }
  }

  const levels = new Uint8Array(sums.length);
  let sum = 0;
  for (let at = 0; at < sums.length; at++) {
    sum = (at % width === 0 ? 0 : sum) + (sums[at] ?? 0);
    levels[at] = Math.round(Math.min(1, Math.abs(sum)) * RAMP);
  }
  return { left, top, width, levels };
}

/** Returns the edges of an outline in pixels, with y downwards: four numbers for each. */
function toEdges(outline: string, scale: number): number[] {
  const edges: number[] = [];
  let [x, y] = [0, 0];
  for (const contour of outline.split("M")) {
    const numbers = contour.split(" ");
    const first = edges.length;
    for (let at = 0; at < numbers.length; at += 2) {
      const [fromX, fromY] = [x, y];
      x += Number(numbers[at]) * scale;
      y -= Number(numbers[at + 1]) * scale;
      if (at > 0) edges.push(fromX, fromY, x, y);
    }
    edges.push(x, y, edges[first] ?? x, edges[first + 1] ?? y);
  }
  return edges;
}

function findBounds(edges: readonly number[]): [number, number, number, number] {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < edges.length; at += 2) {
    const x = edges[at] ?? 0;
    const y = edges[at + 1] ?? 0;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return [minX, minY, maxX, maxY];
}
