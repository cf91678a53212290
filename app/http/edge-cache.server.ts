import { hash, toHex } from "./hash.server.ts";

/**
 * Identifies the build. Cached pages of an earlier build are not served, because they link to files of that build. Set
 * by `vite.config.ts`.
 */
export const BUILD_ID = String(import.meta.env.BUILD_ID ?? "development");

const MAX_AGE_SECONDS = 24 * 60 * 60;

/** Returns Cloudflare's cache, which the isolates of a data centre share; `undefined` in other environments. */
export function findEdgeCache(): Cache | undefined {
  if (!("caches" in globalThis) || !("default" in caches)) return undefined;
  const cache: unknown = caches.default;
  return cache instanceof Cache ? cache : undefined;
}

/**
 * Returns what is made from a text, from Cloudflare's cache if possible.
 *
 * @param folder of what is made in the same way
 */
export async function findOrCreate(
  folder: string,
  text: string,
  create: () => Promise<string>,
): Promise<string> {
  const cache = findEdgeCache();
  if (!cache) return create();

  const address = `https://edge-cache.invalid/${folder}/${toHex(await hash(text))}`;
  const stored = await cache.match(address).catch(() => undefined);
  if (stored) return stored.text();

  const created = await create();
  const headers = { "Cache-Control": `max-age=${MAX_AGE_SECONDS}` };
  // If caching fails, it is created again next time.
  await cache.put(address, new Response(created, { headers })).catch(() => undefined);
  return created;
}
