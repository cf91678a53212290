import type { AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { getIdentityToolkit, type IdentityToolkit } from "#app/firebase/identity-toolkit.server.ts";
import { withoutTimeLimit } from "#app/http/outgoing-calls.server.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";
import { resolveWithin, wait } from "#app/http/wait.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { getSessionRegistry, type createSessionRegistry } from "./registry.server.ts";
import { getSessionCookie, isSessionEndedError, type RevocableSession } from "./session.server.ts";
import { getSessionChecks } from "./user.server.ts";

/** How long signing out waits for the provider. */
const REFRESH_TIMEOUT_MS = 2000;

/** How long a page waits for an unfinished sign-out. */
const PAGE_TIMEOUT_MS = 1000;

/** Delays before each retry after the response, in milliseconds. `waitUntil` allows 30 s in total. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000];

/** The shortest time between two retries by page requests. */
const RETRY_EVERY_MS = 30_000;

/** The cookie's lifetime, which starts again with each failed attempt. */
const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;

const pendingSchema = z.object({
  sessions: z.array(z.object({ uid: z.string(), sessionId: z.string(), refreshToken: z.string() })),
  /** Milliseconds since the Unix epoch, by the server's clock. */
  retryAt: z.number(),
});

type PendingSignOuts = z.infer<typeof pendingSchema>;

/** Runs a promise after the response. */
type Defer = (promise: Promise<unknown>) => void;

/**
 * Revokes sessions: deletes them from the registry as their user, so that copies of the cookie become useless.
 *
 * A failed deletion is retried for some seconds after the response. Until one succeeds, the browser also stores the sealed
 * cookie `sign-out`, with which later requests retry. It can only revoke sessions.
 */
function createSignOutService(
  env: Env,
  {
    identity,
    sessionRegistry,
    now,
  }: {
    identity: Pick<IdentityToolkit, "refresh">;
    sessionRegistry: Pick<ReturnType<typeof createSessionRegistry>, "delete">;
    now: () => number;
  },
) {
  const cookie = createSealedCookie(env, "sign-out", { maxAgeSeconds: MAX_AGE_SECONDS, now });

  /** Returns whether the session has ended. */
  async function revoke(session: RevocableSession): Promise<boolean> {
    const { uid, sessionId, refreshToken } = session;
    try {
      const idToken =
        session.idToken ?? (await identity.refresh(refreshToken, REFRESH_TIMEOUT_MS)).idToken;
      return await sessionRegistry.delete({ uid, idToken }, sessionId);
    } catch (error) {
      // If the provider has ended the session, copies of its cookie cannot be renewed either.
      return isSessionEndedError(error);
    }
  }

  async function retryRevoke(session: RevocableSession): Promise<void> {
    for (const delay of RETRY_DELAYS_MS) {
      await wait(delay);
      if (await withoutTimeLimit(() => revoke(session))) return;
    }
  }

  async function readPending(request: Request): Promise<PendingSignOuts | undefined> {
    return pendingSchema.safeParse(await cookie.open(request)).data;
  }

  /** Seals as many sessions as fit into a cookie. If there are too many, the oldest are dropped. */
  async function sealPending(
    request: Request,
    sessions: PendingSignOuts["sessions"],
  ): Promise<string> {
    try {
      return await cookie.seal(request, { sessions, retryAt: now() + RETRY_EVERY_MS });
    } catch (error) {
      if (!(error instanceof RangeError) || sessions.length === 1) throw error;
      return sealPending(request, sessions.slice(1));
    }
  }

  return {
    /** Revokes a session. If that fails, returns the `Set-Cookie` value with which later requests retry. */
    async revoke(
      request: Request,
      session: RevocableSession,
      defer: Defer | null,
    ): Promise<string | null> {
      if (await revoke(session)) return null;
      defer?.(retryRevoke(session));
      const { uid, sessionId, refreshToken } = session;
      const earlier = (await readPending(request))?.sessions ?? [];
      return sealPending(request, [...earlier, { uid, sessionId, refreshToken }]);
    },

    /** Tries again to revoke the sessions in the browser's `sign-out` cookie. Returns the headers for the response. */
    async retryPending(request: Request, defer: Defer | null): Promise<Record<string, string>> {
      if (!cookie.isPresent(request)) return {};
      const pending = await readPending(request);
      if (!pending) return { "Set-Cookie": cookie.remove(request) };
      if (pending.retryAt > now()) return {};
      const attempts = withoutTimeLimit(() =>
        Promise.all(
          pending.sessions.map(async (session) => ({
            session,
            isEnded: await revoke({ ...session, idToken: null }),
          })),
        ),
      );
      defer?.(attempts);
      const results = await resolveWithin(attempts, PAGE_TIMEOUT_MS);
      const remaining = results
        ? results.flatMap(({ session, isEnded }) => (isEnded ? [] : [session]))
        : pending.sessions;
      return {
        "Set-Cookie":
          remaining.length === 0 ? cookie.remove(request) : await sealPending(request, remaining),
      };
    },
  };
}

export const getSignOuts = createServiceGetter((env, context) =>
  createSignOutService(env, {
    identity: getIdentityToolkit(context),
    sessionRegistry: getSessionRegistry(context),
    now: () => Date.now(),
  }),
);

/** Revokes the request's session. If that fails, the headers set a cookie, so that a later request revokes it. */
export async function revokeSession({
  request,
  context,
}: {
  request: Request;
  context: AppLoadContext;
}): Promise<Headers> {
  const session = await getSessionCookie(context).readUnchecked(request);
  if (!session) return new Headers();
  getSessionChecks(context).markEnded(session);
  const pending = await getSignOuts(context).revoke(request, session, getWaitUntil(context));
  return new Headers(pending === null ? {} : { "Set-Cookie": pending });
}
