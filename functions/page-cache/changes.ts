import { Buffer } from "node:buffer";

import type { Copy, PageChange } from "../../app/load-context.ts";
import type { StoredPage } from "./stored-page.ts";

/** Up to this age a page is served as it is. */
export const FRESH_MS = 60_000;

/** How long pages and changes are kept. */
export const DAY_MS = 24 * 60 * 60_000;

/** Pages up to this age are served even if a message was sent since, so that a busy room does not empty the cache. */
const MIN_AGE_MS = 5000;

/** How much the clocks of a data centre may differ. A page rendered this soon after a change may lack the change. */
const CLOCK_SKEW_MS = 1000;

/** How many ids are listed. A message, a story or an account is seldom changed or removed. */
const MAX_LISTED = 200;

/** What was changed, or removed, in the last day. All times are milliseconds since the Unix epoch. */
export interface IdList {
  /** The ids of messages, stories and accounts, with the time of the latest change of each. Sorted by time. */
  listed: readonly (readonly [id: string, time: number])[];
  /** The latest time of the ids that were dropped because the list was full; 0 if there are none. */
  droppedAt: number;
}

/** What has changed in this data centre. */
export interface PageChanges {
  /** When each kind of change last happened. */
  times: Partial<Record<PageChange, number>>;
  changedIds: IdList;
  removedIds: IdList;
  /** Whether the changes of other isolates could be read. */
  isComplete: boolean;
}

export const NO_IDS: IdList = { listed: [], droppedAt: 0 };
export const NO_CHANGES: PageChanges = {
  times: {},
  changedIds: NO_IDS,
  removedIds: NO_IDS,
  isComplete: true,
};

/** The ids that each page was searched for and does not contain. A page is searched only once for an id. */
const absentIds = new WeakMap<StoredPage, Set<string>>();

/**
 * Whether a page may be served, even as an old one: it shows nothing that was removed since. If the changes cannot be
 * read, the page must be fresh.
 */
export function isServable(page: StoredPage, changes: PageChanges, now: number): boolean {
  if (!changes.isComplete && now - page.head.startedAt >= FRESH_MS) return false;
  return !isAffected(page, changes.removedIds);
}

/**
 * Whether a copy may be served: nothing that it shows was removed since. If the changes cannot be read, the copy must
 * be fresh.
 */
export function isCopyServable({ ids, time }: Copy, changes: PageChanges, now: number): boolean {
  if (!changes.isComplete && now - time >= FRESH_MS) return false;
  return !isListedSince(time, changes.removedIds, (id) => ids.includes(id));
}

/**
 * Returns what a page lacks; `null` if nothing. `change`: a change of something that it shows, or of its lists.
 * `message`: only a new message, which counts once the page is older than `MIN_AGE_MS`.
 *
 * @param hasLists whether the page has lists of stories, which any story may join
 */
export function findMissing(
  page: StoredPage,
  hasLists: boolean,
  { times, changedIds }: PageChanges,
  now: number,
): "change" | "message" | null {
  const { startedAt } = page.head;
  if (hasLists && isBefore(startedAt, times["lists-changed"] ?? 0)) return "change";
  if (isAffected(page, changedIds)) return "change";
  const isMessageMissing = startedAt <= (times["message-sent"] ?? 0);
  return isMessageMissing && now - startedAt >= MIN_AGE_MS ? "message" : null;
}

/**
 * Whether a rendering began after all changes, apart from new messages, as far as clocks can tell. That is enough to
 * show its page to visitors who wait, but not to store it.
 */
export function isAfterChanges(startedAt: number, changes: PageChanges): boolean {
  return startedAt > getLastChange(changes);
}

/** Returns the time up to which lists in memory may lack a change. Infinite if the changes could not be read. */
export function getListsChangedAt(changes: PageChanges): number {
  return changes.isComplete ? getLastChange(changes) + CLOCK_SKEW_MS : Infinity;
}

/** Returns the later time of each kind. */
export function mergeTimes(
  one: PageChanges["times"],
  other: PageChanges["times"],
): PageChanges["times"] {
  const merged = { ...one };
  for (const [kind, time] of Object.entries(other) as [PageChange, number][]) {
    merged[kind] = Math.max(merged[kind] ?? 0, time);
  }
  return merged;
}

/** Merges two lists. Returns the ids of the last day, or the latest `MAX_LISTED` of them. */
export function mergeIds(one: IdList, other: IdList, now: number): IdList {
  const byId = new Map(one.listed);
  for (const [id, time] of other.listed) byId.set(id, Math.max(byId.get(id) ?? 0, time));
  const sorted = [...byId]
    .filter(([, time]) => now - time < DAY_MS)
    // By id too, so that two isolates do not write the same list again and again.
    .toSorted(([id, time], [otherId, otherTime]) => time - otherTime || (id < otherId ? -1 : 1));
  const dropped = sorted.splice(0, sorted.length - MAX_LISTED);
  const droppedAt = Math.max(one.droppedAt, other.droppedAt, dropped.at(-1)?.[1] ?? 0);
  return { listed: sorted, droppedAt };
}

/** Returns the time of the last change other than a new message. */
function getLastChange({ times, changedIds, removedIds }: PageChanges): number {
  return Math.max(times["lists-changed"] ?? 0, getLastTime(changedIds), getLastTime(removedIds));
}

function getLastTime({ listed, droppedAt }: IdList): number {
  return Math.max(listed.at(-1)?.[1] ?? 0, droppedAt);
}

/** Whether an id that is shown was listed, or may have been listed, since a time. */
function isListedSince(
  time: number,
  { listed, droppedAt }: IdList,
  isShown: (id: string) => boolean,
): boolean {
  if (isBefore(time, droppedAt)) return true;
  return listed.some(([id, listedAt]) => isBefore(time, listedAt) && isShown(id));
}

function isAffected(page: StoredPage, ids: IdList): boolean {
  return isListedSince(page.head.startedAt, ids, (id) => hasId(page, id));
}

/** Whether a page may lack a change, by the times at which its rendering began and the change happened. */
function isBefore(startedAt: number, time: number): boolean {
  return startedAt <= time + CLOCK_SKEW_MS;
}

function hasId(page: StoredPage, id: string): boolean {
  const absent = absentIds.get(page) ?? new Set();
  absentIds.set(page, absent);
  if (absent.has(id)) return false;
  const { buffer, byteOffset, byteLength } = page.bytes;
  if (Buffer.from(buffer, byteOffset, byteLength).includes(id)) return true;
  absent.add(id);
  return false;
}
