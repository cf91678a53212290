import { randomUUID } from "node:crypto";

import type { Env } from "#app/env.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { createIdentityToolkit } from "#app/firebase/identity-toolkit.server.ts";

/**
 * `off`: users can't sign in with e-mail and password; `unnamed-errors`: because of e-mail enumeration protection, the
 * service does not say whether the address or the password is wrong.
 */
export type SignInProblem = "off" | "unnamed-errors" | "no-answer" | "rejected";

/** Signs in as a user who does not exist. Returns a problem unless the service says that there is no such user. */
export async function checkSignIn(env: Env): Promise<SignInProblem | undefined> {
  try {
    await createIdentityToolkit(env).signIn(`${randomUUID()}@example.com`, randomUUID());
    return "rejected";
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    if (error.wireCode === "EMAIL_NOT_FOUND") return undefined;
    if (error.wireCode === "INVALID_LOGIN_CREDENTIALS") return "unnamed-errors";
    if (error.code === "operation-not-allowed") return "off";
    return error.code === "network-request-failed" ? "no-answer" : "rejected";
  }
}
