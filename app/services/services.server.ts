import type { AppLoadContext } from "@remix-run/cloudflare";

import { createAccountService } from "./account.server.ts";
import { createAttemptService } from "./attempts.server.ts";
import { createAuthenticator } from "./auth.server.ts";
import { createCustomTokenService } from "./custom-token.server.ts";
import { createDraftService } from "./drafts.server.ts";
import { EnvironmentError, getFirebaseConfig, readEnv } from "./env.server.ts";
import { createGoogleService } from "./google.server.ts";
import { createIdentityService } from "./identity.server.ts";
import { createMailPause } from "./mail-pause.server.ts";
import { createPersonDataService } from "./person-data.server.ts";
import { createPlaceService } from "./places.server.ts";
import { toProviderError } from "./provider-errors.server.ts";
import { createPublishedService } from "./published.server.ts";
import { createRefusalCookie } from "./refusal-cookie.server.ts";
import { createRoomService } from "./room.server.ts";
import { createSessionList } from "./session-list.server.ts";
import { createSessionService, isSessionOver, type Visitor } from "./session.server.ts";
import { shareCalls } from "./share-calls.server.ts";
import { createUnsavedProfile } from "./unsaved-profile.server.ts";
import { createVersionService } from "./versions.server.ts";

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

/** Somebody with a token to act with. */
interface Looker {
  uid: string;
  idToken: string;
  sessionId: string | null;
}

/** Of two places that can tell of a session's end a page asks one, each for half a minute in turn. */
const TURN_MS = 30_000;

/**
 * Pages that make as many outgoing requests as a page may, before anything is asked about the session. Whoever was
 * signed out from elsewhere hears of it at their next step from there.
 */
const UNASKED_PATHS = new Set(["/home"]);

/** A page waits no longer to hear whether a session has been ended elsewhere; an unheard answer ends nothing. */
const LOOK_PATIENCE_MS = 1000;

/** An action waits no longer to hear whether its person still may act. */
const CHECK_TIMEOUT_MS = 5000;

const servicesByEnv = new WeakMap<object, Services | EnvironmentError>();
const visitorsByContext = new WeakMap<AppLoadContext, Promise<Visitor>>();

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
 * Tells who sends the request. The loaders and the action of one request share the answer, so an
 * expiring token is refreshed once; the root loader sends the renewed cookie.
 */
export function getVisitor({ request, context }: RequestArgs): Promise<Visitor> {
  const visitor = visitorsByContext.get(context) ?? readVisitor({ request, context });
  visitorsByContext.set(context, visitor);
  return visitor;
}

/**
 * Reads the session and asks, half a minute after the last time at the earliest, whether it has not been ended from
 * elsewhere: at the provider, by a new password, by signing out everywhere or with the account; or on the person's own
 * list of sessions. The token alone would be good for an hour.
 */
async function readVisitor({ request, context }: RequestArgs): Promise<Visitor> {
  const { session, lookLately, requireListed } = getServices(context);
  const visitor = await session.read(request);
  const { account, idToken, sessionId } = visitor;
  if (!account || !idToken) return visitor;
  const isReading = request.method === "GET" || request.method === "HEAD";
  if (isReading && UNASKED_PATHS.has(new URL(request.url).pathname)) return visitor;
  const looker = { uid: account.uid, idToken, sessionId };
  const isJustRenewed = "Set-Cookie" in visitor.headers;
  try {
    // The provider has just been asked.
    await (isJustRenewed ? requireListed(looker) : lookLately(JSON.stringify(looker)));
    return visitor;
  } catch (error) {
    return isSessionOver(error) ? session.expel(request) : visitor;
  }
}

/**
 * Tells who does something, and not only looks: as `getVisitor`, after asking the provider whether they still may. An
 * account that is deleted, disabled or revoked is signed out then and there, for the rest of the request as well. A
 * provider that does not answer in time stops nobody whose token is good.
 */
export async function getActor({ request, context }: RequestArgs): Promise<Visitor> {
  const visitor = await getVisitor({ request, context });
  const { account, idToken, sessionId } = visitor;
  if (!account || !idToken) return visitor;
  const { identity, requireListed, session } = getServices(context);
  try {
    await Promise.all([
      identity.check(idToken, CHECK_TIMEOUT_MS),
      requireListed({ uid: account.uid, idToken, sessionId }),
    ]);
    return visitor;
  } catch (error) {
    if (!isSessionOver(error)) return visitor;
    const nobody = session.expel(request);
    visitorsByContext.set(context, Promise.resolve(nobody));
    return nobody;
  }
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
  /** @throws {ProviderError} when the session has been taken off the person's list */
  async function requireListed({ uid, idToken, sessionId }: Looker): Promise<void> {
    if (sessionId === null) return;
    const isRemoved = await sessionList.isRemoved({ uid, idToken }, sessionId);
    if (isRemoved) throw toProviderError("TOKEN_EXPIRED");
  }

  function look(looker: Looker): Promise<void> {
    const isListsTurn = looker.sessionId !== null && Math.floor(now() / TURN_MS) % 2 === 1;
    return isListsTurn ? requireListed(looker) : identity.check(looker.idToken, CHECK_TIMEOUT_MS);
  }

  return {
    accounts: createAccountService(env),
    attempts: createAttemptService(env, bindings, now),
    authenticator: createAuthenticator(identity),
    customToken: createCustomTokenService(env, now),
    drafts: createDraftService(env, now),
    firebaseConfig: getFirebaseConfig(env),
    google: createGoogleService(env, now),
    identity,
    /** Takes a `Looker` in writing. */
    lookLately: shareCalls((looker) => look(JSON.parse(looker)), {
      patienceMs: LOOK_PATIENCE_MS,
      onImpatience: () => toProviderError(undefined),
      now,
    }),
    mailPause: createMailPause(env, now),
    personData: createPersonDataService(env),
    places: createPlaceService(env),
    published: createPublishedService(env),
    reader: env.READER,
    refusalCookie: createRefusalCookie(env, now),
    requireListed,
    room: createRoomService(env),
    session: createSessionService(env, identity, now),
    sessionList,
    timeZone: env.TIME_ZONE,
    unsavedProfile: createUnsavedProfile(env, now),
    versions: createVersionService(env),
  };
}
