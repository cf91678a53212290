import type { PageCache } from "../../functions/page-cache/with-page-cache.ts";

/** Cloudflare's cache, in memory and without an expiry. */
export function createMemoryCache() {
  const entries = new Map<string, { body: ArrayBuffer; headers: [string, string][] }>();
  let failing: string | undefined;
  const cache: PageCache = {
    match: (key) => {
      if (failing !== undefined && key.includes(failing)) {
        return Promise.reject(new Error("The cache does not respond"));
      }
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
    /** Makes all later lookups of addresses that contain this text fail. */
    setFailing(text: string): void {
      failing = text;
    },
    /** The addresses and texts of everything that is stored. */
    list: () =>
      [...entries].map(([key, { body, headers }]) => ({
        key: decodeURIComponent(key),
        text: JSON.stringify(headers) + new TextDecoder().decode(body),
      })),
  };
}
