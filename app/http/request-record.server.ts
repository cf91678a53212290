import { AsyncLocalStorage } from "node:async_hooks";

import type { AppLoadContext } from "@remix-run/cloudflare";

import type {
  CopyStore,
  PageChange,
  PageFailure,
  PageRecord,
  PageValues,
} from "#app/load-context.ts";

/** Services are shared by all requests, so they find the record of the current request here. */
const storage = new AsyncLocalStorage<PageRecord>();

/** Runs a request handler, and records what it means for cached pages. */
export function recordPage<T>(record: PageRecord, run: () => T): T {
  return storage.run(record, run);
}

/** Records that the page lacks something. Such a page is not cached. */
export function setPartial(failure: PageFailure): void {
  const record = storage.getStore();
  if (record && record.failure !== "unavailable") record.failure = failure;
}

/**
 * Records that this request changes, or tries to change, what pages show. Pages that were cached before the end of the
 * request are outdated. Call it before the attempt: the change may succeed even if its response is lost.
 */
export function recordPageChange(change: PageChange): void {
  storage.getStore()?.changes.add(change);
}

/**
 * Records that this request changes, or tries to change, one message, story or account.
 *
 * @param id of a message or a story, or the uid of an account. Every page that shows it contains the id.
 */
export function recordChangedId(id: string): void {
  storage.getStore()?.changedIds.add(id);
}

/**
 * Records that this request removes, or tries to remove, something that pages show.
 *
 * @param id of a message or a story, or the uid of an account. Every page that shows it contains the id.
 */
export function recordRemovedId(id: string): void {
  storage.getStore()?.removedIds.add(id);
}

/**
 * Returns the time up to which lists in memory may lack a change that the page has to show. Milliseconds since the Unix
 * epoch.
 */
export function getListsChangedAt(): number {
  return storage.getStore()?.listsChangedAt ?? -Infinity;
}

/** Records when the messages on the page were read, in milliseconds since the Unix epoch. */
export function recordMessagesReadAt(readAt: number): void {
  const record = storage.getStore();
  if (record) record.messagesReadAt = Math.min(record.messagesReadAt, readAt);
}

/** Returns where copies are stored; `null` without a cache. */
export function getCopyStore(): CopyStore | null {
  return storage.getStore()?.copies ?? null;
}

/** Returns the values that `functions/page-cache/` has chosen for the page; none in development, which has no cache. */
export function getPageValues({ cloudflare }: AppLoadContext): Partial<PageValues> {
  return cloudflare.data?.values ?? {};
}

/**
 * Whether the page is shared by all visitors, and so must not set cookies. `getVisitorCookies` adds a visitor's own.
 */
export function isSharedPage({ cloudflare }: AppLoadContext): boolean {
  return cloudflare.data?.isShared ?? false;
}
