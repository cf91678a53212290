import type { AppLoadContext } from "@remix-run/cloudflare";

import { createServiceGetter } from "#app/env.server.ts";
import { getIdentityToolkit } from "#app/firebase/identity-toolkit.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { getSessionRegistry } from "./registry.server.ts";
import { assertListed, createSessionChecks, type CheckedSession } from "./session-check.server.ts";
import { getSessionCookie, isSessionEndedError, type UserSession } from "./session.server.ts";
import type { AuthUser } from "./user.ts";

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

/** How long an action waits for the provider. */
const CHECK_TIMEOUT_MS = 2000;

/** A request's session while its check may still be running. */
interface PendingSession {
  /** The session from the cookie. Do not show anything that depends on it before `checked` has resolved. */
  unchecked: UserSession;
  /** How many requests the check makes. */
  requests: number;
  checked: Promise<UserSession>;
}

const sessionsByContext = new WeakMap<AppLoadContext, Promise<PendingSession>>();

/**
 * Returns the session of the request. The loaders and the action of one request share it, so an expiring token is
 * refreshed once. The root loader sends the renewed cookie.
 *
 * A session that was ended elsewhere (by a new password, by signing out everywhere, by deleting the account, or in the
 * registry) ends here within a minute. The ID token alone would stay valid for an hour.
 */
export async function getSession(args: RequestArgs): Promise<UserSession> {
  return (await getPendingSession(args)).checked;
}

/** Returns the signed-in user, or `null`. See `getSession`. */
export async function getUser(args: RequestArgs): Promise<AuthUser | null> {
  return (await getSession(args)).user;
}

/** Returns the session before its check has finished, to make other requests at the same time. */
export function getPendingSession(args: RequestArgs): Promise<PendingSession> {
  const session = sessionsByContext.get(args.context) ?? readSession(args);
  sessionsByContext.set(args.context, session);
  return session;
}

async function readSession({ request, context }: RequestArgs): Promise<PendingSession> {
  const sessionCookie = getSessionCookie(context);
  const unchecked = await sessionCookie.read(request);
  const toCheck = toCheckedSession(request, unchecked);
  if (!toCheck) return { unchecked, requests: 0, checked: Promise.resolve(unchecked) };
  const { requests, hasEnded } = getSessionChecks(context).checkForPage(
    toCheck,
    unchecked.isRenewed,
    getWaitUntil(context),
  );
  const checked = hasEnded.then((isEnded) =>
    isEnded ? sessionCookie.expireSession(request) : unchecked,
  );
  return { unchecked, requests, checked };
}

/**
 * Returns the session for an action. Unlike `getSession`, it checks both the provider and the registry without the
 * cache. If either has ended the session, the user is signed out for the rest of the request. A source that does not
 * respond in time is ignored.
 */
export async function getVerifiedSession(args: RequestArgs): Promise<UserSession> {
  return (await getSessionToVerify(args)).verified;
}

/**
 * Returns the session for an action before its check has finished, so that the action can read data at the same time. Do
 * not write anything before `verified` has resolved. See `getVerifiedSession`.
 */
export async function getSessionToVerify({
  request,
  context,
}: RequestArgs): Promise<{ unchecked: UserSession; verified: Promise<UserSession> }> {
  const sessionCookie = getSessionCookie(context);
  const unchecked =
    (await sessionsByContext.get(context))?.unchecked ?? (await sessionCookie.read(request));
  const toCheck = toCheckedSession(request, unchecked);
  const hasEnded = toCheck
    ? getSessionChecks(context)
        .assertActive(toCheck)
        .then(() => false, isSessionEndedError)
    : Promise.resolve(false);
  const verified = hasEnded.then((isEnded) => {
    const session = isEnded ? sessionCookie.expireSession(request) : unchecked;
    const pending = { unchecked: session, requests: 0, checked: Promise.resolve(session) };
    sessionsByContext.set(context, Promise.resolve(pending));
    return session;
  });
  return { unchecked, verified };
}

/** Returns the signed-in user for an action, or `null`. See `getVerifiedSession`. */
export async function getVerifiedUser(args: RequestArgs): Promise<AuthUser | null> {
  return (await getVerifiedSession(args)).user;
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
