import { importPKCS8, SignJWT, UnsecuredJWT } from "jose";

import { createServiceGetter, type Env } from "#app/env.server.ts";

const AUDIENCE =
  "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit";
const LIFETIME_SECONDS = 5 * 60;
/** Google rejects tokens issued in the future, even when its own clock is only slightly behind. */
const CLOCK_SKEW_SECONDS = 10;

/** What the ID token of a page says about its session. */
export interface PageClaims {
  /** The session's id in the registry. */
  session: string;
  /** Its key in the Realtime Database. */
  slot: string;
}

/**
 * Mints the custom token with which a browser signs in to Firebase as the user of its session. It is valid for five
 * minutes. Anyone who has it can sign in as that user, so send it to nobody else.
 *
 * Firebase refreshes the page's ID token with the same claims, even after the session has ended. Both rules files then refuse
 * it.
 *
 * The token is unsigned only where an emulator is configured.
 *
 * @see https://firebase.google.com/docs/auth/admin/create-custom-tokens#create_custom_tokens_using_a_third-party_jwt_library
 */
export function createCustomTokenService(env: Env, now: () => number) {
  return {
    async mint(uid: string, claims: PageClaims): Promise<string> {
      const {
        FIREBASE_CLIENT_EMAIL: issuer = "local@inkglade.example",
        FIREBASE_PRIVATE_KEY: key,
      } = env;
      const issuedAt = Math.floor(now() / 1000) - CLOCK_SKEW_SECONDS;
      const payload = {
        iss: issuer,
        sub: issuer,
        aud: AUDIENCE,
        iat: issuedAt,
        exp: issuedAt + LIFETIME_SECONDS,
        uid,
        claims,
      };

      if (env.FIREBASE_AUTH_EMULATOR_HOST) return new UnsecuredJWT(payload).encode();
      if (!key) throw new Error("readEnv requires a private key unless there is an emulator");
      return new SignJWT(payload)
        .setProtectedHeader({ alg: "RS256", typ: "JWT" })
        .sign(await importPKCS8(key, "RS256"));
    },
  };
}

export const getCustomTokens = createServiceGetter((env) =>
  createCustomTokenService(env, () => Date.now()),
);
