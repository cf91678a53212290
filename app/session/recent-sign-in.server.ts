import { decodeJwt } from "jose";

import { toProviderError } from "#app/firebase/auth-error.server.ts";

/** The provider asks for a sign-in of the last five minutes before it deletes an account. */
const RECENT_SECONDS = 5 * 60;

/**
 * Asks for a recent sign-in as the provider would, before anything is begun that it would not let us finish.
 *
 * @throws {ProviderError} `requires-recent-login`
 */
export function requireRecentSignIn(idToken: string, now: () => number): void {
  const signedInAt = Number(decodeJwt(idToken).auth_time);
  if (now() / 1000 - signedInAt <= RECENT_SECONDS) return;
  throw toProviderError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
}
