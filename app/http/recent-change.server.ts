import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { createCookie } from "./cookie.server.ts";
import { isSharedPage } from "./request-record.server.ts";

/** Longer than messages are reused, together with the time to read them. */
const MAX_AGE_SECONDS = 15;

/** How far the clocks of two isolates may be apart. */
const CLOCK_SKEW_MS = 1000;

/** The time of the change, in milliseconds since the Unix epoch. */
const cookie = createCookie("changed", { maxAgeSeconds: MAX_AGE_SECONDS });

/** Returns the `Set-Cookie` header that makes the next pages of this browser show what it has just changed. */
export function setRecentChange(request: Request): Record<string, string> {
  return { "Set-Cookie": cookie.write(request, String(Date.now())) };
}

/**
 * Returns the time, in milliseconds since the Unix epoch, up to which a page may not show lists that this isolate has read
 * for another page: that of the last change by the same browser, which another isolate may have handled. Infinite on shared
 * pages, which are stored for longer, and in development, where nothing sets the cookie.
 */
export function getOwnChangedAt(args: { request: Request; context: AppLoadContext }): number {
  const { request, context } = args;
  const isDeployed = context.cloudflare.data !== undefined && getEnv(context).PAGE_CACHE !== "off";
  return isDeployed && !isSharedPage(context) ? readRecentChange(request) : Infinity;
}

/** Returns the time of the last change by the same browser, in milliseconds since the Unix epoch; -Infinity without one. */
export function readRecentChange(request: Request): number {
  const value = cookie.read(request);
  if (value === undefined) return -Infinity;
  const time = Number(value);
  return Number.isNaN(time) ? Infinity : time + CLOCK_SKEW_MS;
}
