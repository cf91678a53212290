import { decodeJwt } from "jose";

import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { getIdentityToolkit, type Tokens } from "#app/firebase/identity-toolkit.server.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { callAuth, type ProfileAction } from "./profile-action.server.ts";

/** The provider's errors for a wrong password. The e-mail address is the user's own. */
const CURRENT_PASSWORD_ERRORS = new Map([
  ["wrong-password", "currentPassword"],
  ["invalid-credential", "currentPassword"],
]);

/**
 * Signs the user in again with their password. It counts towards the limit of sign-ins.
 *
 * @throws {ActionFailure} for an error of the provider, and when the e-mail address now belongs to another account
 */
export function reauthenticate({ request, context, user }: ProfileAction, password: string) {
  const call = async () => {
    await getSignInLimits(context).consume(request, "sign-in", user.email);
    const tokens = await getIdentityToolkit(context).signIn(user.email, password);
    if (decodeJwt(tokens.idToken).sub === user.uid) return tokens;
    throw new AuthError("user-mismatch", undefined);
  };
  return callAuth("sign-in", call, { fields: CURRENT_PASSWORD_ERRORS });
}

/**
 * Continues this session with the tokens of a new password, which has ended all other sessions. Deletes those from the
 * registry if it can be reached. Returns the headers.
 */
export async function continueSession({ request, context, user }: ProfileAction, tokens: Tokens) {
  const { uid, sessionId } = user;
  await getSessionRegistry(context).deleteOthers({ uid, idToken: tokens.idToken }, sessionId);
  return getSessionCookie(context).createSession(request, tokens, sessionId);
}
