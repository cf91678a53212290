import * as z from "zod";

import type { Env } from "#app/env.server.ts";
import { AuthError, toAuthError } from "./auth-error.server.ts";

/** The specification's limit for one call. */
const TIMEOUT_MS = 30_000;

const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

/**
 * Calls one method of a service of Google's, such as `accounts:lookup`, and reads its answer by a schema.
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
 * Returns how to call a service of Google's over REST, or of the emulator in its place, with the API key.
 *
 * Every call throws an `AuthError`: with the provider's code when it refuses, with
 * `network-request-failed` when it cannot be reached, is slower than 30 s or answers nonsense, with
 * `internal-error` when its answer is not what the schema expects.
 */
export function createAuthCall(
  env: Env,
  service: "identitytoolkit.googleapis.com" | "securetoken.googleapis.com",
): AuthCall {
  const emulator = env.FIREBASE_AUTH_EMULATOR_HOST;
  const base = emulator ? `http://${emulator}/${service}` : `https://${service}`;
  const key = new URLSearchParams({ key: env.FIREBASE_API_KEY });

  return async (schema, method, body, timeoutMs = TIMEOUT_MS) => {
    const isForm = body instanceof URLSearchParams;
    let reply: unknown;
    let status: number;
    try {
      const response = await fetch(new URL(`${base}/v1/${method}?${key}`), {
        method: "POST",
        headers: isForm ? {} : { "Content-Type": "application/json" },
        body: isForm ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = response.status;
      reply = await response.json();
    } catch {
      throw toAuthError(undefined);
    }

    // A service that fails or is overrun has refused nobody.
    if (status >= 500 || status === 429) throw toAuthError(undefined);
    const refusal = refusalSchema.safeParse(reply);
    if (refusal.success) throw toAuthError(refusal.data.error.message);
    if (status >= 400) throw toAuthError(undefined);
    const answer = schema.safeParse(reply);
    if (!answer.success) throw new AuthError("internal-error", undefined);
    return answer.data;
  };
}
