import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import * as z from "zod";

import { listen, type ListeningServer } from "../ports.ts";
import {
  readAuthorizationRequest,
  toRedirectUrl,
  type AuthorizationRequest,
} from "./authorization-request.ts";
import { AuthorizationCodes, type Grant } from "./authorization-codes.ts";
import { renderAccountChooser, renderError } from "./page.ts";
import { DEMO_ACCOUNTS, toSubject, type GoogleAccount } from "./accounts.ts";

const AUTHORIZATION_PATH = "/o/oauth2/v2/auth";
const TOKEN_PATH = "/token";
const TOKEN_LIFETIME_SECONDS = 3599;

const newAccountSchema = z.object({
  email: z.email(),
  name: z.string().trim(),
  verified: z.string().optional(),
});

/**
 * Starts a stand-in for Google's sign-in pages. It implements OpenID Connect's authorization code flow with PKCE. There
 * are no passwords, any client id is accepted, and ID tokens are unsigned, so only Auth emulators accept them.
 *
 * @param port 0 for a free one
 * @param now milliseconds since the Unix epoch
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 */
export async function startGoogle(
  port = 0,
  now: () => number = Date.now,
): Promise<ListeningServer> {
  const accounts = [...DEMO_ACCOUNTS];
  const codes = new AuthorizationCodes(now);
  const server = createServer((request, response) => {
    handleRequest(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const isPost = request.method === "POST";
    const form = new URLSearchParams(isPost ? await text(request) : "");
    if (pathname === TOKEN_PATH && isPost) return sendTokens(response, form);
    if (pathname !== AUTHORIZATION_PATH) return void response.writeHead(404).end("Not found");

    const authorizationRequest = parseAuthorizationRequest(searchParams);
    if (typeof authorizationRequest === "string")
      return sendPage(response, 400, renderError(authorizationRequest));
    if (isPost) return chooseAccount(response, authorizationRequest, form);
    sendPage(
      response,
      200,
      renderAccountChooser(accounts, authorizationRequest.redirect_uri),
      authorizationRequest.redirect_uri,
    );
  }

  function chooseAccount(
    response: ServerResponse,
    authorizationRequest: AuthorizationRequest,
    form: URLSearchParams,
  ): void {
    if (form.has("refuse"))
      return redirect(response, toRedirectUrl(authorizationRequest, { error: "access_denied" }));
    const account = accounts.find(({ email }) => email === form.get("person")) ?? addAccount(form);
    if (account === undefined)
      return sendPage(response, 400, renderError("No account was chosen."));
    const code = codes.issue({
      account,
      clientId: authorizationRequest.client_id,
      redirectUri: authorizationRequest.redirect_uri,
      scope: authorizationRequest.scope,
      nonce: authorizationRequest.nonce ?? null,
      codeChallenge: authorizationRequest.code_challenge,
    });
    redirect(response, toRedirectUrl(authorizationRequest, { code }));
  }

  /** Adds the account of the form, or replaces the one with the same address. */
  function addAccount(form: URLSearchParams): GoogleAccount | undefined {
    const parsed = newAccountSchema.safeParse(Object.fromEntries(form)).data;
    if (parsed === undefined) return undefined;
    const { email, name, verified } = parsed;
    const account = { email, email_verified: verified !== undefined, name };
    const index = accounts.findIndex((other) => other.email === email);
    accounts.splice(index === -1 ? accounts.length : index, 1, account);
    return account;
  }

  function sendTokens(response: ServerResponse, form: URLSearchParams): void {
    const { grant_type: type, code, redirect_uri, code_verifier } = Object.fromEntries(form);
    if (type !== "authorization_code") return sendJson(response, 400, "unsupported_grant_type");
    const grant = codes.redeem(code ?? "", redirect_uri ?? "", code_verifier ?? "");
    if (grant === undefined || form.get("client_id") !== grant.clientId) {
      return sendJson(response, 400, "invalid_grant");
    }
    sendJson(response, 200, {
      access_token: `ya29.${randomBytes(32).toString("base64url")}`,
      expires_in: TOKEN_LIFETIME_SECONDS,
      scope: grant.scope,
      token_type: "Bearer",
      id_token: createIdToken(grant, Math.floor(now() / 1000)),
    });
  }

  return await listen(server, port);
}

/** Returns the request, or a description of what is wrong with it. */
function parseAuthorizationRequest(query: URLSearchParams): AuthorizationRequest | string {
  try {
    return readAuthorizationRequest(query);
  } catch (error) {
    if (error instanceof z.ZodError) return z.prettifyError(error);
    throw error;
  }
}

function createIdToken({ account, clientId, nonce }: Grant, nowSeconds: number): string {
  const { name, picture, email, email_verified } = account;
  const claims = {
    iss: "https://accounts.google.com",
    azp: clientId,
    aud: clientId,
    sub: toSubject(account),
    email,
    email_verified,
    ...(name && { name, given_name: name.split(" ")[0] }),
    ...(picture !== undefined && { picture }),
    ...(nonce !== null && { nonce }),
    iat: nowSeconds,
    exp: nowSeconds + TOKEN_LIFETIME_SECONDS,
  };
  const parts = [{ alg: "none", typ: "JWT" }, claims];
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`;
}

function sendPage(response: ServerResponse, status: number, html: string, redirectUri?: string) {
  const redirectOrigin = redirectUri === undefined ? "" : ` ${new URL(redirectUri).origin}`;
  response
    .writeHead(status, {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${redirectOrigin}; frame-ancestors 'none'; base-uri 'none'`,
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    })
    .end(html);
}

function redirect(response: ServerResponse, url: string): void {
  response.writeHead(303, { Location: url, "Cache-Control": "no-store" }).end();
}

/** Sends a body, or an OAuth error code. */
function sendJson(response: ServerResponse, status: number, body: object | string): void {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  response
    .writeHead(status, headers)
    .end(JSON.stringify(typeof body === "string" ? { error: body } : body));
}
