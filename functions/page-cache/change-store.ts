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

/** How long this isolate uses the changes that it has read. Meanwhile, a page in memory needs no request to the cache. */
const MAX_AGE_MS = 1000;

const TIMED_CHANGES: readonly PageChange[] = ["message-sent", "lists-changed"];

/** The names of the lists of ids in the cache. They must not change: earlier releases have stored lists under them. */
const LIST_NAMES = { changedIds: "changedIds", removedIds: "removals" } as const;

type ListField = keyof typeof LIST_NAMES;

const HEADERS = { "Cache-Control": `max-age=${DAY_MS / 1000}` };

type RecordedChanges = Pick<PageRecord, "changes" | "changedIds" | "removedIds">;

/**
 * Stores what has changed in the memory of this isolate, and in Cloudflare's cache for all isolates of the data centre.
 *
 * @param projectId the Firebase project, because previews of another project may share the cache
 */
export function createChangeStore(projectId: string, now: () => number) {
  let latest = { changes: NO_CHANGES, readAt: -Infinity };

  /**
   * Returns the address of an entry in Cloudflare's cache. It is the same for all hosts of the site, such as `www`,
   * because what is removed through one must not stay on the pages of another. The host cannot exist, so nobody can
   * request it.
   */
  function toAddress(name: string): string {
    return `https://page-changes.invalid/${projectId}/${name}`;
  }

  async function readTimes(cache: PageCache): Promise<PageChanges["times"]> {
    const times = TIMED_CHANGES.map(async (kind) => {
      const response = await cache.match(toAddress(kind));
      return [kind, Number(await response?.text())] as const;
    });
    return Object.fromEntries((await Promise.all(times)).filter(([, time]) => time > 0));
  }

  async function readIds(cache: PageCache, list: ListField): Promise<IdList> {
    const response = await cache.match(toAddress(LIST_NAMES[list]));
    return response ? ((await response.json()) as IdList) : NO_IDS;
  }

  async function readStored(cache: PageCache): Promise<PageChanges> {
    const [times, changedIds, removedIds] = await Promise.all([
      readTimes(cache),
      readIds(cache, "changedIds"),
      readIds(cache, "removedIds"),
    ]);
    return { times, changedIds, removedIds, isComplete: true };
  }

  /** Each kind has its own address, so that isolates do not overwrite each other's times. */
  async function write(cache: PageCache, name: string, text: string): Promise<void> {
    const response = new Response(text, { headers: HEADERS });
    await cache.put(toAddress(name), response).catch(() => undefined);
  }

  /** Writes new ids, and those that another isolate has overwritten because it wrote at the same time. */
  async function writeIds(
    cache: PageCache,
    list: ListField,
    changes: PageChanges,
    stored: PageChanges,
  ): Promise<void> {
    const text = JSON.stringify(changes[list]);
    if (text !== JSON.stringify(stored[list])) await write(cache, LIST_NAMES[list], text);
  }

  async function read(cache: PageCache): Promise<PageChanges> {
    const readAt = now();
    const response = await readStored(cache).catch(() => null);
    // Read after waiting, because this isolate may have added changes.
    const { changes: inMemory } = latest;
    const stored = response ?? NO_CHANGES;
    const changes = {
      times: mergeTimes(inMemory.times, stored.times),
      changedIds: mergeIds(inMemory.changedIds, stored.changedIds, now()),
      removedIds: mergeIds(inMemory.removedIds, stored.removedIds, now()),
      isComplete: response !== null,
    };
    latest = { changes, readAt };
    if (response) {
      await Promise.all([
        writeIds(cache, "changedIds", changes, stored),
        writeIds(cache, "removedIds", changes, stored),
      ]);
    }
    return changes;
  }

  /** Adds changes to those in memory. */
  function addToMemory({ changes: kinds, changedIds, removedIds }: RecordedChanges): void {
    const { changes, readAt } = latest;
    const time = now();
    const toList = (ids: Set<string>) => {
      return { listed: [...ids].map((id) => [id, time] as const), droppedAt: 0 };
    };
    const added = {
      ...changes,
      times: mergeTimes(changes.times, Object.fromEntries([...kinds].map((kind) => [kind, time]))),
      changedIds: mergeIds(changes.changedIds, toList(changedIds), time),
      removedIds: mergeIds(changes.removedIds, toList(removedIds), time),
    };
    latest = { changes: added, readAt };
  }

  return {
    /** Returns the changes. Those made by other isolates in the last second may be missing. */
    async get(cache: PageCache): Promise<PageChanges> {
      return now() - latest.readAt < MAX_AGE_MS ? latest.changes : read(cache);
    },

    /** Returns all changes that were recorded until now. */
    getLatest: read,

    /** Records changes that have just been made. */
    async add(cache: PageCache, recorded: RecordedChanges): Promise<void> {
      addToMemory(recorded);
      const { times } = latest.changes;
      const kinds = [...recorded.changes];
      await Promise.all(kinds.map((kind) => write(cache, kind, String(times[kind]))));
      if (recorded.changedIds.size + recorded.removedIds.size === 0) return;
      // Merges them with the stored changes.
      const changes = await read(cache);
      if (changes.isComplete) return;
      await Promise.all([
        writeIds(cache, "changedIds", changes, NO_CHANGES),
        writeIds(cache, "removedIds", changes, NO_CHANGES),
      ]);
    },
  };
}
