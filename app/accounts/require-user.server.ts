import { redirect, type AppLoadContext } from "@remix-run/cloudflare";

import { createCookie } from "#app/http/cookie.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { setOfferedReturnTo } from "#app/session/return-to.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

/**
 * Returns the signed-in user.
 *
 * @throws a redirect to /login, which remembers the requested page as `returnTo`
 */
export async function requireUser(args: RequestArgs): Promise<AuthUser> {
  const { user, headers, hasEnded } = await getUser(args);
  if (user) return user;
  const { request } = args;
  const isCheckNeeded = isCookieCheckNeeded(request);
  throw redirect(isCheckNeeded ? COOKIE_CHECK_PATH : "/login", {
    headers: joinHeaders(
      headers,
      isCheckNeeded ? setCookieCheck(request) : {},
      setOfferedReturnTo(request),
      setSessionEndedFlash(request, hasEnded),
    ),
  });
}

const PARAM = "cookies";

/** The address of Sign In that says whether the browser blocks cookies. */
const COOKIE_CHECK_PATH = `/login?${PARAM}=check`;

const SIGN_IN_PATHS = new Set(["/login", "/register"]);

/** Only its presence counts. */
const cookie = createCookie("cookie-check", { maxAgeSeconds: 60 });

/**
 * Whether a signed-out user without any cookie comes from Sign In or Sign Up. Either the browser blocks cookies, so that
 * the session was lost, or the user has not signed in. The next request shows which.
 */
function isCookieCheckNeeded(request: Request): boolean {
  if (hasCookies(request)) return false;
  const referrer = request.headers.get("Referer") ?? "";
  if (!URL.canParse(referrer)) return false;
  const { origin, pathname } = new URL(referrer);
  return origin === new URL(request.url).origin && SIGN_IN_PATHS.has(pathname);
}

/** Returns the headers that set the cookie for the next request. */
function setCookieCheck(request: Request): Record<string, string> {
  return { "Set-Cookie": cookie.write(request, "1") };
}

/** Returns the result of the check: `null` if the address is another one. */
export function readCookieCheck(request: Request): "blocked" | "allowed" | null {
  if (!new URL(request.url).searchParams.has(PARAM)) return null;
  return hasCookies(request) ? "allowed" : "blocked";
}

function hasCookies({ headers }: Request): boolean {
  return Boolean(headers.get("Cookie"));
}
