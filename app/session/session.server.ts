import { decodeJwt } from "jose";
import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { ProviderError, toProviderError } from "#app/firebase/auth-error.server.ts";
import {
  getIdentityToolkit,
  type IdentityService,
  type Tokens,
} from "#app/firebase/identity-toolkit.server.ts";
import { dedupe } from "#app/http/dedupe.server.ts";
import { httpsAddressSchema } from "#app/http/https-url-schema.ts";
import { createSealedCookie } from "#app/http/sealed-cookie.server.ts";
import { isVisible } from "#app/http/visible-text.ts";
import type { AuthUser, User } from "#app/session/user.ts";
import { deriveLateId } from "./session-id.server.ts";

const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;

/** The specification's numbers for tokens, in milliseconds. */
const REFRESH_BEFORE_EXPIRY_MS = 5 * 60_000;
const EXPIRED_BEFORE_EXPIRY_MS = 30_000;
const FIRST_BACKOFF_MS = 30_000;
const LONGEST_BACKOFF_MS = 16 * 60_000;

/** A page waits no longer for a new token: it is worth showing with the old one, or without. */
const TIMEOUT_MS = 5000;

/** What the provider says of a session that is over. After anything else it is worth asking again. */
const ENDED = new Set([
  "user-token-expired",
  "user-disabled",
  "user-not-found",
  "invalid-user-token",
  "invalid-refresh-token",
]);

/** Tells whether the provider said that a session is over, and not only that it cannot tell right now. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ProviderError && ENDED.has(error.code);
}

const sessionSchema = z.object({
  /** On the person's own list; absent until the first renewal where it could not be put there. */
  id: z.string().optional(),
  idToken: z.string().refine(namesPerson),
  refreshToken: z.string(),
  /** Milliseconds since the Unix epoch, by our clock. */
  expiresAt: z.number(),
  /** After a refresh that did not reach the provider: when to try again, and how long we waited, both in ms. */
  backoff: z.object({ until: z.number(), delay: z.number() }).optional(),
});

type Session = z.infer<typeof sessionSchema> & { id: string };

/** What it takes to end a session: `idToken` is `null` when only the refresh token is still good. */
export interface EndableSession {
  uid: string;
  sessionId: string;
  idToken: string | null;
  refreshToken: string;
}

const claimsSchema = z.object({
  sub: z.string().min(1),
  email: z.string().default(""),
  // As they are in the token: the rules take no others in a message or a story.
  name: z.string().refine(isVisible).nullable().catch(null),
  picture: httpsAddressSchema.nullable().catch(null),
});

/** The session that a request belongs to. */
export interface UserSession {
  /** `null` when signed out. */
  user: AuthUser | null;
  /** Whether the provider or the registry has just ended the session. */
  hasEnded: boolean;
  /** Whether the ID token was refreshed for this request. */
  isRenewed: boolean;
  /** Belongs on the response: sets the renewed cookie, or clears an invalid one. */
  headers: Record<"Set-Cookie", string> | Record<never, never>;
}

/**
 * Keeps a person signed in by the sealed cookie `__session`, which holds what the server needs to act
 * as them. It lasts 14 days from its last renewal, and every refresh of the ID token renews it.
 *
 * The server keeps nothing but the session's place on its owner's list, see `createSessionList`. Signing out takes it off
 * the list, so that a copy of the cookie is worth nothing either.
 *
 * @param timeoutMs how long a page waits for a refresh
 */
