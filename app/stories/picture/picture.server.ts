import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";

import { createServiceGetter, getEnv } from "#app/env.server.ts";
import { BUILD_ID, findEdgeCache } from "#app/http/edge-cache.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { findBuiltIn, hasAssets } from "#app/stories/built-in.server.ts";
import { getDrawing, PALETTE_COUNT } from "#app/stories/cover/drawing.ts";
import { findStoryHead, type StoryHead } from "#app/stories/stories.server.ts";
import { removeBidiControls } from "#app/ui/bdi.tsx";
import { canDraw, drawBlock, measure, type Font } from "./glyphs.server.ts";
import { decodePng, encodePng, type IndexedPng } from "./png.server.ts";

type Drawing = ReturnType<typeof getDrawing>;

const FOLDER = "/assets/pictures";

/** Its address changes with the story. */
const CACHE_CONTROL = "public, max-age=86400";

/**
 * Responds with the picture of a story for link previews: its cover, title and writer, 1200 by 630 pixels. It is drawn once
 * for each data centre and version of the story. Every request makes sure that the story is published.
 */
export async function sendPicture({
  request,
  context,
  params,
}: LoaderFunctionArgs): Promise<Response> {
  try {
    const story = await findStoryHead({ context }, params.id ?? "");
    if (!story) return sendText(404, "There is no such picture.\n");
    const headers = { "Content-Type": "image/png", "Cache-Control": CACHE_CONTROL };
    if (request.method === "HEAD") return new Response(null, { headers });
    return new Response(await findOrDraw({ request, context }, story), { headers });
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return sendText(503, "We can't load this picture right now.\n");
  }
}

/** Returns the picture of the data centre's cache, or draws it. Its address in the cache contains all that it depends on. */
async function findOrDraw(
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
  story: StoryHead,
): Promise<ArrayBuffer | Uint8Array<ArrayBuffer>> {
  const title = toDrawnText(story.title);
  const author = toDrawnText(story.author);
  const drawing = getDrawing(story.id, story.cover);
  const base = findBuiltIn(story.id) ? story.id : drawing;
  const { origin } = new URL(request.url);
  const content = encodeURIComponent(JSON.stringify([base, title, author]));
  const address = `${origin}/_cache/pictures/${BUILD_ID}/${content}`;
  const cache = getEnv(context).PAGE_CACHE === "off" ? undefined : findEdgeCache();
  const cached = await cache?.match(address).catch(() => undefined);
  if (cached) {
    const { record } = context.cloudflare.data ?? {};
    if (record) record.isCached = true;
    return cached.arrayBuffer();
  }

  const bytes = await draw(context, base, title, author);
  const stored = new Response(bytes, { headers: { "Cache-Control": CACHE_CONTROL } });
  const storing = cache?.put(address, stored).catch(() => undefined);
  if (storing) getWaitUntil(context)?.(storing);
  return bytes;
}

async function draw(
  context: AppLoadContext,
  base: string | Drawing,
  title: string,
  author: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const isDrawing = typeof base !== "string";
  const files = getFiles(context);
  const [font, png, palettes] = await Promise.all([
    files.getFont(findFontName(title + author)),
    files.getBytes(isDrawing ? `m${base.motif}.png` : `${base}.png`),
    isDrawing ? files.getBytes(`m${base.motif}-palettes.bin`) : undefined,
  ]);
  const picture = decodePng(png);
  if (palettes && isDrawing) {
    const length = palettes.length / PALETTE_COUNT;
    picture.palette = palettes.subarray(base.palette * length, (base.palette + 1) * length);
  }
  drawText(picture, font, title, author);
  return encodePng(picture);
}

/** Returns the name of the smallest font that has the letters, or most of them. */
function findFontName(text: string): string {
  if (/[\p{Script=Greek}\p{Script=Cyrillic}]/u.test(text)) return "literata";
  return /^[\u0020-\u00FF\u2010-\u2026]*$/.test(text) ? "fraunces" : "fraunces-ext";
}

/** Reads what pictures are drawn from. Each isolate reads a font once. */
const getFiles = createServiceGetter((_, context) => {
  const { env } = context.cloudflare;
  const fonts = new Map<string, Font>();

  async function getFile(name: string): Promise<Response> {
    const path = `${FOLDER}/${name}`;
    // Only the path matters to the binding. The development server, which has no binding, serves the file.
    const url = new URL(path, context.cloudflare.request?.url ?? "https://assets.local");
    try {
      const response = await (hasAssets(env) ? env.ASSETS.fetch(url) : fetch(url));
      if (response.ok) return response;
    } catch (cause) {
      throw new UnavailableError(`Could not read ${path}`, { cause });
    }
    throw new UnavailableError(`${path} is not deployed`);
  }

  return {
    getBytes: async (name: string) => new Uint8Array(await (await getFile(name)).arrayBuffer()),

    async getFont(name: string): Promise<Font> {
      const font = fonts.get(name) ?? (await (await getFile(`${name}.json`)).json<Font>());
      fonts.set(name, font);
      return font;
    },
  };
});

function sendText(status: number, text: string): Response {
  const retry = status === 503 && { "Retry-After": "60" };
  return new Response(text, { status, headers: { "Cache-Control": "no-store", ...retry } });
}

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
function toDrawnText(text: string): string {
  const shown = removeBidiControls(text.slice(0, MAX_LENGTH)).replaceAll(EMOJI, "");
  return shown.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}

/** Writes a title, as large as its space allows, and the name of the writer. */
function drawText(png: IndexedPng, font: Font, title: string, author: string): void {
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
