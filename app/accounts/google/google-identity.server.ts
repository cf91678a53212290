import * as z from "zod";

import type { Env } from "#app/env.server.ts";
import { AuthError, toAuthError } from "#app/firebase/auth-error.server.ts";
import { createAuthCall } from "#app/firebase/identity-toolkit-call.server.ts";
import type { Tokens } from "#app/firebase/identity-toolkit.server.ts";

const PROVIDER_ID = "google.com";

/** The responses with status 200. All but the last are errors. */
const responseSchema = z.union([
  z.object({ needConfirmation: z.literal(true) }),
  z.object({ errorMessage: z.string() }),
  z.object({ mfaPendingCredential: z.string() }),
  z.object({
    idToken: z.string(),
    refreshToken: z.string(),
    expiresIn: z.coerce.number(),
  }),
]);

/** Google's ID token and the nonce, whose hash the token contains. */
export interface GoogleCredential {
  idToken: string;
  nonce: string;
}

/**
 * Signs users in to Firebase Authentication with Google's ID token. Every method throws an `AuthError`, see
 * `createAuthCall`.
 *
 * @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithIdp
 */
export function createGoogleIdentity(env: Env) {
  const call = createAuthCall(env, "identitytoolkit.googleapis.com");

  async function signInWithIdp(
    { idToken, nonce }: GoogleCredential,
    more: { idToken?: string },
  ): Promise<Tokens> {
    const credential = new URLSearchParams({ id_token: idToken, providerId: PROVIDER_ID, nonce });
    const response = await call(responseSchema, "accounts:signInWithIdp", {
      ...more,
      // Required, but ignored for a credential in `postBody`.
      requestUri: "http://localhost",
      postBody: credential.toString(),
      returnSecureToken: true,
      // Otherwise the response to a conflict would have status 200.
      returnIdpCredential: false,
    }).catch((error: unknown) => {
      throw removeErrorText(error);
    });
    if ("idToken" in response) return response;
    if ("needConfirmation" in response) {
      throw new AuthError("account-exists-with-different-credential", undefined);
    }
    if ("errorMessage" in response) throw removeErrorText(toAuthError(response.errorMessage));
    throw new AuthError("multi-factor-auth-required", undefined);
  }

  return {
    /**
     * Signs a Google user in, and creates an account for a new one.
     *
     * If the e-mail address already has an account, the Google user gets that account when Google has verified the
     * address; otherwise the error is `account-exists-with-different-credential`.
     */
    signIn: (credential: GoogleCredential) => signInWithIdp(credential, {}),

    /** Adds Google as a way to sign in to the account of `idToken`. */
    link: (credential: GoogleCredential, idToken: string) => signInWithIdp(credential, { idToken }),
  };
}

/** Drops the service's message, which may contain the credential and must not be shown. */
function removeErrorText(error: unknown): unknown {
  if (!(error instanceof AuthError)) return error;
  // The service may also send its message as the code. Each screen has a message for `internal-error`.
  const isCode = /^[a-z-]*$/.test(error.code);
  return new AuthError(isCode ? error.code : "internal-error", undefined);
}
