import type { AppLoadContext } from "@remix-run/cloudflare";
import { AsyncLocalStorage } from "node:async_hooks";

import { getEnv } from "#app/env.server.ts";
import type { PageFailure, PageRecord, PageValues } from "#app/load-context.ts";
import { createCookie } from "./cookie.server.ts";

/** How long a change counts as recent. Longer than the time to read messages plus the time for which they are reused. */
const RECENT_SECONDS = 15;

/** How much the clocks of two isolates may differ. */
const CLOCK_SKEW_MS = 1000;

/** Instead of a time: whatever was read may be reused. */
const NO_CHANGE = -Infinity;

/** Instead of a time: nothing that was read may be reused. */
const ALWAYS_CHANGED = Infinity;

/** The time of this browser's last change, in milliseconds since the Unix epoch. */
const cookie = createCookie("changed", { maxAgeSeconds: RECENT_SECONDS });

/** The cookie of a session, on https and on http. */
const SESSION = /(?:^|;\s*)__(?:Host-)?session=/;

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
  return storage.getStore()?.changedAt ?? NO_CHANGE;
}

/**
 * Returns when this browser last changed something. Messages that this isolate read before are not reused. Development
 * does not record changes, so it reuses none.
 */
export function getMessagesChangedAt(context: AppLoadContext): number {
  const isDeployed = context.cloudflare.data !== undefined && getEnv(context).PAGE_CACHE !== "off";
  return isDeployed ? getChangedAt() : ALWAYS_CHANGED;
}

/** Returns the time of the last change by the same browser, in milliseconds since the Unix epoch, or `NO_CHANGE`. */
export function getRecentChangeTime(request: Request): number {
  const value = cookie.read(request);
  if (value === undefined) return NO_CHANGE;
  const time = Number(value);
  return Number.isNaN(time) ? ALWAYS_CHANGED : time + CLOCK_SKEW_MS;
}

/**
 * Returns the `Set-Cookie` header that makes the next pages of this browser show what it has just changed; none without a
 * session, because only users change what pages show.
 */
export function setRecentChange(request: Request): Record<string, string> {
  if (!SESSION.test(request.headers.get("Cookie") ?? "")) return {};
  return { "Set-Cookie": cookie.write(request, String(Date.now())) };
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
