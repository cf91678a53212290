import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { chromium, type Page } from "@playwright/test";
import * as hb from "harfbuzzjs";
import subsetFont from "subset-font";

import { builtInStories } from "#app/stories/built-in.server.ts";
import { RAMP } from "#app/stories/picture/glyphs.server.ts";
import { encodePng } from "#app/stories/picture/png.server.ts";
import { requireChromium } from "#tests/support/chromium.ts";

// Writes public/assets/pictures, from which the Worker draws the pictures of shared stories: the outlines of two fonts, and
// a PNG with a cover and the site's name for each built-in story and for each motif of the drawn covers. The colours of the
// text are the first of each palette. Each motif has a palette for each hue, in a file of their own.

const WIDTH = 1200;
const HEIGHT = 630;
const GROUND = 0x0a241b;
/** The colours of the title and of the name below it. */
const INKS = [0xf1fbf6, 0xa9e8cc];

const FOLDER = "public/assets/pictures";
const MOTIFS = 6;
const HUES = 12;

/** How many colours of a palette are for text: the ground, and the steps to each ink. */
const TEXT_COLOURS = 1 + INKS.length * RAMP;
const MAX_COLOURS = 256 - TEXT_COLOURS;

/** What the fonts may have: Latin, Greek, Cyrillic, Vietnamese and punctuation. */
const ALL_CHARACTERS = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x259, 0x259],
  [0x2bb, 0x2bc],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x1e00, 0x1eff],
  [0x1f00, 0x1fff],
  [0x2010, 0x205e],
  [0x20a0, 0x20bf],
  [0x2116, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
]
  .flatMap(([first = 0, last = 0]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
  .map((code) => String.fromCodePoint(code))
  .filter((character) => !/[\p{C}\p{Bidi_Control}]/u.test(character))
  .join("");

/** The characters whose pairs have kerning. */
const KERNED = /[A-Za-zÀ-ÿΑ-ωА-яЁё.,’“-]/;
const MIN_KERN = 12;

type Point = [x: number, y: number];

/** In thousandths of the font size. */
const TOLERANCE = 2;
const CURVE_STEPS = 8;

type Pixels = Uint8ClampedArray | Uint8Array;

const require = createRequire(import.meta.url);

await mkdir(FOLDER, { recursive: true });
await writeFonts();
await writeCovers();

async function writeFonts() {
  const fraunces = { source: "@fontsource/fraunces/files/fraunces", weight: 600 };
  const latin = ["latin", "latin-ext", "vietnamese"];
  await writeOutlines("fraunces", { ...fraunces, subsets: ["latin"] });
  await writeOutlines("fraunces-ext", { ...fraunces, subsets: latin });
  await writeOutlines("literata", {
    source: "@fontsource/literata/files/literata",
    weight: 600,
    subsets: ["latin", "greek", "cyrillic", "cyrillic-ext"],
  });
}

interface FontSource {
  source: string;
  weight: number;
  subsets: string[];
}

/** Writes the glyphs of a font as outlines, with its kerning. */
async function writeOutlines(name: string, { source, weight, subsets }: FontSource) {
  const glyphs: Record<string, [advance: number, outline: string]> = {};
  const kerning: Record<string, number> = {};
  for (const subset of subsets) {
    const woff2 = await readFile(require.resolve(`${source}-${subset}-${weight}-normal.woff2`));
    const truetype = await subsetFont(woff2, ALL_CHARACTERS, { targetFormat: "truetype" });
    const face = new hb.Face(new hb.Blob(new Uint8Array(truetype).buffer));
    const font = new hb.Font(face);
    const shape = (text: string) => {
      const buffer = new hb.Buffer();
      buffer.addText(text);
      buffer.guessSegmentProperties();
      hb.shape(font, buffer);
      const advances = buffer.getGlyphPositions().map(({ xAdvance }) => xAdvance);
      return { ids: buffer.getGlyphInfos().map(({ codepoint }) => codepoint), advances };
    };
    const toThousandths = (length = 0) => Math.round((length * 1000) / face.upem);
    const added = Array.from(ALL_CHARACTERS).filter((character) => {
      if (character in glyphs) return false;
      const { ids, advances } = shape(character);
      const [id = 0] = ids;
      if (ids.length !== 1 || id === 0) return false;
      glyphs[character] = [toThousandths(advances[0]), toContours(font.glyphToPath(id), face.upem)];
      return true;
    });
    const paired = added.filter((character) => KERNED.test(character));
    for (const one of paired) {
      for (const other of paired) {
        const { ids, advances } = shape(one + other);
        // Ligatures are one glyph.
        if (ids.length !== 2) continue;
        const kern = toThousandths((advances[0] ?? 0) - (shape(one).advances[0] ?? 0));
        if (Math.abs(kern) >= MIN_KERN) kerning[one + other] = kern;
      }
    }
  }
  const json = JSON.stringify({ glyphs, kerning });
  await writeFile(`${FOLDER}/${name}.json`, `${json}\n`);
  const counts = `${Object.keys(glyphs).length} glyphs, ${Object.keys(kerning).length} pairs`;
  console.log(`${name}: ${counts}, ${json.length} bytes`);
}

/**
 * Returns the contours of a path as points in thousandths of the font size, each relative to the one before. Curves become
 * lines that differ from them by less than a sixth of a pixel in the largest size.
 */
function toContours(path: string, unitsPerEm: number): string {
  const contours: Point[][] = [];
  for (const [, command, numbers = ""] of path.matchAll(/([MLQ])([^MLQZ]*)/g)) {
    const [x = 0, y = 0, endX = 0, endY = 0] = (numbers.match(/-?[\d.]+/g) ?? []).map(
      (number) => (Number(number) * 1000) / unitsPerEm,
    );
    const contour = contours.at(-1) ?? [];
    if (command === "M") contours.push([[x, y]]);
    if (command === "L") contour.push([x, y]);
    if (command !== "Q") continue;
    const [fromX, fromY] = contour.at(-1) ?? [0, 0];
    for (let step = 1; step <= CURVE_STEPS; step++) {
      const t = step / CURVE_STEPS;
      const mix = (from: number, control: number, end: number) =>
        (1 - t) * (1 - t) * from + 2 * t * (1 - t) * control + t * t * end;
      contour.push([mix(fromX, x, endX), mix(fromY, y, endY)]);
    }
  }
  let [lastX, lastY] = [0, 0];
  const texts = contours.map((contour) => {
    const points = simplify(contour).map(([x, y]) => {
      const [nextX, nextY] = [Math.round(x), Math.round(y)];
      const text = `${nextX - lastX} ${nextY - lastY}`;
      [lastX, lastY] = [nextX, nextY];
      return text;
    });
    return points.join(" ");
  });
  return texts.join("M");
}

/** Removes points that are near to the line between others: the algorithm of Ramer, Douglas and Peucker. */
function simplify(points: Point[]): Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 3) return points;
  const [dx, dy] = [last[0] - first[0], last[1] - first[1]];
  const length = Math.hypot(dx, dy);
  const distances = points.map(([x, y]) =>
    length === 0
      ? Math.hypot(x - first[0], y - first[1])
      : Math.abs((x - first[0]) * dy - (y - first[1]) * dx) / length,
  );
  const furthest = distances.indexOf(Math.max(...distances));
  if ((distances[furthest] ?? 0) <= TOLERANCE) return [first, last];
  return [
    ...simplify(points.slice(0, furthest + 1)).slice(0, -1),
    ...simplify(points.slice(furthest)),
  ];
}

