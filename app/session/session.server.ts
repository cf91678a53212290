import { decodeJwt } from "jose";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { AuthError, toAuthError } from "#app/firebase/auth-error.server.ts";
import {
  getIdentityToolkit,
  type IdentityToolkit,
  type Tokens,
} from "#app/firebase/identity-toolkit.server.ts";
import { dedupe } from "#app/http/cache.server.ts";
import { pictureAddressSchema } from "#app/http/https-url-schema.ts";
import { toPicturePath } from "#app/http/picture-path.ts";
import { isSubrequest } from "#app/http/page-request.server.ts";
import { PAGE_USER_HEADER, VISITOR } from "#app/http/headers.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";
import { isVisible } from "#app/http/text.ts";
import type { AuthUser, User } from "#app/session/user.ts";
import { deriveLateId } from "./registry.server.ts";

const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;

/** The specification's numbers for tokens, in milliseconds. */
const REFRESH_BEFORE_EXPIRY_MS = 5 * 60_000;
const EXPIRY_MARGIN_MS = 30_000;
const FIRST_BACKOFF_MS = 30_000;
const LONGEST_BACKOFF_MS = 16 * 60_000;

/** How long a request waits for a new token before it continues with the old one. Pages have other calls to make. */
const REFRESH_TIMEOUTS_MS = { page: 1000, action: 2000 };

/** The provider's codes for a session that has ended. Other errors can be retried. */
const ENDED_CODES = new Set([
  "user-token-expired",
  "user-disabled",
  "user-not-found",
  "invalid-user-token",
  "invalid-refresh-token",
]);

/** Whether the provider has ended the session, as opposed to being unavailable. */
export function isSessionEndedError(error: unknown): boolean {
  return error instanceof AuthError && ENDED_CODES.has(error.code);
}

const sessionSchema = z.object({
  /** The id in the session registry; missing until the first renewal if the session could not be added there. */
  id: z.string().optional(),
  idToken: z.string().refine(hasUid),
  refreshToken: z.string(),
  /** Milliseconds since the Unix epoch, by the server's clock. */
  expiresAt: z.number(),
  /** Set when a refresh did not reach the provider: when to retry, and the last delay, both in milliseconds. */
  backoff: z.object({ until: z.number(), delay: z.number() }).optional(),
});

type Session = z.infer<typeof sessionSchema> & { id: string };

/** The data needed to revoke a session. `idToken` is `null` when it has expired. */
export interface RevocableSession {
  uid: string;
  sessionId: string;
  idToken: string | null;
  refreshToken: string;
}

const claimsSchema = z.object({
  sub: z.string().min(1),
  email: z.string().default(""),
  // Exactly as in the token: `firestore.rules` compares it with the name in a message or story.
  name: z.string().refine(isVisible).nullable().catch(null),
  picture: z
    .string()
    .transform((address) => toPicturePath(address) ?? address)
    .pipe(pictureAddressSchema)
    .nullable()
    .catch(null),
  operator: z.boolean().catch(false),
});

/** The session that a request belongs to. */
export interface UserSession {
  /** `null` when signed out. */
  user: AuthUser | null;
  /** Whether the provider or the registry has just ended the session. */
  hasEnded: boolean;
  /** Whether the provider and the registry have both just confirmed the session. Pages do not wait for that. */
  isConfirmed: boolean;
  /** Whether the ID token was refreshed for this request. */
  isRenewed: boolean;
  /** Send them with the response: they set the renewed cookie, or remove an invalid one. */
  headers: Record<"Set-Cookie", string> | Record<never, never>;
}

/**
 * Stores the session in the sealed cookie `__session`, with the tokens that the server needs to act as the user. The
 * cookie lasts 14 days, and every refresh of the ID token renews it.
 *
 * The server stores only the session's entry in the registry, see `createSessionRegistry`. Signing out deletes the
 * entry, so that copies of the cookie become useless.
 *
 * @param timeoutsMs how long a page and an action wait for a refresh
 */
