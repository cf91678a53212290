import { decodeJwt } from "jose";

import { toAuthError } from "#app/firebase/auth-error.server.ts";

/** Firebase Authentication requires a sign-in within the last five minutes to delete an account. */
const RECENT_SECONDS = 5 * 60;

/**
 * Requires a recent sign-in, as the provider does. Check it first, because the provider would reject the last step of a
 * deletion after the earlier steps have succeeded.
 *
 * @throws {AuthError} `requires-recent-login`
 */
export function requireRecentSignIn(idToken: string, now: () => number): void {
  const signedInAt = Number(decodeJwt(idToken).auth_time);
  if (now() / 1000 - signedInAt <= RECENT_SECONDS) return;
  throw toAuthError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
}