async function writeCovers() {
  await using browser = await chromium.launch({ executablePath: requireChromium() });
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  const fonts = await readFile("app/styles/subsets/fraunces-600.woff2", "base64");
  for (const { id, cover } of builtInStories) {
    const svg = await readFile(`public${cover}`, "base64");
    const image = `<img src="data:image/svg+xml;base64,${svg}">`;
    const { indexes, palettes } = toIndexed([await draw(page, fonts, image)]);
    await write(id, indexes, palettes[0] ?? []);
  }
  const motifs = await readFile("public/assets/covers/motifs.svg", "utf8");
  for (let motif = 0; motif < MOTIFS; motif++) {
    const pictures: Pixels[] = [];
    for (let hue = 0; hue < HUES; hue++) {
      const turn = (hue * 360) / HUES;
      const [, shapes = ""] = new RegExp(`<g id="m${motif}">(.*?)</g>`, "s").exec(motifs) ?? [];
      const svg = `<svg viewBox="0 0 60 90" style="--turn:${turn}">${shapes}</svg>`;
      pictures.push(await draw(page, fonts, svg));
    }
    const { indexes, palettes } = toIndexed(pictures);
    await write(`m${motif}`, indexes, palettes[0] ?? []);
    await writeFile(`${FOLDER}/m${motif}-palettes.bin`, toBytes(palettes.flat()));
  }
}

async function write(name: string, indexes: Uint8Array, palette: number[]) {
  const rows = new Uint8Array((WIDTH + 1) * HEIGHT);
  for (let row = 0; row < HEIGHT; row++) {
    rows.set(indexes.subarray(row * WIDTH, (row + 1) * WIDTH), row * (WIDTH + 1) + 1);
  }
  const image = { width: WIDTH, height: HEIGHT, palette: toBytes(palette), rows };
  const png = encodePng(image, 9);
  await writeFile(`${FOLDER}/${name}.png`, png);
  console.log(`${name}: ${palette.length} colours, ${png.length} bytes`);
}

