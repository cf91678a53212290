import type { AppLoadContext } from "@remix-run/cloudflare";

import { oncePerEnv } from "#app/env.server.ts";
import { getIdentityToolkit } from "#app/firebase/identity-toolkit.server.ts";
import { getDefer } from "#app/http/wait-until.server.ts";
import { getSessionRegistry } from "./registry.server.ts";
import { createSessionChecks, requireListed, type CheckedSession } from "./session-check.server.ts";
import { getSessionCookie, isSessionOver, type Visitor } from "./session.server.ts";

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

/** An action waits no longer to hear whether its person still may act. */
const CHECK_TIMEOUT_MS = 5000;

const visitsByContext = new WeakMap<AppLoadContext, Promise<Visit>>();

/** A request, as far as it is known while its session is still being asked about. */
interface Visit {
  /** What the cookie tells. Nothing that is made of it may be shown before `visitor` says the same. */
  claimed: Visitor;
  /** How many requests are made to ask about the session. */
  requests: number;
  visitor: Promise<Visitor>;
}

/**
 * Tells who sends the request. The loaders and the action of one request share the answer, so an expiring token is
 * refreshed once; the root loader sends the renewed cookie.
 *
 * A session that was ended from elsewhere is over here within a minute: at the provider, by a new password, by signing
 * out everywhere or with the account; or on the person's own list of sessions. The token alone would be good for an hour.
 */
export async function getVisitor(args: RequestArgs): Promise<Visitor> {
  return (await getVisit(args)).visitor;
}

/** Returns the same before the answer is there, for what can be asked meanwhile. */
export function getVisit(args: RequestArgs): Promise<Visit> {
  const visit = visitsByContext.get(args.context) ?? startVisit(args);
  visitsByContext.set(args.context, visit);
  return visit;
}

async function startVisit({ request, context }: RequestArgs): Promise<Visit> {
  const session = getSessionCookie(context);
  const sessionChecks = getSessionChecks(context);
  const claimed = await session.read(request);
  const checked = toChecked(request, claimed);
  if (!checked) return { claimed, requests: 0, visitor: Promise.resolve(claimed) };
  const { requests, isOver } = sessionChecks.look(checked, claimed.isRenewed, getDefer(context));
  const visitor = isOver.then((isEnded) => (isEnded ? session.expel(request) : claimed));
  return { claimed, requests, visitor };
}

/**
 * Tells who does something, and not only looks: as `getVisitor`, but both who can end a session are asked anew. One that
 * has ended is over then and there, for the rest of the request as well. What does not answer in time stops nobody whose
 * token is good.
 */
export async function getActor({ request, context }: RequestArgs): Promise<Visitor> {
  const session = getSessionCookie(context);
  const sessionChecks = getSessionChecks(context);
  // What was begun as a look is asked anew.
  const claimed = (await visitsByContext.get(context))?.claimed ?? (await session.read(request));
  const checked = toChecked(request, claimed);
  const isOver = checked
    ? await sessionChecks.demand(checked).then(() => false, isSessionOver)
    : false;
  const visitor = isOver ? session.expel(request) : claimed;
  const visit = { claimed: visitor, requests: 0, visitor: Promise.resolve(visitor) };
  visitsByContext.set(context, Promise.resolve(visit));
  return visitor;
}

function toChecked({ headers }: Request, visitor: Visitor): CheckedSession | null {
  const { account, idToken, sessionId } = visitor;
  if (!account || !idToken || sessionId === null) return null;
  return { uid: account.uid, idToken, sessionId, device: headers.get("User-Agent") ?? "" };
}

/** Remembers which sessions the provider and the registry have confirmed. */
export const getSessionChecks = oncePerEnv((_, context) =>
  createSessionChecks(
    {
      provider: ({ idToken }) => getIdentityToolkit(context).check(idToken, CHECK_TIMEOUT_MS),
      list: async ({ uid, idToken, sessionId, device }) =>
        requireListed(await getSessionRegistry(context).check({ uid, idToken }, sessionId, device)),
    },
    Date.now,
  ),
);
