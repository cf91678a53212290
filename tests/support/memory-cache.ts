import type { PageCache } from "../../functions/page-cache/with-page-cache.ts";

/** Cloudflare's cache, in memory and without an expiry. */
export function createMemoryCache() {
  const entries = new Map<string, { body: ArrayBuffer; headers: [string, string][] }>();
  let failure: "match" | "body" | undefined;
  const cache: PageCache = {
    match: (key) => {
      const error = new Error("The cache does not respond");
      if (failure === "match") return Promise.reject(error);
      const entry = entries.get(key);
      if (entry && failure === "body") {
        const body = new ReadableStream({ start: (controller) => controller.error(error) });
        return Promise.resolve(new Response(body, entry));
      }
      return Promise.resolve(entry && new Response(entry.body.slice(0), entry));
    },
    put: async (key, response) => {
      const body = await response.arrayBuffer();
      entries.set(key, { body, headers: [...response.headers] });
    },
  };
  return {
    cache,
    /** Makes all later lookups fail, or the bodies that they find. */
    setFailure(next: "match" | "body"): void {
      failure = next;
    },
    /** The addresses and texts of everything that is stored. */
    list: () =>
      [...entries].map(([key, { body, headers }]) => ({
        key: decodeURIComponent(key),
        text: JSON.stringify(headers) + new TextDecoder().decode(body),
      })),
  };
}
