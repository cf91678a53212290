import type { PageChange, PageRecord } from "../../app/load-context.ts";
import {
  DAY_MS,
  mergeRemovals,
  mergeTimes,
  NO_CHANGES,
  NO_REMOVALS,
  type PageChanges,
  type Removals,
} from "./changes.ts";
import type { PageCache } from "./page-store.ts";

/** How long this isolate uses the changes that it has read. Until then a page in memory costs no request. */
const MAX_AGE_MS = 1000;

const TIMED_CHANGES: readonly PageChange[] = ["message-sent", "content-changed"];

const HEADERS = { "Cache-Control": `max-age=${DAY_MS / 1000}` };

/** Stores the changes, in the memory of this isolate and in Cloudflare's cache for all isolates of the data centre. */
export function createChangeStore(now: () => number) {
  /** By origin. */
  const lastChanges = new Map<string, { changes: PageChanges; readAt: number }>();

  async function readTimes(cache: PageCache, origin: string): Promise<PageChanges["times"]> {
    const times = TIMED_CHANGES.map(async (kind) => {
      const response = await cache.match(toAddress(origin, kind));
      return [kind, Number(await response?.text())] as const;
    });
    return Object.fromEntries((await Promise.all(times)).filter(([, time]) => time > 0));
  }

  async function readRemovals(cache: PageCache, origin: string): Promise<Removals> {
    const response = await cache.match(toAddress(origin, "removals"));
    return response ? ((await response.json()) as Removals) : NO_REMOVALS;
  }

  /** Each kind has its own address, so that isolates do not overwrite each other's times. */
  async function write(cache: PageCache, address: string, text: string): Promise<void> {
    await cache.put(address, new Response(text, { headers: HEADERS })).catch(() => undefined);
  }

  function writeRemovals(cache: PageCache, origin: string, removals: Removals): Promise<void> {
    return write(cache, toAddress(origin, "removals"), JSON.stringify(removals));
  }

  async function read(cache: PageCache, origin: string): Promise<PageChanges> {
    const readAt = now();
    const found = await Promise.all([readTimes(cache, origin), readRemovals(cache, origin)]).catch(
      () => null,
    );
    // Read after waiting, because this isolate may have added changes.
    const { changes: cached } = lastChanges.get(origin) ?? { changes: NO_CHANGES };
    const [times, stored] = found ?? [{}, NO_REMOVALS];
    const removals = mergeRemovals(cached.removals, stored, now());
    const changes = {
      times: mergeTimes(cached.times, times),
      removals,
      isComplete: found !== null,
    };
    lastChanges.set(origin, { changes, readAt });
    // New removals, and those that another isolate has overwritten because it removed something at the same time.
    if (found && JSON.stringify(removals) !== JSON.stringify(stored)) {
      await writeRemovals(cache, origin, removals);
    }
    return changes;
  }

  return {
    /** Returns the changes, including those that other isolates made up to a second ago. */
    async get(cache: PageCache, origin: string): Promise<PageChanges> {
      const cached = lastChanges.get(origin);
      return cached && now() - cached.readAt < MAX_AGE_MS ? cached.changes : read(cache, origin);
    },

    /** Returns all changes that were recorded until now. */
    getLatest: read,

    /** Records changes that have just been made. */
    async add(
      cache: PageCache,
      origin: string,
      { changes: kinds, removedIds }: Pick<PageRecord, "changes" | "removedIds">,
    ): Promise<void> {
      const time = now();
      const { changes, readAt } = lastChanges.get(origin) ?? {
        changes: NO_CHANGES,
        readAt: -Infinity,
      };
      const times = Object.fromEntries([...kinds].map((kind) => [kind, time]));
      const listed = [...removedIds].map((id) => [id, time] as const);
      const added = {
        ...changes,
        times: mergeTimes(changes.times, times),
        removals: mergeRemovals(changes.removals, { listed, droppedAt: 0 }, time),
      };
      lastChanges.set(origin, { changes: added, readAt });
      await Promise.all(
        [...kinds].map((kind) => write(cache, toAddress(origin, kind), String(time))),
      );
      if (listed.length === 0) return;
      // Adds the new removals to the stored ones.
      const { isComplete, removals } = await read(cache, origin);
      if (!isComplete) await writeRemovals(cache, origin, removals);
    },
  };
}

function toAddress(origin: string, name: PageChange | "removals"): string {
  return `${origin}/_cache/changes/${name}`;
}
