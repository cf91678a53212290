import type { AppLoadContext } from "@remix-run/cloudflare";

import { createServiceGetter } from "#app/env.server.ts";
import { getIdentityToolkit } from "#app/firebase/identity-toolkit.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { getSessionRegistry } from "./registry.server.ts";
import { assertListed, createSessionChecks, type CheckedSession } from "./session-check.server.ts";
import { getSessionCookie, type UserSession } from "./session.server.ts";

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

/** How long an action waits for the provider. */
const CHECK_TIMEOUT_MS = 2000;

/**
 * `action`: asks the provider and the registry, and waits for both. `page`: uses their recent responses, so that most pages
 * make no request for it. The ID token alone would stay valid for an hour.
 */
type Check = "page" | "action";

/** A request's session while its check may still be running. */
interface PendingSession {
  /** The session from the cookie. Do not show or write anything that depends on it before `checked` has resolved. */
  unchecked: UserSession;
  /** How many of a page's requests the check makes. */
  requests: number;
  checked: Promise<UserSession>;
}

const sessionsByContext = new WeakMap<AppLoadContext, Promise<PendingSession>>();

/**
 * Returns the signed-in user, or `null`, with the headers of the session. The loaders and the action of one request share
 * the session, so an expiring token is refreshed once. The root loader sends the renewed cookie.
 *
 * A session that was ended elsewhere (by a new password, by signing out everywhere, by deleting the account, or in the
 * registry) ends here: on pages within a minute, in actions at once. A source that does not respond in time is ignored.
 *
 * @param check @default `page` for GET and HEAD, `action` for other methods
 */
export async function getUser(args: RequestArgs, check?: Check): Promise<UserSession> {
  return (await getPendingUser(args, check)).checked;
}

/** Returns the user before the session's check has finished, to read data at the same time. See `getUser`. */
export function getPendingUser(
  args: RequestArgs,
  check: Check = ["GET", "HEAD"].includes(args.request.method) ? "page" : "action",
): Promise<PendingSession> {
  const earlier = sessionsByContext.get(args.context);
  const session = earlier && check === "page" ? earlier : checkSession(args, check, earlier);
  sessionsByContext.set(args.context, session);
  return session;
}

async function checkSession(
  { request, context }: RequestArgs,
  check: Check,
  earlier: Promise<PendingSession> | undefined,
): Promise<PendingSession> {
  const sessionCookie = getSessionCookie(context);
  const unchecked = (await (await earlier)?.checked) ?? (await sessionCookie.read(request));
  const toCheck = toCheckedSession(request, unchecked);
  if (!toCheck) return { unchecked, requests: 0, checked: Promise.resolve(unchecked) };
  const checks = getSessionChecks(context);
  const { requests, result } =
    check === "page"
      ? checks.checkForPage(toCheck, unchecked.isRenewed, getWaitUntil(context))
      : { requests: 0, result: checks.checkForAction(toCheck) };
  const checked = result.then(({ hasEnded, isConfirmed }) =>
    hasEnded ? sessionCookie.expireSession(request) : { ...unchecked, isConfirmed },
  );
  return { unchecked, requests, checked };
}

function toCheckedSession({ headers }: Request, session: UserSession): CheckedSession | null {
  if (!session.user?.idToken) return null;
  const { uid, idToken, sessionId } = session.user;
  return { uid, idToken, sessionId, device: headers.get("User-Agent") ?? "" };
}

export const getSessionChecks = createServiceGetter((_, context) =>
  createSessionChecks(
    {
      provider: ({ idToken }) => getIdentityToolkit(context).check(idToken, CHECK_TIMEOUT_MS),
      registry: async ({ uid, idToken, sessionId, device }) =>
        assertListed(await getSessionRegistry(context).check({ uid, idToken }, sessionId, device)),
    },
    () => Date.now(),
  ),
);
