import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { AuthError, toAuthError } from "./auth-error.server.ts";
import { createAuthCall } from "./identity-toolkit-call.server.ts";

/** What the provider hands out at a sign-in and at every refresh. */
export interface Tokens {
  idToken: string;
  refreshToken: string;
  /** Seconds. */
  expiresIn: number;
}

/** The tokens of every method that signs somebody in. */
export const tokensSchema = z.object({
  idToken: z.string(),
  refreshToken: z.string(),
  expiresIn: z.coerce.number(),
});

/** Whoever has a second factor gets no tokens yet, with a status of 200 all the same. */
const signInSchema = z.union([tokensSchema, z.object({ mfaPendingCredential: z.string() })]);

const refreshSchema = z
  .object({
    id_token: z.string(),
    refresh_token: z.string(),
    expires_in: z.coerce.number(),
  })
  .transform((reply): Tokens => ({
    idToken: reply.id_token,
    refreshToken: reply.refresh_token,
    expiresIn: reply.expires_in,
  }));

/**
 * Returns whom an answer of `accounts:lookup` is about. An answer may also name nobody.
 *
 * @throws {AuthError} which `isSessionEndedError` recognises, when there is no such account
 */
export function requireFoundUser<T>(users: readonly T[]): T {
  const [user] = users;
  if (user === undefined) throw toAuthError("USER_NOT_FOUND");
  return user;
}

export type IdentityToolkit = ReturnType<typeof createIdentityToolkit>;

/**
 * Speaks to Firebase Authentication over REST.
 *
 * Every method throws an `AuthError`, see `createAuthCall`. A second factor, which we do not offer, is
 * `multi-factor-auth-required`.
 *
 * @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts
 */
export function createIdentityToolkit(env: Env) {
  const call = createAuthCall(env, "identitytoolkit.googleapis.com");
  const callTokens = createAuthCall(env, "securetoken.googleapis.com");

  async function account(method: string, body: object): Promise<Tokens> {
    const request = { ...body, returnSecureToken: true };
    const answer = await call(signInSchema, `accounts:${method}`, request);
    if ("idToken" in answer) return answer;
    throw new AuthError("multi-factor-auth-required", undefined);
  }

  return {
    signIn: (email: string, password: string) => account("signInWithPassword", { email, password }),

    signUp: (email: string, password: string) => account("signUp", { email, password }),

    /** Asks whether the token's owner still may sign in: the token itself does not know of a deleted account. */
    async check(idToken: string, timeoutMs?: number): Promise<void> {
      const schema = z.object({ users: z.array(z.unknown()).default([]) });
      requireFoundUser((await call(schema, "accounts:lookup", { idToken }, timeoutMs)).users);
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

export const getIdentityToolkit = oncePerEnv((env) => createIdentityToolkit(env));