export function createSessionCookie(
  env: Env,
  identity: Pick<IdentityToolkit, "refresh">,
  now: () => number,
  timeoutsMs = REFRESH_TIMEOUTS_MS,
) {
  const cookie = createSealedCookie(env, "__session", { maxAgeSeconds: MAX_AGE_SECONDS, now });
  const refresh = {
    page: createRefresh(timeoutsMs.page),
    action: createRefresh(timeoutsMs.action),
  };

  /**
   * Returns a function that refreshes tokens. A page sends several requests at once, all with the same old cookie, so
   * they share a refresh.
   */
  function createRefresh(timeoutMs: number) {
    return dedupe(
      async (refreshToken) => toSession(await identity.refresh(refreshToken, timeoutMs)),
      { timeoutMs, onTimeout: () => toAuthError(undefined), now },
    );
  }

  async function openCookie(request: Request): Promise<Session | undefined> {
    const session = sessionSchema.safeParse(await cookie.open(request)).data;
    return session && { ...session, id: session.id ?? (await deriveLateId(session.refreshToken)) };
  }

  async function commitSession(request: Request, session: Session): Promise<UserSession> {
    const headers = { "Set-Cookie": await cookie.seal(request, session) };
    return { ...toUserSession(session), headers };
  }

  function toUserSession(session: Session): UserSession {
    const isUsable = session.expiresAt - EXPIRY_MARGIN_MS > now();
    const idToken = isUsable ? session.idToken : null;
    return {
      user: { ...readUser(session.idToken), idToken, sessionId: session.id },
      hasEnded: false,
      isConfirmed: false,
      isRenewed: false,
      headers: {},
    };
  }

  async function renew(request: Request, session: Session): Promise<UserSession> {
    try {
      const kind = request.method === "POST" ? "action" : "page";
      const tokens = await refresh[kind](session.refreshToken);
      return { ...(await commitSession(request, { ...tokens, id: session.id })), isRenewed: true };
    } catch (error) {
      // The account got a long name or photo elsewhere. Sign-in shortens them.
      if (error instanceof RangeError) return expireSession(request);
      if (!(error instanceof AuthError)) throw error;
      if (isSessionEndedError(error)) return expireSession(request);
      const delay = Math.min(
        (session.backoff?.delay ?? FIRST_BACKOFF_MS / 2) * 2,
        LONGEST_BACKOFF_MS,
      );
      return commitSession(request, { ...session, backoff: { until: now() + delay, delay } });
    }
  }

  function toSession({ idToken, refreshToken, expiresIn }: Tokens) {
    return { idToken, refreshToken, expiresAt: now() + expiresIn * 1000 };
  }

  function destroySession(request: Request) {
    return { "Set-Cookie": cookie.remove(request), [PAGE_USER_HEADER]: VISITOR };
  }

  function expireSession(request: Request): UserSession {
    // The response to a page's script or frame may arrive after another sign-in, and would remove the new cookie.
    return {
      ...createSignedOutSession(isSubrequest(request) ? {} : destroySession(request)),
      hasEnded: true,
    };
  }

  return {
    /**
     * Returns the session. Renews the token when it expires within 5 minutes. An unavailable provider is retried after
     * 30 s, doubling up to 16 min; a rejected refresh ends the session, and so does a token that is too long for the cookie.
     */
    async read(request: Request): Promise<UserSession> {
      const session = await openCookie(request);
      if (!session)
        return createSignedOutSession(cookie.isPresent(request) ? destroySession(request) : {});

      const isFresh = session.expiresAt - REFRESH_BEFORE_EXPIRY_MS > now();
      const isWaiting = session.backoff !== undefined && session.backoff.until > now();
      return isFresh || isWaiting ? toUserSession(session) : renew(request, session);
    },

    /**
     * Returns the headers that sign a user in.
     *
     * @param id the id in the registry; `undefined` if the session could not be added there
     */
    async createSession(request: Request, tokens: Tokens, id?: string) {
      const session = { ...toSession(tokens), id: id ?? (await deriveLateId(tokens.refreshToken)) };
      return (await commitSession(request, session)).headers;
    },

    /** Returns the session in the cookie, without checking whether it has ended. */
    async readUnchecked(request: Request): Promise<RevocableSession | null> {
      const session = await openCookie(request);
      const user = session && toUserSession(session).user;
      return user ? { ...user, refreshToken: session.refreshToken } : null;
    },

    /**
     * Refreshes the token, so that it contains the account's new name and photo. Returns the headers.
     *
     * @throws {AuthError}
     */
    async refreshSession(request: Request): Promise<UserSession> {
      const session = await openCookie(request);
      if (!session) return createSignedOutSession({});
      // Not deduplicated, because a shared response may be older than the change.
      const tokens = await identity.refresh(session.refreshToken);
      return commitSession(request, { ...toSession(tokens), id: session.id });
    },

    destroySession,

    /** Returns a signed-out session, after the provider or the registry has ended the session. */
    expireSession,
  };
}

function createSignedOutSession(headers: UserSession["headers"]): UserSession {
  return { user: null, hasEnded: false, isConfirmed: false, isRenewed: false, headers };
}

/** Whether the token can be read. A session with an unreadable token counts as signed out. */
function hasUid(idToken: string): boolean {
  try {
    return readUser(idToken).uid !== "";
  } catch {
    return false;
  }
}

/** Reads the claims without verifying the signature: the token came from the provider and was sealed by this server. */
function readUser(idToken: string): User & Pick<AuthUser, "isOperator"> {
  const claims = claimsSchema.parse(decodeJwt(idToken));
  return {
    uid: claims.sub,
    email: claims.email,
    displayName: claims.name,
    photoURL: claims.picture,
    isOperator: claims.operator,
  };
}

export const getSessionCookie = createServiceGetter((env, context) =>
  createSessionCookie(env, getIdentityToolkit(context), () => Date.now()),
);