/** Draws everything but the text of a picture, and returns its pixels. */
async function draw(page: Page, font: string, cover: string): Promise<Pixels> {
  await page.setContent(`<!doctype html>
    <style>
      @font-face { font-family: Fraunces; src: url(data:font/woff2;base64,${font}); }
      body { margin: 0; background: ${toHexColour(GROUND)}; overflow: hidden }
      .cover { position: absolute; left: 782px; top: 69px; width: 328px; height: 492px; border-radius: 12px;
        overflow: hidden; box-shadow: 0 24px 60px -12px #02090788; }
      .cover img, .cover svg { display: block; width: 100%; height: 100% }
      .cover svg { color: #ecfff6; fill: oklch(from #34d399 calc(l - 0.08) calc(0.7 * c) calc(h + var(--turn)));
        --ground: oklch(from #0d4d3a l c calc(h + var(--turn)));
        background: linear-gradient(var(--ground), color-mix(in oklab, var(--ground), #0b1311 55%)) }
      .site { position: absolute; left: 80px; top: 520px; display: flex; align-items: center; gap: 12px;
        color: #b7c7bf; font: 600 30px/1 Fraunces }
    </style>
    <div class="cover">${cover}</div>
    <div class="site"><svg viewBox="0 0 32 32" width="42" height="42">
      <path fill="#34d399" d="M26 3C13 4 5 11 5 20c0 3 1 5 2 7 1-9 7-15 14-18-6 4-10 10-11 18 9 1 17-7 16-24z"/>
      <circle fill="#fda172" cx="8" cy="29" r="2"/></svg>Inkglade</div>`);
  await page.evaluate(() => document.fonts.ready);
  const png = (await page.screenshot()).toString("base64");
  const pixels = await page.evaluate(
    async ({ source, width, height }) => {
      const blob = await (await fetch(`data:image/png;base64,${source}`)).blob();
      const context = new OffscreenCanvas(width, height).getContext("2d");
      context?.drawImage(await createImageBitmap(blob), 0, 0);
      const bytes = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
      let text = "";
      for (let at = 0; at < bytes.length; at += 30_000)
        text += String.fromCharCode(...bytes.subarray(at, at + 30_000));
      return btoa(text);
    },
    { source: png, width: WIDTH, height: HEIGHT },
  );
  return Buffer.from(pixels, "base64");
}

/** Returns the pixels that all pictures share as indexes, and the palette of each picture. */
function toIndexed(pictures: Pixels[]): { indexes: Uint8Array; palettes: number[][] } {
  const colourAt = (pixels: Pixels, at: number) =>
    ((pixels[at * 4] ?? 0) << 16) | ((pixels[at * 4 + 1] ?? 0) << 8) | (pixels[at * 4 + 2] ?? 0);
  const counts = new Map<string, { colours: number[]; count: number }>();
  const keys = Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
    const colours = pictures.map((pixels) => colourAt(pixels, at));
    const key = colours.join();
    const entry = counts.get(key) ?? { colours, count: 0 };
    entry.count++;
    counts.set(key, entry);
    return key;
  });
  const kept: number[][] = [];
  // Frequent colours first, and those that none of the palette is near to.
  const sorted = [...counts.values()].toSorted((a, b) => b.count - a.count);
  for (let radius = 24; radius >= 0 && kept.length < MAX_COLOURS; radius -= radius > 6 ? 6 : 2) {
    for (const { colours } of sorted) {
      if (kept.length === MAX_COLOURS) break;
      if (kept.every((other) => getDistance(other[0], colours[0]) > radius)) kept.push(colours);
    }
  }
  const ground = kept.findIndex(([first]) => first === GROUND);
  const nearest = new Map<string, number>();
  for (const [key, { colours }] of counts) {
    const distances = kept.map((other) => getDistance(other[0], colours[0]));
    const index = distances.indexOf(Math.min(...distances));
    nearest.set(key, index === ground ? 0 : index + TEXT_COLOURS);
  }
  const text = [GROUND, ...INKS.flatMap(toRamp)];
  return {
    indexes: Uint8Array.from(keys, (key) => nearest.get(key) ?? 0),
    palettes: pictures.map((_, picture) => [
      ...text,
      ...kept.map((colours) => colours[picture] ?? 0),
    ]),
  };
}

function toRamp(ink: number): number[] {
  return Array.from({ length: RAMP }, (_, step) => {
    const share = (step + 1) / RAMP;
    const mix = (shift: number) => {
      const [from, to] = [(GROUND >> shift) & 255, (ink >> shift) & 255];
      return Math.round(from + (to - from) * share) << shift;
    };
    return mix(16) | mix(8) | mix(0);
  });
}

function getDistance(one = 0, other = 0): number {
  const parts = [16, 8, 0].map((shift) => ((one >> shift) & 255) - ((other >> shift) & 255));
  return Math.hypot(...parts);
}

function toBytes(palette: readonly number[]): Uint8Array {
  return Uint8Array.from(palette.flatMap((colour) => [colour >> 16, colour >> 8, colour]));
}

function toHexColour(colour: number): string {
  return `#${colour.toString(16).padStart(6, "0")}`;
}
