import type { PageCache } from "../../functions/page-cache/page-store.ts";

/** Cloudflare's cache, in memory and without an expiry. */
export function createMemoryCache() {
  const entries = new Map<string, { body: ArrayBuffer; headers: [string, string][] }>();
  const cache: PageCache = {
    match: (key) => {
      const entry = entries.get(key);
      return Promise.resolve(entry && new Response(entry.body.slice(0), entry));
    },
    put: async (key, response) => {
      const body = await response.arrayBuffer();
      entries.set(key, { body, headers: [...response.headers] });
    },
  };
  return {
    cache,
    /** The addresses and texts of everything that is stored. */
    list: () =>
      [...entries].map(([key, { body, headers }]) => ({
        key: decodeURIComponent(key),
        text: JSON.stringify(headers) + new TextDecoder().decode(body),
      })),
  };
}
