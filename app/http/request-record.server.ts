import { AsyncLocalStorage } from "node:async_hooks";

import type { AppLoadContext } from "@remix-run/cloudflare";

import type { PageChange, PageRecord, PageValues } from "#app/load-context.ts";

/** The services outlive a request, so what they report finds its request here. */
const storage = new AsyncLocalStorage<PageRecord>();

/** Runs a request handler, and records what it means for cached pages. */
export function recordPage<T>(record: PageRecord, run: () => T): T {
  return storage.run(record, run);
}

/** Records that the page lacks something, because a service did not answer. Such a page is not cached. */
export function setPartial(): void {
  const record = storage.getStore();
  if (record) record.isPartial = true;
}

/** Records that this request changes what pages show, or has tried to. Cached pages are outdated once it has ended. */
export function addPageChange(change: PageChange): void {
  storage.getStore()?.changes.add(change);
}

/** Returns the values that `functions/page-cache/` has chosen for the page; none in development, which has no cache. */
export function getPageValues({ cloudflare }: AppLoadContext): Partial<PageValues> {
  return cloudflare.data?.values ?? {};
}

/** Whether the page is for all visitors. It must not set cookies. `app/visitor-request.server.ts` adds this visitor's. */
export function isSharedPage({ cloudflare }: AppLoadContext): boolean {
  return cloudflare.data?.isShared ?? false;
}
