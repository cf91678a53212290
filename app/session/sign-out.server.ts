import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { getIdentityToolkit, type IdentityService } from "#app/firebase/identity-toolkit.server.ts";
import { createSealedCookie } from "#app/http/sealed-cookie.server.ts";
import { withTimeout } from "#app/http/timeout.server.ts";
import { getSessionRegistry, type createSessionList } from "./registry.server.ts";
import { isSessionOver, type EndableSession } from "./session.server.ts";

/** Somebody who signs out waits no longer for the provider. */
const REFRESH_TIMEOUT_MS = 2000;

/** A page waits no longer for a sign-out that was left unfinished. */
const PAGE_PATIENCE_MS = 1000;

/** When the edge itself tries again, in milliseconds from one attempt to the next. It has 30 s after its answer. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000];

/** How long pages leave an unfinished sign-out alone after an attempt. */
const RETRY_EVERY_MS = 30_000;

/** Each failed attempt begins it anew. */
const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;

const pendingSchema = z.object({
  sessions: z.array(z.object({ uid: z.string(), sessionId: z.string(), refreshToken: z.string() })),
  /** Milliseconds since the Unix epoch, by our clock. */
  retryAt: z.number(),
});

type Pending = z.infer<typeof pendingSchema>;

/** Keeps a request going after the answer. */
type Defer = (promise: Promise<unknown>) => void;

/**
 * Ends sessions so that no copy of their cookie is worth anything: takes them off their list as the person.
 *
 * What cannot be reached is tried again for some seconds after the answer. The browser also keeps the sealed cookie
 * `sign-out`, which only ever ends sessions, until one of its next requests has succeeded.
 */
function createSignOutService(
  env: Env,
  {
    identity,
    sessionList,
    now,
  }: {
    identity: Pick<IdentityService, "refresh">;
    sessionList: Pick<ReturnType<typeof createSessionList>, "remove">;
    now: () => number;
  },
) {
  const cookie = createSealedCookie(env, "sign-out", { maxAgeSeconds: MAX_AGE_SECONDS, now });

  /** Tells whether the session has ended for good. */
  async function end(session: EndableSession): Promise<boolean> {
    const { uid, sessionId, refreshToken } = session;
    try {
      const idToken =
        session.idToken ?? (await identity.refresh(refreshToken, REFRESH_TIMEOUT_MS)).idToken;
      return await sessionList.remove({ uid, idToken }, sessionId);
    } catch (error) {
      // What the provider has ended cannot be renewed by a copy either.
      return isSessionOver(error);
    }
  }

  async function keepTrying(session: EndableSession): Promise<void> {
    for (const delay of RETRY_DELAYS_MS) {
      await new Promise((resolve) => void setTimeout(resolve, delay));
      if (await end(session)) return;
    }
  }

  async function read(request: Request): Promise<Pending | undefined> {
    return pendingSchema.safeParse(await cookie.open(request)).data;
  }

  /** Seals the newest sessions, as many as fit into a cookie. */
  async function write(request: Request, sessions: Pending["sessions"]): Promise<string> {
    try {
      return await cookie.seal(request, { sessions, retryAt: now() + RETRY_EVERY_MS });
    } catch (error) {
      if (!(error instanceof RangeError) || sessions.length === 1) throw error;
      return write(request, sessions.slice(1));
    }
  }

  return {
    /** Ends a session. Returns the `Set-Cookie` value by which the browser brings it again, if that did not succeed. */
    async end(
      request: Request,
      session: EndableSession,
      defer: Defer | null,
    ): Promise<string | null> {
      if (await end(session)) return null;
      defer?.(keepTrying(session));
      const { uid, sessionId, refreshToken } = session;
      const earlier = (await read(request))?.sessions ?? [];
      return write(request, [...earlier, { uid, sessionId, refreshToken }]);
    },

    /** Tries again to end what the browser brings. Returns the headers that belong on the answer. */
    async resume(request: Request, defer: Defer | null): Promise<Record<string, string>> {
      if (!cookie.isPresent(request)) return {};
      const pending = await read(request);
      if (!pending) return { "Set-Cookie": cookie.remove(request) };
      if (pending.retryAt > now()) return {};
      const attempts = Promise.all(
        pending.sessions.map(async (session) => ({
          session,
          isEnded: await end({ ...session, idToken: null }),
        })),
      );
      defer?.(attempts);
      const results = await withTimeout(attempts, PAGE_PATIENCE_MS).catch(() => null);
      const left = results
        ? results.flatMap(({ session, isEnded }) => (isEnded ? [] : [session]))
        : pending.sessions;
      return {
        "Set-Cookie": left.length === 0 ? cookie.remove(request) : await write(request, left),
      };
    },
  };
}

export const getSignOuts = oncePerEnv((env, context) =>
  createSignOutService(env, {
    identity: getIdentityToolkit(context),
    sessionList: getSessionRegistry(context),
    now: () => Date.now(),
  }),
);
