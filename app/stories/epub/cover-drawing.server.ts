import motifs from "#public/assets/covers/motifs.svg?raw";
import { getDrawing } from "#app/stories/cover/drawing.ts";
import type { Story } from "#app/stories/story.ts";
import { getDirection } from "#app/stories/text-direction.server.ts";
import { escapeXml } from "#app/stories/xml.server.ts";

/**
 * The colours of each palette: the top and the bottom of the ground, and the motif. They repeat the styles of `DrawnCover`
 * in sRGB, because few e-readers know `oklch()`. tests/stories/epub.test.ts derives them from the tokens.
 */
export const PALETTES = [
  ["#0d4d3a", "#102c23", "#54b189"],
  ["#004c4f", "#0a2b2b", "#30b1af"],
  ["#07485e", "#0e2a32", "#40aacd"],
  ["#294266", "#182735", "#6ba0dd"],
  ["#403b64", "#212534", "#9393dd"],
  ["#513559", "#292230", "#b488cc"],
  ["#5c3148", "#2f2128", "#cb81ae"],
  ["#613133", "#312120", "#d67f89"],
  ["#5f351e", "#302318", "#d48565"],
  ["#563c0d", "#2b2513", "#c4914b"],
  ["#454410", "#242814", "#a89f4a"],
  ["#2e4a24", "#1a2b1a", "#81ab64"],
] as const;

const WORDS = "#ecfff6";

/** In units of the drawing, which is 60 by 90. */
const FONT_SIZE = 6.6;
const LINE_HEIGHT = 7.6;
const MARGIN = 4.8;

const MAX_LINES = 5;

/** In the width of a wide character. */
const LINE_WIDTH = (60 - 2 * MARGIN) / FONT_SIZE;
const LETTER_WIDTH = 0.56;

/** Characters that are as wide as high. Lines can break between them. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFF60]/u;

/** Returns the cover that pages draw with styles as an SVG file. */
export function drawCover({ id, title, cover }: Pick<Story, "id" | "title" | "cover">): string {
  const { palette, motif } = getDrawing(id, cover);
  const [top, bottom, fill] = PALETTES[palette] ?? PALETTES[0];
  const [drawing = ""] = new RegExp(`<g id="m${motif}">.*?</g>`, "s").exec(motifs) ?? [];
  const direction = getDirection(title);
  const x = direction === "rtl" ? 60 - MARGIN : MARGIN;
  const lines = breakLines(title).map(
    (line, index) =>
      `<tspan x="${x}" y="${(11.2 + index * LINE_HEIGHT).toFixed(1)}">${escapeXml(line)}</tspan>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 90" width="600" height="900">
  <title>${escapeXml(title)}</title>
  <linearGradient id="ground" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="${top}"/>
    <stop offset="1" stop-color="${bottom}"/>
  </linearGradient>
  <rect width="60" height="90" fill="url(#ground)"/>
  <g fill="${fill}">
    ${drawing.replaceAll("currentColor", WORDS)}
  </g>
  <text fill="${WORDS}" font-family="Georgia, serif" font-size="${FONT_SIZE}" font-weight="bold" direction="${direction}">${lines.join("")}</text>
</svg>
`;
}

/** Breaks a title into lines by the usual widths of letters. Longer titles end with an ellipsis. */
function breakLines(title: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of splitTitle(title)) {
    if (line === "" || measure((line + piece).trimEnd()) <= LINE_WIDTH) {
      line += piece;
      continue;
    }
    lines.push(line.trimEnd());
    line = piece;
  }
  lines.push(line.trimEnd());
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES - 1), `${lines[MAX_LINES - 1] ?? ""}…`];
}

/** Returns words with the space after them, single wide characters, and the parts of words that are longer than a line. */
function splitTitle(title: string): string[] {
  const pieces: string[] = [];
  let isEnd = true;
  for (const character of title.trim()) {
    const last = pieces.at(-1) ?? "";
    const isFull = measure(last + character) > LINE_WIDTH;
    if (isEnd || isFull || WIDE.test(character)) pieces.push(character);
    else pieces[pieces.length - 1] = last + character;
    isEnd = /\s/.test(character) || WIDE.test(character);
  }
  return pieces;
}

function measure(text: string): number {
  let width = 0;
  for (const character of text) {
    // Marks are above or below the letter before them.
    if (!/\p{M}/u.test(character)) width += WIDE.test(character) ? 1 : LETTER_WIDTH;
  }
  return width;
}
