import * as z from "zod";

import type { Env } from "#app/env.server.ts";
import { ProviderError, toProviderError } from "#app/firebase/auth-error.server.ts";
import { createProviderCall } from "#app/firebase/identity-toolkit-call.server.ts";
import type { Tokens } from "#app/firebase/identity-toolkit.server.ts";

const PROVIDER_ID = "google.com";

/** Three answers with status 200 are refusals. */
const replySchema = z.union([
  z.object({ needConfirmation: z.literal(true) }),
  z.object({ errorMessage: z.string() }),
  z.object({ mfaPendingCredential: z.string() }),
  z.object({
    idToken: z.string(),
    refreshToken: z.string(),
    expiresIn: z.coerce.number(),
  }),
]);

/** What Google says of a person, and the nonce whose hash is in it. */
export interface GoogleCredential {
  idToken: string;
  nonce: string;
}

/**
 * Signs people in to Firebase Authentication with what Google says of them. Every method throws a
 * `ProviderError`, see `createProviderCall`.
 *
 * @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithIdp
 */
export function createGoogleIdentity(env: Env) {
  const call = createProviderCall(env, "identitytoolkit.googleapis.com");

  async function signInWithIdp(
    { idToken, nonce }: GoogleCredential,
    more: { idToken?: string },
  ): Promise<Tokens> {
    const credential = new URLSearchParams({ id_token: idToken, providerId: PROVIDER_ID, nonce });
    const reply = await call(replySchema, "accounts:signInWithIdp", {
      ...more,
      // For a credential that was posted this is not looked at, but it must be there.
      requestUri: "http://localhost",
      postBody: credential.toString(),
      returnSecureToken: true,
      // Otherwise conflicts would come as answers with status 200.
      returnIdpCredential: false,
    }).catch((error: unknown) => {
      throw withoutText(error);
    });
    if ("idToken" in reply) return reply;
    if ("needConfirmation" in reply) {
      throw new ProviderError("account-exists-with-different-credential", undefined);
    }
    if ("errorMessage" in reply) throw withoutText(toProviderError(reply.errorMessage));
    throw new ProviderError("multi-factor-auth-required", undefined);
  }

  return {
    /**
     * Signs in whoever Google says it is, and makes an account for somebody new.
     *
     * An address that Google has verified takes over the account that has it; one that Google has not is refused
     * with `account-exists-with-different-credential`.
     */
    signIn: (credential: GoogleCredential) => signInWithIdp(credential, {}),

    /** Adds Google to the ways in which the owner of `idToken` can sign in. */
    link: (credential: GoogleCredential, idToken: string) => signInWithIdp(credential, { idToken }),
  };
}

/** What the service says of a credential that it refuses may hold the credential, which is not for pages. */
function withoutText(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  // Nor is what stands in place of a code. Without any, each screen has words of its own.
  const isCode = /^[a-z-]*$/.test(error.code);
  return new ProviderError(isCode ? error.code : "internal-error", undefined);
}
