import * as z from "zod";

import type { Env } from "#app/env.server.ts";
import { fetchRecorded } from "#app/http/outgoing-calls.server.ts";
import { AuthError, toAuthError } from "./auth-error.server.ts";

/** The specification's limit for one request. */
const TIMEOUT_MS = 30_000;

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

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
