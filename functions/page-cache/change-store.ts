import type { PageChange, PageRecord } from "../../app/load-context.ts";
import {
  DAY_MS,
  mergeIds,
  mergeTimes,
  NO_CHANGES,
  NO_IDS,
  type IdList,
  type PageChanges,
} from "./changes.ts";
import type { PageCache } from "./page-store.ts";

/** How long this isolate uses the changes that it has read. Until then a page in memory costs no request. */
const MAX_AGE_MS = 1000;

const TIMED_CHANGES: readonly PageChange[] = ["message-sent", "lists-changed"];

type ListName = "changedIds" | "removals";

const HEADERS = { "Cache-Control": `max-age=${DAY_MS / 1000}` };

type Recorded = Pick<PageRecord, "changes" | "changedIds" | "removedIds">;

/**
 * Stores what has changed in the memory of this isolate, and in Cloudflare's cache for all isolates of the data centre.
 *
 * @param projectId the Firebase project, because previews with another one may share the cache
 */
export function createChangeStore(projectId: string, now: () => number) {
  let last = { changes: NO_CHANGES, readAt: -Infinity };

  /**
   * The same for all hosts of the site, such as `www`: what is removed through one must not stay on the pages of another.
   * Cloudflare's cache needs an address, and a name that cannot exist cannot be requested.
   */
  function toAddress(name: PageChange | ListName): string {
    return `https://page-changes.invalid/${projectId}/${name}`;
  }

  async function readTimes(cache: PageCache): Promise<PageChanges["times"]> {
    const times = TIMED_CHANGES.map(async (kind) => {
      const response = await cache.match(toAddress(kind));
      return [kind, Number(await response?.text())] as const;
    });
    return Object.fromEntries((await Promise.all(times)).filter(([, time]) => time > 0));
  }

  async function readIds(cache: PageCache, name: ListName): Promise<IdList> {
    const response = await cache.match(toAddress(name));
    return response ? ((await response.json()) as IdList) : NO_IDS;
  }

  async function readStored(cache: PageCache): Promise<PageChanges> {
    const [times, changedIds, removals] = await Promise.all([
      readTimes(cache),
      readIds(cache, "changedIds"),
      readIds(cache, "removals"),
    ]);
    return { times, changedIds, removals, isComplete: true };
  }

  /** Each kind has its own address, so that isolates do not overwrite each other's times. */
  async function write(cache: PageCache, name: PageChange | ListName, text: string): Promise<void> {
    const response = new Response(text, { headers: HEADERS });
    await cache.put(toAddress(name), response).catch(() => undefined);
  }

  /** Writes new ids, and those that another isolate has overwritten because it wrote at the same time. */
  async function writeIds(
    cache: PageCache,
    name: ListName,
    changes: PageChanges,
    stored: PageChanges,
  ): Promise<void> {
    const text = JSON.stringify(changes[name]);
    if (text !== JSON.stringify(stored[name])) await write(cache, name, text);
  }

  async function read(cache: PageCache): Promise<PageChanges> {
    const readAt = now();
    const found = await readStored(cache).catch(() => null);
    // Read after waiting, because this isolate may have added changes.
    const { changes: known } = last;
    const stored = found ?? NO_CHANGES;
    const changes = {
      times: mergeTimes(known.times, stored.times),
      changedIds: mergeIds(known.changedIds, stored.changedIds, now()),
      removals: mergeIds(known.removals, stored.removals, now()),
      isComplete: found !== null,
    };
    last = { changes, readAt };
    if (found) {
      await Promise.all([
        writeIds(cache, "changedIds", changes, stored),
        writeIds(cache, "removals", changes, stored),
      ]);
    }
    return changes;
  }

  /** Adds changes to those in memory. */
  function remember({ changes: kinds, changedIds, removedIds }: Recorded): void {
    const { changes, readAt } = last;
    const time = now();
    const toList = (ids: Set<string>) => {
      return { listed: [...ids].map((id) => [id, time] as const), droppedAt: 0 };
    };
    const added = {
      ...changes,
      times: mergeTimes(changes.times, Object.fromEntries([...kinds].map((kind) => [kind, time]))),
      changedIds: mergeIds(changes.changedIds, toList(changedIds), time),
      removals: mergeIds(changes.removals, toList(removedIds), time),
    };
    last = { changes: added, readAt };
  }

  return {
    /** Returns the changes, including those that other isolates made up to a second ago. */
    async get(cache: PageCache): Promise<PageChanges> {
      return now() - last.readAt < MAX_AGE_MS ? last.changes : read(cache);
    },

    /** Returns all changes that were recorded until now. */
    getLatest: read,

    /** Records changes that have just been made. */
    async add(cache: PageCache, recorded: Recorded): Promise<void> {
      remember(recorded);
      const { times } = last.changes;
      const kinds = [...recorded.changes];
      await Promise.all(kinds.map((kind) => write(cache, kind, String(times[kind]))));
      if (recorded.changedIds.size + recorded.removedIds.size === 0) return;
      // Merges them with the stored changes.
      const changes = await read(cache);
      if (changes.isComplete) return;
      await Promise.all([
        writeIds(cache, "changedIds", changes, NO_CHANGES),
        writeIds(cache, "removals", changes, NO_CHANGES),
      ]);
    },
  };
}
