import { renderMarkdown, type RenderedText } from "./markdown.server.ts";

/** In UTF-16 units of Markdown, over all texts that one isolate keeps. */
const MAX_KEPT_LENGTH = 4_000_000;

/** Rendering a text this long takes longer than asking the edge for the last result. In UTF-16 units. */
const SHARED_LENGTH = 20_000;
const SHARED_SECONDS = 24 * 60 * 60;

/** Part of the shared results' address: another pipeline is another address. Count up when its output changes. */
const PIPELINE = 3;

/** In the order in which they were last asked for. */
const kept = new Map<string, RenderedText>();

/**
 * Returns a text as it is shown. Long ones take half a second to render, so an isolate keeps what it made, and the
 * edge keeps long ones for all of its isolates.
 */
export async function getRenderedText(markdown: string): Promise<RenderedText> {
  const known = kept.get(markdown);
  const text = known ?? (await findOrRender(markdown));
  kept.delete(markdown);
  kept.set(markdown, text);
  trim();
  return text;
}

async function findOrRender(markdown: string): Promise<RenderedText> {
  const cache = findEdgeCache();
  if (!cache || markdown.length < SHARED_LENGTH) return renderMarkdown(markdown);

  const address = await toAddress(markdown);
  const answer = await cache.match(address).catch(() => undefined);
  // Nobody but us writes there, and the address tells what was written.
  if (answer) return (await answer.json()) as RenderedText;

  const text = renderMarkdown(markdown);
  const headers = { "Cache-Control": `max-age=${SHARED_SECONDS}` };
  // What cannot be kept is made again.
  await cache.put(address, Response.json(text, { headers })).catch(() => undefined);
  return text;
}

function trim(): void {
  let length = 0;
  for (const markdown of kept.keys()) length += markdown.length;
  for (const oldest of kept.keys()) {
    if (length <= MAX_KEPT_LENGTH || kept.size === 1) return;
    kept.delete(oldest);
    length -= oldest.length;
  }
}

/** Cloudflare's own cache; `undefined` where there is none. */
function findEdgeCache(): Cache | undefined {
  if (!("caches" in globalThis) || !("default" in caches)) return undefined;
  const cache: unknown = caches.default;
  return cache instanceof Cache ? cache : undefined;
}

async function toAddress(markdown: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(markdown));
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return `https://rendered-text.invalid/${PIPELINE}/${hash.join("")}`;
}