export function createSessionService(
  env: Env,
  identity: Pick<IdentityService, "refresh">,
  now: () => number,
  timeoutMs = TIMEOUT_MS,
) {
  const cookie = createSealedCookie(env, "__session", { maxAgeSeconds: MAX_AGE_SECONDS, now });
  // A page asks for several things at once, and each brings the cookie that the first answer replaces.
  const refresh = dedupe(async (refreshToken) => toSession(await identity.refresh(refreshToken)), {
    timeoutMs,
    onTimeout: () => toProviderError(undefined),
    now,
  });

  async function open(request: Request): Promise<Session | undefined> {
    const session = sessionSchema.safeParse(await cookie.open(request)).data;
    return session && { ...session, id: session.id ?? (await deriveLateId(session.refreshToken)) };
  }

  async function keep(request: Request, session: Session): Promise<UserSession> {
    const headers = { "Set-Cookie": await cookie.seal(request, session) };
    return { ...toUserSession(session), headers };
  }

  function toUserSession(session: Session): UserSession {
    const isUsable = session.expiresAt - EXPIRED_BEFORE_EXPIRY_MS > now();
    const idToken = isUsable ? session.idToken : null;
    return {
      user: { ...readUser(session.idToken), idToken, sessionId: session.id },
      hasEnded: false,
      isRenewed: false,
      headers: {},
    };
  }

  async function renew(request: Request, session: Session): Promise<UserSession> {
    try {
      const tokens = await refresh(session.refreshToken);
      return { ...(await keep(request, { ...tokens, id: session.id })), isRenewed: true };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (isSessionOver(error)) return { ...signedOut(end(request)), hasEnded: true };
      const delay = Math.min(
        (session.backoff?.delay ?? FIRST_BACKOFF_MS / 2) * 2,
        LONGEST_BACKOFF_MS,
      );
      return keep(request, { ...session, backoff: { until: now() + delay, delay } });
    }
  }

  function toSession({ idToken, refreshToken, expiresIn }: Tokens) {
    return { idToken, refreshToken, expiresAt: now() + expiresIn * 1000 };
  }

  function end(request: Request) {
    return { "Set-Cookie": cookie.remove(request) };
  }

  return {
    /**
     * Tells who sends the request, renewing their token when less than 5 minutes of it are left.
     * A provider that cannot be reached is asked again after 30 s, doubling to 16 min; one that refuses
     * ends the session.
     */
    async read(request: Request): Promise<UserSession> {
      const session = await open(request);
      if (!session) return signedOut(cookie.isPresent(request) ? end(request) : {});

      const isFresh = session.expiresAt - REFRESH_BEFORE_EXPIRY_MS > now();
      const isWaiting = session.backoff !== undefined && session.backoff.until > now();
      return isFresh || isWaiting ? toUserSession(session) : renew(request, session);
    },

    /** Returns the headers that sign a person in, for a session that may be on their list. */
    async start(request: Request, tokens: Tokens, id?: string) {
      const session = { ...toSession(tokens), id: id ?? (await deriveLateId(tokens.refreshToken)) };
      return (await keep(request, session)).headers;
    },

    /** Returns the session that the request brings, without asking anybody whether it still is one. */
    async peek(request: Request): Promise<EndableSession | null> {
      const session = await open(request);
      const user = session && toUserSession(session).user;
      return user ? { ...user, refreshToken: session.refreshToken } : null;
    },

    /**
     * Returns the headers that keep a person signed in with what their account says now.
     *
     * @throws {ProviderError}
     */
    async update(request: Request): Promise<UserSession["headers"]> {
      const session = await open(request);
      if (!session) return {};
      // Not the shared refresh, whose answer may be older than the change.
      const tokens = await identity.refresh(session.refreshToken);
      return (await keep(request, { ...toSession(tokens), id: session.id })).headers;
    },

    /** Returns the headers that sign a person out. */
    end,

    /** Returns what is left of a person whom the provider no longer knows. */
    expel: (request: Request): UserSession => ({ ...signedOut(end(request)), hasEnded: true }),
  };
}

function signedOut(headers: UserSession["headers"]): UserSession {
  return { user: null, hasEnded: false, isRenewed: false, headers };
}

/** Whether a token can be read. One that cannot be is no reason to fail: its session counts as none. */
function namesPerson(idToken: string): boolean {
  try {
    return readUser(idToken).uid !== "";
  } catch {
    return false;
  }
}

/** Reads the claims without checking the signature: the token came from the provider, then from our own seal. */
function readUser(idToken: string): User {
  const claims = claimsSchema.parse(decodeJwt(idToken));
  return {
    uid: claims.sub,
    email: claims.email,
    displayName: claims.name,
    photoURL: claims.picture,
  };
}

export const getSessionCookie = oncePerEnv((env, context) =>
  createSessionService(env, getIdentityToolkit(context), () => Date.now()),
);
