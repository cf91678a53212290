import type { PageChange } from "../../app/load-context.ts";
import type { StoredPage } from "./stored-page.ts";

/** The part of the Cache API that is used here. */
export interface PageCache {
  match: (address: string) => Promise<Response | undefined>;
  put: (address: string, response: Response) => Promise<void>;
}

/** When each kind of change last happened in this data centre, in milliseconds since the Unix epoch. */
export type PageChanges = Partial<Record<PageChange, number>>;

const DAY_SECONDS = 24 * 60 * 60;

/** How long this isolate uses the changes that it has read. Until then a page in memory costs no request. */
const CHANGES_MAX_AGE_MS = 1000;

/** A small share of the 128 MB of an isolate. */
const MAX_MEMORY_BYTES = 8_000_000;

const HEAD_HEADER = "X-Page";

const CHANGES: readonly PageChange[] = ["message-sent", "content-changed", "content-removed"];

/**
 * Stores pages in the memory of this isolate, and in Cloudflare's cache for all isolates of the data centre. Failures
 * of the cache are ignored: the page is then rendered.
 *
 * @param buildId is part of all keys, so that no page of an earlier build is found
 */
export function createPageStore(buildId: string, now: () => number) {
  /** The least recently used page comes first. */
  const memory = new Map<string, StoredPage>();
  let size = 0;
  const lastChanges = new Map<string, { changes: PageChanges; readAt: number }>();

  function toPageAddress(origin: string, key: string): string {
    return `${origin}/_cache/pages/${buildId}/${encodeURIComponent(key)}`;
  }

  function toChangeAddress(origin: string, kind: PageChange): string {
    return `${origin}/_cache/changes/${kind}`;
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

  /** Each kind has its own address, so that isolates do not overwrite each other's changes. */
  async function readChanges(cache: PageCache, origin: string): Promise<PageChanges> {
    const times = CHANGES.map(async (kind) => {
      const response = await cache.match(toChangeAddress(origin, kind)).catch(() => undefined);
      return [kind, Number(await response?.text())] as const;
    });
    return Object.fromEntries((await Promise.all(times)).filter(([, time]) => time > 0));
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
      const known = memory.get(key);
      if (known && known.head.startedAt > newerThan) {
        memory.delete(key);
        memory.set(key, known);
        return known;
      }
      const response = await cache.match(toPageAddress(origin, key)).catch(() => undefined);
      const head = response?.headers.get(HEAD_HEADER);
      if (!response || !head) return known;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const page = { head: JSON.parse(head) as StoredPage["head"], bytes };
      if (known && known.head.startedAt >= page.head.startedAt) return known;
      setInMemory(key, page);
      return page;
    },

    /** Stores a page for a day, unless one that was rendered later is stored. */
    async set(cache: PageCache, origin: string, key: string, page: StoredPage): Promise<void> {
      const known = memory.get(key);
      if (known && known.head.startedAt > page.head.startedAt) return;
      setInMemory(key, page);
      const response = new Response(page.bytes, {
        headers: {
          "Cache-Control": `max-age=${DAY_SECONDS}`,
          "Content-Type": "application/octet-stream",
          [HEAD_HEADER]: JSON.stringify(page.head),
        },
      });
      await cache.put(toPageAddress(origin, key), response).catch(() => undefined);
    },

    /** Returns the last changes, including those of other isolates after at most a second. */
    async getChanges(cache: PageCache, origin: string): Promise<PageChanges> {
      const known = lastChanges.get(origin);
      if (known && now() - known.readAt < CHANGES_MAX_AGE_MS) return known.changes;
      const readAt = now();
      const changes = merge(known?.changes ?? {}, await readChanges(cache, origin));
      lastChanges.set(origin, { changes, readAt });
      return changes;
    },

    /** Records changes that have just been made. */
    async addChanges(
      cache: PageCache,
      origin: string,
      kinds: ReadonlySet<PageChange>,
    ): Promise<void> {
      const time = now();
      const headers = { "Cache-Control": `max-age=${DAY_SECONDS}` };
      const { changes = {}, readAt = 0 } = lastChanges.get(origin) ?? {};
      const added = Object.fromEntries([...kinds].map((kind) => [kind, time]));
      lastChanges.set(origin, { changes: merge(changes, added), readAt });
      const puts = [...kinds].map((kind) => {
        const response = new Response(String(time), { headers });
        return cache.put(toChangeAddress(origin, kind), response).catch(() => undefined);
      });
      await Promise.all(puts);
    },
  };
}

/** Returns the later time of each kind. */
function merge(one: PageChanges, other: PageChanges): PageChanges {
  const merged: PageChanges = { ...one };
  for (const [kind, time] of Object.entries(other) as [PageChange, number][]) {
    merged[kind] = Math.max(merged[kind] ?? 0, time);
  }
  return merged;
}
