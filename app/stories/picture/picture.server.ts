import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";

import { createServiceGetter, getEnv } from "#app/env.server.ts";
import { BUILD_ID, findEdgeCache } from "#app/http/edge-cache.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { findBuiltIn, hasAssets } from "#app/stories/built-in.server.ts";
import { getDrawing, PALETTE_COUNT } from "#app/stories/cover/drawing.ts";
import { findStoryHead, type StoryHead } from "#app/stories/stories.server.ts";
import { drawText, toDrawnText } from "./draw-picture.server.ts";
import type { Font } from "./glyphs.server.ts";
import { decodePng, encodePng } from "./png.server.ts";

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
