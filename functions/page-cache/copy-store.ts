import type { Copy, CopyStore } from "../../app/load-context.ts";
import type { createChangeStore } from "./change-store.ts";
import { DAY_MS, isCopyServable } from "./changes.ts";
import type { PageCache } from "./page-store.ts";

interface Options {
  cache: PageCache;
  /** Part of all addresses, so that no copy of an earlier build is found. */
  buildId: string;
  changes: ReturnType<typeof createChangeStore>;
  waitUntil: (promise: Promise<unknown>) => void;
}

/** Stores copies in Cloudflare's cache. If that fails, there is no copy. */
export function createCopyStore({ cache, buildId, changes, waitUntil }: Options): CopyStore {
  // The same for all hosts of the site, as for `page-changes.invalid`.
  const toAddress = (name: string) =>
    `https://copies.invalid/${buildId}/${encodeURIComponent(name)}`;
  return {
    async find(name) {
      const [response, latest] = await Promise.all([
        cache.match(toAddress(name)).catch(() => undefined),
        changes.getLatest(cache),
      ]);
      const copy = response && ((await response.json()) as Copy);
      return copy && isCopyServable(copy, latest, Date.now()) ? copy : undefined;
    },
    set(name, copy) {
      const headers = { "Cache-Control": `max-age=${DAY_MS / 1000}` };
      const put = cache.put(toAddress(name), Response.json(copy, { headers }));
      waitUntil(put.catch(() => undefined));
    },
  };
}
