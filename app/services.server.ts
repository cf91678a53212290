import type { AppLoadContext } from "@remix-run/cloudflare";

import { createAccountService } from "./accounts/account.server.ts";
import { createAttemptService } from "./accounts/rate-limits.server.ts";
import { createAuthenticator } from "./accounts/sign-in/authenticator.server.ts";
import { createCustomTokenService } from "./firebase/custom-token.server.ts";
import { getDefer } from "./http/wait-until.server.ts";
import { createDraftService } from "./writing/drafts/drafts.server.ts";
import { EnvironmentError, getFirebaseConfig, readEnv } from "./env.server.ts";
import { createGoogleService } from "./accounts/google/google.server.ts";
import { createIdentityService } from "./firebase/identity-toolkit.server.ts";
import { createMailPause } from "./accounts/email-links/cooldown.server.ts";
import { createPersonDataService } from "./profile/deletion.server.ts";
import { createPlaceService } from "./reading/positions.server.ts";
import { createPublishedService } from "./stories/published.server.ts";
import { createRefusalCookie } from "./accounts/google/form-error-cookie.server.ts";
import { createRoomService } from "./chat/messages.server.ts";
import {
  createSessionChecks,
  requireListed,
  type CheckedSession,
} from "./session/session-check.server.ts";
import { createSessionList } from "./session/registry.server.ts";
import { createSessionService, isSessionOver, type Visitor } from "./session/session.server.ts";
import { createSignOutService } from "./session/sign-out.server.ts";
import { createUnsavedProfile } from "./profile/unsaved-profile.server.ts";
import { createVersionService } from "./writing/versions/versions.server.ts";
import { createWriteLimit } from "./session/write-limit.server.ts";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
  interface AppLoadContext {
    cloudflare: {
      env: object;
      /** The request as it arrived, before Remix made the loaders' own. */
      request?: Request;
      /** Keeps a request going after the answer. Absent off Cloudflare. */
      ctx?: { waitUntil: (promise: Promise<unknown>) => void };
      /** Where the edge believes the visitor to be. Absent off Cloudflare. */
      cf?: { timezone?: unknown };
    };
  }
}

export type Services = ReturnType<typeof createServices>;

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

/** An action waits no longer to hear whether its person still may act. */
const CHECK_TIMEOUT_MS = 5000;

const servicesByEnv = new WeakMap<object, Services | EnvironmentError>();
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
 * Returns the services of this deployment, built once per environment.
 *
 * Only data may cross the load context. `functions/` and `build/server` are separate bundles, so a
 * class made on one side is never `instanceof` itself on the other.
 *
 * @throws {EnvironmentError} when variables are missing or malformed
 */
export function getServices(context: AppLoadContext): Services {
  const { env } = context.cloudflare;
  const services = servicesByEnv.get(env) ?? tryServices(env);
  servicesByEnv.set(env, services);
  if (services instanceof EnvironmentError) throw services;
  return services;
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
  const { session, sessionChecks } = getServices(context);
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
  const { session, sessionChecks } = getServices(context);
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

function tryServices(bindings: object): Services | EnvironmentError {
  try {
    return createServices(bindings, () => Date.now());
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
}

function createServices(bindings: object, now: () => number) {
  const env = readEnv(bindings);
  const identity = createIdentityService(env);
  const sessionList = createSessionList(env, now);
  const sessionChecks = createSessionChecks(
    {
      provider: ({ idToken }) => identity.check(idToken, CHECK_TIMEOUT_MS),
      list: async ({ uid, idToken, sessionId, device }) =>
        requireListed(await sessionList.check({ uid, idToken }, sessionId, device)),
    },
    now,
  );

  return {
    accounts: createAccountService(env),
    attempts: createAttemptService(env, bindings, now),
    authenticator: createAuthenticator(identity),
    customToken: createCustomTokenService(env, now),
    drafts: createDraftService(env, now),
    firebaseConfig: getFirebaseConfig(env),
    google: createGoogleService(env, now),
    identity,
    mailPause: createMailPause(env, now),
    personData: createPersonDataService(env),
    places: createPlaceService(env, now),
    published: createPublishedService(env, now),
    reader: env.READER,
    refusalCookie: createRefusalCookie(env, now),
    room: createRoomService(env),
    session: createSessionService(env, identity, now),
    sessionChecks,
    sessionList,
    signOuts: createSignOutService(env, { identity, sessionList, now }),
    timeZone: env.TIME_ZONE,
    unsavedProfile: createUnsavedProfile(env, now),
    versions: createVersionService(env),
    writeLimit: createWriteLimit(bindings, now),
  };
}
