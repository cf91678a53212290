import * as z from "zod";

import type { Env } from "./env.server.ts";
import { ProviderError, toProviderError } from "./provider-errors.server.ts";

/** The specification's limit for one call. */
const TIMEOUT_MS = 30_000;

/** What the provider hands out at a sign-in and at every refresh. */
export interface Tokens {
  idToken: string;
  refreshToken: string;
  /** Seconds. */
  expiresIn: number;
}

const signInSchema = z.object({
  idToken: z.string(),
  refreshToken: z.string(),
  expiresIn: z.coerce.number(),
});

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

const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

export type IdentityService = ReturnType<typeof createIdentityService>;

/**
 * Speaks to Firebase Authentication over REST.
 *
 * Every method throws a `ProviderError`: with the provider's code when it refuses, with
 * `network-request-failed` when it cannot be reached, is slower than 30 s or answers nonsense.
 *
 * @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts
 */
export function createIdentityService(env: Env) {
  const emulator = env.FIREBASE_AUTH_EMULATOR_HOST;

  function urlOf(service: string, method: string): URL {
    const base = emulator ? `http://${emulator}/${service}` : `https://${service}`;
    return new URL(`${base}/v1/${method}?${new URLSearchParams({ key: env.FIREBASE_API_KEY })}`);
  }

  async function call<T>(
    schema: z.ZodType<T>,
    url: URL,
    body: object | URLSearchParams,
  ): Promise<T> {
    const isForm = body instanceof URLSearchParams;
    let reply: unknown;
    let status: number;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: isForm ? {} : { "Content-Type": "application/json" },
        body: isForm ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      status = response.status;
      reply = await response.json();
    } catch {
      throw toProviderError(undefined);
    }

    // A service that fails or is overrun has refused nobody.
    if (status >= 500 || status === 429) throw toProviderError(undefined);
    const refusal = refusalSchema.safeParse(reply);
    if (refusal.success) throw toProviderError(refusal.data.error.message);
    if (status >= 400) throw toProviderError(undefined);
    const answer = schema.safeParse(reply);
    // An answer without tokens asks for a second step, such as another factor, that we do not offer.
    if (!answer.success) throw new ProviderError("internal-error", undefined);
    return answer.data;
  }

  function account(method: string, body: object): Promise<Tokens> {
    const url = urlOf("identitytoolkit.googleapis.com", `accounts:${method}`);
    return call(signInSchema, url, { ...body, returnSecureToken: true });
  }

  return {
    signIn: (email: string, password: string) => account("signInWithPassword", { email, password }),

    signUp: (email: string, password: string) => account("signUp", { email, password }),

    /** Asks whether the token's owner still may sign in: the token itself does not know of a deleted account. */
    async check(idToken: string): Promise<void> {
      const url = urlOf("identitytoolkit.googleapis.com", "accounts:lookup");
      await call(z.object({ users: z.array(z.unknown()).min(1) }), url, { idToken });
    },

    refresh(refreshToken: string): Promise<Tokens> {
      const url = urlOf("securetoken.googleapis.com", "token");
      const body = new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: refreshToken,
      });
      return call(refreshSchema, url, body);
    },
  };
}
