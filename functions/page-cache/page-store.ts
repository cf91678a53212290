import { DAY_MS } from "./changes.ts";
import type { StoredPage } from "./stored-page.ts";

/** The part of the Cache API that is used here. */
export interface PageCache {
  match: (address: string) => Promise<Response | undefined>;
  put: (address: string, response: Response) => Promise<void>;
  delete: (address: string) => Promise<boolean>;
}

/** Small compared with the 128 MB of an isolate. */
const MAX_MEMORY_BYTES = 8_000_000;

const HEAD_HEADER = "X-Page";

/**
 * Stores pages in the memory of this isolate, and in Cloudflare's cache for all isolates of the data centre. Failures
 * of the cache are ignored: the page is then rendered.
 *
 * @param buildId is part of all keys, so that pages of earlier builds are not found
 */
export function createPageStore(buildId: string, now: () => number) {
  /** The least recently used page comes first. */
  const memory = new Map<string, StoredPage>();
  let size = 0;

  function toPageAddress(origin: string, key: string): string {
    return `${origin}/_cache/pages/${buildId}/${encodeURIComponent(key)}`;
  }

  function setInMemory(key: string, page: StoredPage): void {
    deleteFromMemory(key);
    memory.set(key, page);
    size += page.bytes.length;
    for (const oldest of memory.keys()) {
      if (size <= MAX_MEMORY_BYTES) return;
      deleteFromMemory(oldest);
    }
  }

  function deleteFromMemory(key: string): void {
    size -= memory.get(key)?.bytes.length ?? 0;
    memory.delete(key);
  }

  /** Returns a page that is less than a day old. The data centre's cache has no older ones either. */
  function findInMemory(key: string): StoredPage | undefined {
    const page = memory.get(key);
    if (!page || now() - page.head.startedAt < DAY_MS) return page;
    deleteFromMemory(key);
    return undefined;
  }

  return {
    /**
     * Returns a page.
     *
     * @param newerThan pages in memory that are older are looked up in the cache too. Milliseconds since the Unix epoch.
     */
    async find(
      cache: PageCache,
      { origin, key, newerThan }: { origin: string; key: string; newerThan: number },
    ): Promise<StoredPage | undefined> {
      const inMemory = findInMemory(key);
      if (inMemory && inMemory.head.startedAt > newerThan) {
        memory.delete(key);
        memory.set(key, inMemory);
        return inMemory;
      }
      const response = await cache.match(toPageAddress(origin, key)).catch(() => undefined);
      const head = response?.headers.get(HEAD_HEADER);
      const bytes = response && head ? new Uint8Array(await response.arrayBuffer()) : null;
      // Read again after waiting, because the page may have been rendered meanwhile.
      const cached = findInMemory(key);
      if (!head || !bytes) return cached;
      const page = { head: JSON.parse(head) as StoredPage["head"], bytes };
      if (cached && cached.head.startedAt >= page.head.startedAt) return cached;
      setInMemory(key, page);
      return page;
    },

    /** Stores a page for a day, unless one that was rendered later is stored. */
    async set(cache: PageCache, origin: string, key: string, page: StoredPage): Promise<void> {
      const cached = memory.get(key);
      if (cached && cached.head.startedAt > page.head.startedAt) return;
      setInMemory(key, page);
      const response = new Response(page.bytes, {
        headers: {
          "Cache-Control": `max-age=${DAY_MS / 1000}`,
          "Content-Type": "application/octet-stream",
          [HEAD_HEADER]: JSON.stringify(page.head),
        },
      });
      await cache.put(toPageAddress(origin, key), response).catch(() => undefined);
    },
  };
}
