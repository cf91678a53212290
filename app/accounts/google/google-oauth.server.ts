import * as oauth from "oauth4webapi";

import type { Env } from "#app/env.server.ts";
import { ProviderError } from "#app/firebase/auth-error.server.ts";

/** The specification's limit for one call. */
const TIMEOUT_MS = 30_000;

/** Who Google is, by its own discovery document. @see https://accounts.google.com/.well-known/openid-configuration */
const ISSUER = "https://accounts.google.com";
const HOSTS = { accounts: ISSUER, tokens: "https://oauth2.googleapis.com" };

/** What binds Google's answer to the browser that asked. Only that browser keeps it, sealed. */
export interface OAuthSecrets {
  state: string;
  /** PKCE's, by which Google gives the tokens to nobody else who may have seen the code. */
  verifier: string;
  /** Google signs its hash. */
  nonce: string;
}

/**
 * Runs the authorization code flow with Google, or with the stand-in that `GOOGLE_EMULATOR_HOST` names.
 * `null` for a deployment that offers no Google.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 */
export function createGoogleOAuth(env: Env) {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_EMULATOR_HOST } = env;
  const isReal = GOOGLE_CLIENT_ID !== undefined && GOOGLE_CLIENT_SECRET !== undefined;
  // The stand-in never takes the place of a client that was configured.
  const standIn = isReal ? undefined : GOOGLE_EMULATOR_HOST;
  if (!isReal && standIn === undefined) return null;

  const hosts = standIn ? { accounts: `http://${standIn}`, tokens: `http://${standIn}` } : HOSTS;
  const server: oauth.AuthorizationServer = {
    issuer: ISSUER,
    authorization_endpoint: `${hosts.accounts}/o/oauth2/v2/auth`,
    token_endpoint: `${hosts.tokens}/token`,
  };
  const client: oauth.Client = {
    client_id: GOOGLE_CLIENT_ID ?? "local",
    id_token_signed_response_alg: standIn ? "none" : "RS256",
  };
  const authentication = oauth.ClientSecretPost(GOOGLE_CLIENT_SECRET ?? "local");

  return {
    /** Where people are sent. Pages must allow forms to lead there. */
    origin: hosts.accounts,

    /**
     * Returns where to send the browser, and what it has to keep until it comes back.
     *
     * @param prefix begins the state, which comes back with every answer
     */
    async begin(redirectUri: string, prefix: string): Promise<{ url: string } & OAuthSecrets> {
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
        // Whoever has several accounts is asked which, each time.
        prompt: "select_account",
      }).toString();
      return { url: url.href, ...secrets };
    },

    /**
     * Returns the ID token for Google's answer, checked to be meant for us and for this browser.
     *
     * @throws {ProviderError} `user-cancelled` when the person refused, `invalid-credential` when the answer
     *   does not fit, is too old or was used, `network-request-failed`, or else `internal-error`
     */
    async redeem(
      answer: URLSearchParams,
      redirectUri: string,
      { state, verifier, nonce }: OAuthSecrets,
    ): Promise<string> {
      try {
        const parameters = oauth.validateAuthResponse(server, client, answer, state);
        const response = await oauth
          .authorizationCodeGrantRequest(
            server,
            client,
            authentication,
            parameters,
            redirectUri,
            verifier,
            {
              signal: AbortSignal.timeout(TIMEOUT_MS),
              [oauth.allowInsecureRequests]: standIn !== undefined,
            },
          )
          .catch(throwUnanswered);
        if (response.status >= 500 || response.status === 429) throwUnanswered();
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: await hashNonce(nonce),
          requireIdToken: true,
        });
        if (tokens.id_token === undefined) throw new ProviderError("internal-error", undefined);
        return tokens.id_token;
      } catch (error) {
        throw toProviderError(error);
      }
    },
  };
}

/** Firebase wants the nonce itself, and in the token its SHA-256 in hexadecimal digits, as its own SDKs ask for. */
async function hashNonce(nonce: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(nonce));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @throws whatever was not thrown for want of an answer, else `network-request-failed` */
function throwUnanswered(error?: unknown): never {
  if (error instanceof oauth.OperationProcessingError) throw error;
  throw new ProviderError("network-request-failed", undefined);
}

/** Says in the SDK's codes what went wrong, and nothing of what was sent. */
function toProviderError(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError) {
    const isRefusal = error.error === "access_denied";
    return new ProviderError(isRefusal ? "user-cancelled" : "internal-error", undefined);
  }
  if (error instanceof oauth.ResponseBodyError && error.error === "invalid_grant") {
    return new ProviderError("invalid-credential", undefined);
  }
  if (
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.WWWAuthenticateChallengeError
  ) {
    const why = error instanceof oauth.ResponseBodyError ? error.error : "invalid_client";
    // oxlint-disable-next-line no-console -- a client that is set up wrongly is for the operator to mend
    console.error(`Google refused this deployment's OAuth client: ${why}`);
    return new ProviderError("internal-error", undefined);
  }
  const isMisfit =
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError;
  return isMisfit ? new ProviderError("invalid-credential", undefined) : error;
}
