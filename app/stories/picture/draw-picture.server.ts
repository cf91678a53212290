import { removeBidiControls } from "#app/ui/bdi.tsx";
import { canDraw, drawBlock, measure, type Font } from "./glyphs.server.ts";
import type { IndexedPng } from "./png.server.ts";

/** The inks of the palettes that `npm run pictures` writes. */
const TITLE_INK = 0;
const AUTHOR_INK = 1;

/** Where the text is, in pixels. */
const LEFT = 80;
const WIDTH = 640;
const MIDDLE = 272;
const MAX_TITLE_HEIGHT = 330;

const SIZES = [84, 74, 66, 58, 50, 44, 38];
const LINE_HEIGHT = 1.14;
const AUTHOR_SIZE = 34;
/** From the last baseline of the title. */
const AUTHOR_GAP = 62;

/** Instead of a title in letters that the fonts lack. */
const TAGLINE = "Stories, in good company.";

/** Longer titles than the app allows, which only programs can write, are cut. */
const MAX_LENGTH = 300;

/** What pictures leave out: emoji, and what joins and colours them. */
const EMOJI =
  /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Variation_Selector}\p{Join_Control}]/gu;

/** Returns a title or a name as pictures show it. */
export function toDrawnText(text: string): string {
  const shown = removeBidiControls(text.slice(0, MAX_LENGTH)).replaceAll(EMOJI, "");
  return shown.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}

/** Writes a title, as large as its space allows, and the name of the writer. */
export function drawText(png: IndexedPng, font: Font, title: string, author: string): void {
  const isDrawn = title !== "" && canDraw(font, title);
  const { lines, size } = fitTitle(font, isDrawn ? title : TAGLINE);
  const name = isDrawn && canDraw(font, author) ? author : "";
  const lineHeight = Math.round(size * LINE_HEIGHT);
  const height = lines.length * lineHeight + (name ? AUTHOR_GAP : 0);
  const baseline = Math.round(MIDDLE - height / 2 + size * 0.85);
  drawBlock(png, font, { lines, size, x: LEFT, baseline, lineHeight }, TITLE_INK);
  const last = baseline + (lines.length - 1) * lineHeight;
  const shown = [truncate(font, name, toUnits(AUTHOR_SIZE))];
  const block = { lines: shown, size: AUTHOR_SIZE, x: LEFT, baseline: last + AUTHOR_GAP };
  drawBlock(png, font, { ...block, lineHeight }, AUTHOR_INK);
}

/** Returns the width of the text's space in thousandths of a font size. */
function toUnits(size: number): number {
  return (WIDTH * 1000) / size;
}

/** Returns a title's lines in the largest size in which they fit, or its beginning in the smallest. */
function fitTitle(font: Font, title: string): { lines: string[]; size: number } {
  const words = title.split(" ").map((text) => ({ text, width: measure(font, text) }));
  const longest = Math.max(...words.map(({ width }) => width));
  const space = measure(font, " ");
  let lines: string[] = [];
  let size = 0;
  for (size of SIZES) {
    const maxLines = Math.floor(MAX_TITLE_HEIGHT / (size * LINE_HEIGHT));
    lines = wrap(words, space, toUnits(size));
    if (longest <= toUnits(size) && lines.length <= maxLines) return { lines, size };
    lines = [...lines.slice(0, maxLines - 1), lines.slice(maxLines - 1).join(" ")];
  }
  const shown = lines.filter(Boolean).map((line) => truncate(font, line, toUnits(size)));
  return { lines: shown, size };
}

function wrap(words: { text: string; width: number }[], space: number, maxWidth: number): string[] {
  const lines: string[] = [];
  let lineWidth = Infinity;
  for (const { text, width } of words) {
    lineWidth += space + width;
    if (lineWidth > maxWidth) {
      lines.push(text);
      lineWidth = width;
    } else lines.push(`${lines.pop()} ${text}`);
  }
  return lines;
}

/** Cuts a text that is too wide. */
function truncate(font: Font, text: string, maxWidth: number): string {
  if (measure(font, text) <= maxWidth) return text;
  const characters = Array.from(text);
  while (measure(font, `${characters.join("")}…`) > maxWidth) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}
