import * as oauth from "oauth4webapi";

import type { Env } from "#app/env.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { hash, toHex } from "#app/http/hash.server.ts";
import { logError } from "#app/http/log-error.server.ts";
import { fetchRecorded } from "#app/http/outgoing-calls.server.ts";

/** The specification's limit for one call. */
const TIMEOUT_MS = 30_000;

/** The issuer in Google's discovery document. @see https://accounts.google.com/.well-known/openid-configuration */
const ISSUER = "https://accounts.google.com";
const HOSTS = { accounts: ISSUER, tokens: "https://oauth2.googleapis.com" };

/** A token request that `oauth4webapi` makes. */
type TokenRequest = oauth.CustomFetchOptions<"POST", URLSearchParams>;

/** The secrets that bind Google's response to the browser that asked. Only that browser stores them, sealed. */
export interface OAuthSecrets {
  state: string;
  /** PKCE's code verifier: without it, a stolen code is useless. */
  verifier: string;
  /** Its hash is in Google's signed ID token. */
  nonce: string;
}

/**
 * Runs the authorization code flow with Google, or with the emulator at `GOOGLE_EMULATOR_HOST`. `null` when neither is
 * configured.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 */
export function createGoogleOAuth(env: Env) {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_EMULATOR_HOST } = env;
  const isConfigured = GOOGLE_CLIENT_ID !== undefined && GOOGLE_CLIENT_SECRET !== undefined;
  // A configured client always uses Google itself.
  const emulator = isConfigured ? undefined : GOOGLE_EMULATOR_HOST;
  if (!isConfigured && emulator === undefined) return null;

  const hosts = emulator ? { accounts: `http://${emulator}`, tokens: `http://${emulator}` } : HOSTS;
  const server: oauth.AuthorizationServer = {
    issuer: ISSUER,
    authorization_endpoint: `${hosts.accounts}/o/oauth2/v2/auth`,
    token_endpoint: `${hosts.tokens}/token`,
  };
  const client: oauth.Client = {
    client_id: GOOGLE_CLIENT_ID ?? "local",
    id_token_signed_response_alg: emulator ? "none" : "RS256",
  };
  const authentication = oauth.ClientSecretPost(GOOGLE_CLIENT_SECRET ?? "local");

  return {
    /** Google's origin. The Content-Security-Policy of pages must allow forms to lead there. */
    origin: hosts.accounts,

    /**
     * Returns the address at Google, and the secrets to store until the response.
     *
     * @param prefix the beginning of the state, which every response repeats
     */
    async createAuthorization(
      redirectUri: string,
      prefix: string,
    ): Promise<{ url: string } & OAuthSecrets> {
      const secrets = {
        state: prefix + oauth.generateRandomState(),
        verifier: oauth.generateRandomCodeVerifier(),
        nonce: oauth.generateRandomNonce(),
      };
      const url = new URL(`${hosts.accounts}/o/oauth2/v2/auth`);
      url.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "openid email profile",
        state: secrets.state,
        nonce: await hashNonce(secrets.nonce),
        code_challenge: await oauth.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: "S256",
        // Lets users with several accounts choose, each time.
        prompt: "select_account",
      }).toString();
      return { url: url.href, ...secrets };
    },

    /**
     * Exchanges the code in Google's response for an ID token, and validates it for this client and this browser.
     *
     * @throws {AuthError} `user-cancelled` when the user declined, `invalid-credential` when the response does not
     *   match, has expired or was used, `network-request-failed`, or else `internal-error`
     */
    async exchangeCode(
      callback: URLSearchParams,
      redirectUri: string,
      { state, verifier, nonce }: OAuthSecrets,
    ): Promise<string> {
      try {
        const parameters = oauth.validateAuthResponse(server, client, callback, state);
        const response = await oauth
          .authorizationCodeGrantRequest(
            server,
            client,
            authentication,
            parameters,
            redirectUri,
            verifier,
            {
              [oauth.customFetch]: fetchToken,
              [oauth.allowInsecureRequests]: emulator !== undefined,
            },
          )
          .catch(throwNetworkError);
        if (response.status >= 500 || response.status === 429) throwNetworkError();
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: await hashNonce(nonce),
          requireIdToken: true,
        });
        if (tokens.id_token === undefined) throw new AuthError("internal-error", undefined);
        return tokens.id_token;
      } catch (error) {
        throw toAuthError(error);
      }
    },
  };
}

/**
 * Fetches a token with our timeout and log. Reads the whole response here, so that a connection lost midway counts as a
 * failed call.
 */
async function fetchToken(url: string, { method, headers, body }: TokenRequest): Promise<Response> {
  const call = { service: "google", method: "token" } as const;
  const init = { method, headers, body, timeoutMs: TIMEOUT_MS };
  const { status, contentType, text } = await fetchRecorded(call, url, init);
  return new Response(text, { status, headers: { "Content-Type": contentType } });
}

/**
 * Returns the SHA-256 of a nonce in hexadecimal digits. Firebase gets the nonce, and expects this hash in Google's
 * token.
 */
async function hashNonce(nonce: string): Promise<string> {
  return toHex(await hash(nonce));
}

/** Throws `network-request-failed` for a network error, and any other error unchanged. */
function throwNetworkError(error?: unknown): never {
  if (error instanceof oauth.OperationProcessingError) throw error;
  throw new AuthError("network-request-failed", undefined);
}

/** Maps an error to the Firebase SDK's codes. Drops its details, which may contain what was sent. */
function toAuthError(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError) {
    const hasDeclined = error.error === "access_denied";
    return new AuthError(hasDeclined ? "user-cancelled" : "internal-error", undefined);
  }
  if (error instanceof oauth.ResponseBodyError && error.error === "invalid_grant") {
    return new AuthError("invalid-credential", undefined);
  }
  if (
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.WWWAuthenticateChallengeError
  ) {
    const reason = error instanceof oauth.ResponseBodyError ? error.error : "invalid_client";
    // The operator has to fix the client's configuration.
    logError("Google rejected this deployment's OAuth client.", reason);
    return new AuthError("internal-error", undefined);
  }
  const isInvalid =
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError;
  return isInvalid ? new AuthError("invalid-credential", undefined) : error;
}
