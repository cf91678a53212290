import { AsyncLocalStorage } from "node:async_hooks";

import type { AppLoadContext } from "@remix-run/cloudflare";

import type { PageFailure, PageRecord, PageValues } from "#app/load-context.ts";

/** Services are shared by all requests, so they find the record of the current request here. */
const storage = new AsyncLocalStorage<PageRecord>();

/** Runs a request handler, and collects what the page cache needs to know about it. */
export function recordPage<T>(record: PageRecord, run: () => T): T {
  return storage.run(record, run);
}

/** Records that the page lacks something. Such a page is not cached. */
export function setPartial(failure: PageFailure): void {
  const record = storage.getStore();
  if (record && record.failure !== "unavailable") record.failure = failure;
}

/** Records that the page lacks its story. The page cache then serves a stored page of the story, if there is one. */
export function setStoryMissing(): void {
  const record = storage.getStore();
  if (record) record.isStoryMissing = true;
}

/**
 * Returns when this browser last changed something, in milliseconds since the Unix epoch. What this isolate read before may
 * lack the change.
 */
export function getChangedAt(): number {
  return storage.getStore()?.changedAt ?? -Infinity;
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
