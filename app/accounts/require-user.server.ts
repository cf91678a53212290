import { redirect, type AppLoadContext } from "@remix-run/cloudflare";

import { joinHeaders } from "#app/http/headers.ts";
import { setOfferedReturnTo } from "#app/session/return-to.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import { COOKIE_CHECK_PATH, isCookieCheckNeeded, setCookieCheck } from "./cookie-check.server.ts";

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
