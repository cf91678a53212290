import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { createCookie } from "./cookie.server.ts";
import { getChangedAt } from "./page-record.server.ts";

/** Must be longer than the time to read messages plus the time for which they are reused. */
const MAX_AGE_SECONDS = 15;

/** How much the clocks of two isolates may differ. */
const CLOCK_SKEW_MS = 1000;

/** Instead of a time: whatever was read may be reused. */
const NO_CHANGE = -Infinity;

/** Instead of a time: nothing that was read may be reused. */
const ALWAYS_CHANGED = Infinity;

/** The time of the change, in milliseconds since the Unix epoch. */
const cookie = createCookie("changed", { maxAgeSeconds: MAX_AGE_SECONDS });

/** The cookie of a session, on https and on http. */
const SESSION = /(?:^|;\s*)__(?:Host-)?session=/;

/**
 * Returns the `Set-Cookie` header that makes the next pages of this browser show what it has just changed; none without a
 * session, because only users change what pages show.
 */
export function setRecentChange(request: Request): Record<string, string> {
  if (!SESSION.test(request.headers.get("Cookie") ?? "")) return {};
  return { "Set-Cookie": cookie.write(request, String(Date.now())) };
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
