import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { createCookie } from "./cookie.server.ts";
import { isSharedPage } from "./request-record.server.ts";

/** Longer than any list is reused, together with the time to read it. */
const MAX_AGE_SECONDS = 10;

const cookie = createCookie("changed", { maxAgeSeconds: MAX_AGE_SECONDS });

/** Returns the `Set-Cookie` header that makes the next pages of this browser show what it has just changed. */
export function setRecentChange(request: Request): Record<string, string> {
  return { "Set-Cookie": cookie.write(request, "1") };
}

/**
 * Whether a page may show lists that this isolate has read a moment ago for another page. Not after a change by the same
 * browser, which another isolate may have handled, and not on shared pages, which are stored for longer. Nor in development,
 * where nothing sets the cookie.
 */
export function mayReuseLists(args: { request: Request; context: AppLoadContext }): boolean {
  const { request, context } = args;
  const isDeployed = context.cloudflare.data !== undefined && getEnv(context).PAGE_CACHE !== "off";
  return isDeployed && !isSharedPage(context) && cookie.read(request) === undefined;
}
