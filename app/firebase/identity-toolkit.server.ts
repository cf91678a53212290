import { decodeJwt } from "jose";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { fetchRecorded } from "#app/http/outgoing-calls.server.ts";
import { AuthError, toAuthError } from "./auth-error.server.ts";

/** The specification's limit for one request. */
const TIMEOUT_MS = 30_000;

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

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

/**
 * Calls one method of a Google service, such as `accounts:lookup`, and parses the response with a schema.
 *
 * @param timeoutMs @default 30 s
 */
export type AuthCall = <T>(
  schema: z.ZodType<T>,
  method: string,
  body: object | URLSearchParams,
  timeoutMs?: number,
) => Promise<T>;

/**
 * Returns a function that calls a Google service, or its emulator, over REST with the API key.
 *
 * Every call rejects with an `AuthError`: `network-request-failed` when the service cannot be reached, times out, fails
 * or does not return JSON; the provider's own code when it rejects the request; `internal-error` when the response does
 * not match the schema.
 */
export function createAuthCall(
  env: Env,
  service: "identitytoolkit.googleapis.com" | "securetoken.googleapis.com",
): AuthCall {
  const emulator = env.FIREBASE_AUTH_EMULATOR_HOST;
  const base = emulator ? `http://${emulator}/${service}` : `https://${service}`;
  const name = service === "identitytoolkit.googleapis.com" ? "auth" : "tokens";
  const key = new URLSearchParams({ key: env.FIREBASE_API_KEY });

  return async (schema, method, body, timeoutMs = TIMEOUT_MS) => {
    const url = `${base}/v1/${method}?${key}`;
    const isForm = body instanceof URLSearchParams;
    let json: unknown;
    let status: number;
    try {
      const response = await fetchRecorded({ service: name, method }, url, {
        method: "POST",
        headers: isForm ? {} : { "Content-Type": "application/json" },
        body: isForm ? body : JSON.stringify(body),
        timeoutMs,
      });
      status = response.status;
      json = JSON.parse(response.text);
    } catch {
      throw toAuthError(undefined);
    }

    // A failing or overloaded service has not rejected the credentials.
    if (status >= 500 || status === 429) throw toAuthError(undefined);
    const error = errorSchema.safeParse(json);
    if (error.success) throw toAuthError(error.data.error.message);
    if (status >= 400) throw toAuthError(undefined);
    const result = schema.safeParse(json);
    if (!result.success) throw new AuthError("internal-error", undefined);
    return result.data;
  };
}
