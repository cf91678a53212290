import type { Copy, CopyStore } from "../../app/load-context.ts";
import { resolveWithin } from "../resolve-within.ts";
import type { createChangeStore } from "./change-store.ts";
import { DAY_MS, isCopyServable } from "./changes.ts";
import type { PageCache } from "./page-store.ts";

/** Short, because the database has already used up the page's time. */
const FIND_TIMEOUT_MS = 500;

interface CopyStoreOptions {
  cache: PageCache;
  changes: ReturnType<typeof createChangeStore>;
  waitUntil: (promise: Promise<unknown>) => void;
}

/** Stores copies of database contents in Cloudflare's cache. If the cache fails, there is no copy. */
export function createCopyStore({ cache, changes, waitUntil }: CopyStoreOptions): CopyStore {
  async function find(name: string): Promise<Copy | undefined> {
    const [response, latest] = await Promise.all([
      cache.match(toAddress(name)),
      changes.getLatest(cache),
    ]);
    const copy = response && ((await response.json()) as Copy);
    return copy && isCopyServable(copy, latest, Date.now()) ? copy : undefined;
  }

  return {
    find: (name) => resolveWithin(find(name), FIND_TIMEOUT_MS),
    set(name, copy) {
      const headers = { "Cache-Control": `max-age=${DAY_MS / 1000}` };
      const stored = cache.put(toAddress(name), Response.json(copy, { headers })).then(
        () => true,
        () => false,
      );
      waitUntil(stored);
      return stored;
    },
    delete(name) {
      waitUntil(cache.delete(toAddress(name)).catch(() => undefined));
    },
  };
}

/** Returns the address of a copy in the cache. It is the same for all hosts of the site, as in `change-store.ts`. */
function toAddress(name: string): string {
  return `https://copies.invalid/${encodeURIComponent(name)}`;
}
