import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { AuthError, toAuthError } from "#app/firebase/auth-error.server.ts";
import { createAuthCall, type Tokens } from "#app/firebase/identity-toolkit.server.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";
import { createGoogleOAuth, type OAuthSecrets } from "./google-oauth.server.ts";

/** The redirect URI after the origin. It must be registered with the OAuth client. */
const CALLBACK_PATH = "/auth/google/callback";

/** How long the user may stay at Google. */
const MAX_AGE_SECONDS = 10 * 60;

const screenSchema = z.enum(["sign-in", "sign-up", "room", "link"]);

/** The screen whose button was pressed. It shows the error. */
export type GoogleScreen = z.infer<typeof screenSchema>;

const requestSchema = z.object({
  screen: screenSchema,
  /** The user who links Google to their account; `null` on other screens. */
  uid: z.string().nullable(),
});

const stateSchema = requestSchema.extend({
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
}) satisfies z.ZodType<GoogleRequest & OAuthSecrets>;

/** What the user asked for before they went to Google. */
export type GoogleRequest = z.infer<typeof requestSchema>;

/** The id that a page gives to its pop-up. It is the beginning of the OAuth state, before a dot. */
const popupIdSchema = z.string().regex(/^[\da-z]{16,40}$/i);

/** Signs users in with Google. A sealed cookie stores the OAuth state for ten minutes, and for one response only. */
export function createGoogleSignIn(env: Env, now: () => number) {
  const oauth = createGoogleOAuth(env);
  const identity = createGoogleIdentity(env);
  const cookie = createSealedCookie(env, "google", {
    maxAgeSeconds: MAX_AGE_SECONDS,
    now,
  });

  return {
    /** Google's origin, for `form-action` in the Content-Security-Policy; `null` when Google is not configured. */
    origin: oauth?.origin ?? null,

    /**
     * Returns the address at Google, and the headers with the state.
     *
     * @param popupId the pop-up's id, `null` if there is no pop-up
     * @throws {AuthError} `operation-not-allowed` when Google is not configured
     */
    async start(request: Request, googleRequest: GoogleRequest, popupId: string | null) {
      if (!oauth) throw new AuthError("operation-not-allowed", undefined);
      const prefix = popupId === null ? "" : `${popupId}.`;
      const { url, ...secrets } = await oauth.createAuthorization(toRedirectUri(request), prefix);
      const sealed = await cookie.seal(request, { ...googleRequest, ...secrets });
      return { url, headers: { "Set-Cookie": sealed } };
    },

    /**
     * Returns the state of Google's response; `undefined` if this browser did not start the sign-in, or its cookie has
     * expired.
     */
    async findState(request: Request) {
      const state = stateSchema.safeParse(await cookie.open(request)).data;
      return state?.state === readState(request) ? state : undefined;
    },

    /**
     * Redeems Google's response at Firebase Authentication.
     *
     * @param state from `findState`
     * @param idToken of the user to link to Google; `undefined` to sign in
     * @throws {AuthError}
     */
    async finish(
      request: Request,
      state: OAuthSecrets | undefined,
      idToken?: string,
    ): Promise<Tokens> {
      if (!oauth || !state) throw new AuthError("invalid-credential", undefined);
      const callback = new URL(request.url).searchParams;
      const credential = {
        idToken: await oauth.exchangeCode(callback, toRedirectUri(request), state),
        nonce: state.nonce,
      };
      return idToken === undefined
        ? identity.signIn(credential)
        : identity.link(credential, idToken);
    },

    /** Returns the `Set-Cookie` value that removes the state, so that a response counts once. */
    clearState: (request: Request) => cookie.remove(request),
  };
}

/** Returns the id of the pop-up that Google's response is for, or `null`. */
export function readPopupId(request: Request): string | null {
  const [popupId, rest] = readState(request)?.split(".") ?? [];
  return rest === undefined ? null : parsePopupId(popupId);
}

/** Returns the screen of that name; "sign-in" when there is none. */
export function parseScreen(value: unknown): GoogleScreen {
  return screenSchema.catch("sign-in").parse(value);
}

/** Returns the id of a pop-up if it is valid, otherwise `null`. */
export function parsePopupId(value: unknown): string | null {
  return popupIdSchema.safeParse(value).data ?? null;
}

function readState(request: Request): string | null {
  return new URL(request.url).searchParams.get("state");
}

function toRedirectUri(request: Request): string {
  return new URL(CALLBACK_PATH, request.url).href;
}

export const getGoogle = createServiceGetter((env) => createGoogleSignIn(env, () => Date.now()));

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
interface GoogleCredential {
  idToken: string;
  nonce: string;
}

/**
 * Signs users in to Firebase Authentication with Google's ID token. Every method throws an `AuthError`, see
 * `createAuthCall`.
 *
 * @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithIdp
 */
function createGoogleIdentity(env: Env) {
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
