import { findEdgeCache, findOrCreate } from "#app/http/edge-cache.server.ts";
import { getDirection } from "./language-attributes.ts";
import { pause, renderInSteps, type RenderedText } from "./markdown.server.ts";
import type { Direction } from "./text-direction.server.ts";

/** The total size of an isolate's cache, in UTF-16 units of Markdown. */
const MAX_CACHED_LENGTH = 4_000_000;

/** In UTF-16 units: rendering a text this long takes longer than reading Cloudflare's cache. */
const SHARED_LENGTH = 20_000;

/** Part of the cache key. Increment it when the output of `renderInSteps` changes. */
const RENDERER_VERSION = 12;

/** Keys are Markdown, which begins with a line break only for text from right to left. The least recently used text comes first. */
const cached = new Map<string, RenderedText>();

/** The texts that are being rendered. */
const unfinished = new Map<string, Rendering>();

interface Rendering {
  steps: ReturnType<typeof renderInSteps>;
  /** The result of the last step. */
  text?: RenderedText;
}

/**
 * Returns a rendered text, from a cache if possible, because rendering a long text takes half a second. Each isolate has
 * a cache in memory. Long texts are also in Cloudflare's cache, which the isolates of a data centre share.
 *
 * @param language only its direction matters
 */
export async function getRenderedText(markdown: string, language?: string): Promise<RenderedText> {
  // Line breaks before a text change nothing but the key.
  const text = markdown.replace(/^\n+/, "");
  const key = getDirection(language) === "rtl" ? `\n${text}` : text;
  const rendered = cached.get(key) ?? (await readOrRender(key, getDirection(language)));
  cached.delete(key);
  cached.set(key, rendered);
  trimCache();
  return rendered;
}

async function readOrRender(markdown: string, direction: Direction): Promise<RenderedText> {
  if (markdown.length < SHARED_LENGTH || !findEdgeCache()) return render(markdown, direction);
  const json = await findOrCreate(`rendered/${RENDERER_VERSION}`, markdown, async () =>
    JSON.stringify(await render(markdown, direction)),
  );
  // Only this module writes to this folder.
  return JSON.parse(json) as RenderedText;
}

/**
 * Renders a text with time for other requests between the steps. Requests for the same text share the steps instead of a
 * promise, which would never resolve if workerd cancelled the request that renders.
 */
async function render(markdown: string, direction: Direction): Promise<RenderedText> {
  const rendering = unfinished.get(markdown) ?? { steps: renderInSteps(markdown, direction) };
  unfinished.set(markdown, rendering);
  try {
    while (!rendering.text) {
      const { done, value }: IteratorResult<undefined, RenderedText | undefined> =
        rendering.steps.next();
      if (done && !value) throw new Error("Another request failed to render this text");
      if (value) rendering.text = value;
      else await pause();
    }
    return rendering.text;
  } finally {
    unfinished.delete(markdown);
  }
}

function trimCache(): void {
  let length = 0;
  for (const markdown of cached.keys()) length += markdown.length;
  for (const oldest of cached.keys()) {
    if (length <= MAX_CACHED_LENGTH || cached.size === 1) return;
    cached.delete(oldest);
    length -= oldest.length;
  }
}
