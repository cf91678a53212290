import { decodeJwt } from "jose";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { AuthError, toAuthError } from "./auth-error.server.ts";
import { createAuthCall } from "./identity-toolkit-call.server.ts";

/** The tokens that the provider issues with every sign-in and refresh. */
export interface Tokens {
  idToken: string;
  refreshToken: string;
  /** Seconds. */
  expiresIn: number;
}

/** The response of every method that signs a user in. */
export const tokensSchema = z.object({
  idToken: z.string(),
  refreshToken: z.string(),
  expiresIn: z.coerce.number(),
});

/** Users with a second factor get no tokens yet, though the status is 200. */
const signInSchema = z.union([tokensSchema, z.object({ mfaPendingCredential: z.string() })]);

const refreshSchema = z
  .object({
    id_token: z.string(),
    refresh_token: z.string(),
    expires_in: z.coerce.number(),
  })
  .transform((response): Tokens => ({
    idToken: response.id_token,
    refreshToken: response.refresh_token,
    expiresIn: response.expires_in,
  }));

/**
 * The `kind` of an `accounts:lookup` response. A response of another kind is not from the provider, so its lack of users
 * must not be mistaken for a deleted account.
 */
export const lookupKindSchema = z.literal("identitytoolkit#GetAccountInfoResponse").optional();

const PASSWORD = "password";

/** The ways to sign in; missing from a response without any. */
const userSchema = z.object({
  providerUserInfo: z.array(z.object({ providerId: z.string() })).optional(),
});

/** The claim of an ID token that says how its session began. */
const claimsSchema = z.object({ firebase: z.object({ sign_in_provider: z.string() }) });

/**
 * Returns the user in a response of `accounts:lookup`.
 *
 * @throws {AuthError} when the response contains no user; `isSessionEndedError` recognizes it
 */
export function requireFoundUser<T>(users: readonly T[]): T {
  const [user] = users;
  if (user === undefined) throw toAuthError("USER_NOT_FOUND");
  return user;
}

export type IdentityToolkit = ReturnType<typeof createIdentityToolkit>;

/**
 * Calls Firebase Authentication over REST.
 *
 * Every method rejects with an `AuthError`, see `createAuthCall`. We do not support second factors: the error is
 * `multi-factor-auth-required`.
 *
 * @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts
 */
export function createIdentityToolkit(env: Env) {
  const call = createAuthCall(env, "identitytoolkit.googleapis.com");
  const callTokens = createAuthCall(env, "securetoken.googleapis.com");

  async function requestTokens(method: string, body: object): Promise<Tokens> {
    const request = { ...body, returnSecureToken: true };
    const result = await call(signInSchema, `accounts:${method}`, request);
    if ("idToken" in result) return result;
    throw new AuthError("multi-factor-auth-required", undefined);
  }

  return {
    signIn: (email: string, password: string) =>
      requestTokens("signInWithPassword", { email, password }),

    signUp: (email: string, password: string) => requestTokens("signUp", { email, password }),

    /**
     * Rejects when the user is disabled or deleted, which the ID token itself does not show. Also when they signed in with a
     * password that has been removed: Firebase removes the password of an unverified address when its owner signs in with
     * Google.
     *
     * @see https://firebase.google.com/docs/auth/users#verified_email_addresses
     */
    async check(idToken: string, timeoutMs?: number): Promise<void> {
      const schema = z.object({ kind: lookupKindSchema, users: z.array(userSchema).default([]) });
      const { users } = await call(schema, "accounts:lookup", { idToken }, timeoutMs);
      const { providerUserInfo: providers } = requireFoundUser(users);
      const { firebase } = claimsSchema.parse(decodeJwt(idToken));
      const isRemoved = providers && !providers.some(({ providerId }) => providerId === PASSWORD);
      if (firebase.sign_in_provider === PASSWORD && isRemoved) throw toAuthError("TOKEN_EXPIRED");
    },

    refresh(refreshToken: string, timeoutMs?: number): Promise<Tokens> {
      const body = new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: refreshToken,
      });
      return callTokens(refreshSchema, "token", body, timeoutMs);
    },
  };
}

export const getIdentityToolkit = createServiceGetter((env) => createIdentityToolkit(env));
