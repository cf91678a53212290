import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import * as z from "zod";

import { LOOPBACK } from "../ports.ts";
import { readAuthorizationRequest, toAnswer, type AuthorizationRequest } from "./authorize.ts";
import { Codes, type Grant } from "./codes.ts";
import { renderChoice, renderError } from "./page.ts";
import { PEOPLE, toSubject, type Person } from "./people.ts";

const AUTHORIZATION_PATH = "/o/oauth2/v2/auth";
const TOKEN_PATH = "/token";
const TOKEN_LIFETIME_SECONDS = 3599;

const newPersonSchema = z.object({
  email: z.email(),
  name: z.string().trim(),
  verified: z.string().optional(),
});

export interface GoogleServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Starts a stand-in for the pages where Google asks people whether a site may know who they are. It speaks as much of
 * OpenID Connect as a server needs that uses the authorization code flow with PKCE. There are no passwords, any client
 * will do, and its ID tokens are unsigned, so that only Auth emulators take them.
 *
 * @param port 0 for a free one
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 */
export async function startGoogle(port = 0, now: () => number = Date.now): Promise<GoogleServer> {
  const people = [...PEOPLE];
  const codes = new Codes(now);
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const isPost = request.method === "POST";
    const form = new URLSearchParams(isPost ? await text(request) : "");
    if (pathname === TOKEN_PATH && isPost) return sendTokens(response, form);
    if (pathname !== AUTHORIZATION_PATH) return void response.writeHead(404).end("Not found");

    const asked = tryRead(searchParams);
    if (typeof asked === "string") return sendPage(response, 400, renderError(asked));
    if (isPost) return choose(response, asked, form);
    sendPage(response, 200, renderChoice(people, asked.redirect_uri), asked.redirect_uri);
  }

  function choose(
    response: ServerResponse,
    asked: AuthorizationRequest,
    form: URLSearchParams,
  ): void {
    if (form.has("refuse")) return redirect(response, toAnswer(asked, { error: "access_denied" }));
    const person = people.find(({ email }) => email === form.get("person")) ?? addPerson(form);
    if (person === undefined) return sendPage(response, 400, renderError("No account was chosen."));
    const code = codes.give({
      person,
      clientId: asked.client_id,
      redirectUri: asked.redirect_uri,
      scope: asked.scope,
      nonce: asked.nonce ?? null,
      challenge: asked.code_challenge,
    });
    redirect(response, toAnswer(asked, { code }));
  }

  /** Adds the person of the form, in place of whoever had the address before. */
  function addPerson(form: URLSearchParams): Person | undefined {
    const parsed = newPersonSchema.safeParse(Object.fromEntries(form)).data;
    if (parsed === undefined) return undefined;
    const { email, name, verified } = parsed;
    const person = { email, email_verified: verified !== undefined, name };
    const index = people.findIndex((known) => known.email === email);
    people.splice(index === -1 ? people.length : index, 1, person);
    return person;
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

  server.listen(port, LOOPBACK);
  await once(server, "listening");
  return {
    // A server that listens on a TCP port has an address object, never a pipe name.
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns the request, or what is wrong with it. */
function tryRead(query: URLSearchParams): AuthorizationRequest | string {
  try {
    return readAuthorizationRequest(query);
  } catch (error) {
    if (error instanceof z.ZodError) return z.prettifyError(error);
    throw error;
  }
}

function createIdToken({ person, clientId, nonce }: Grant, nowSeconds: number): string {
  const { name, picture, ...known } = person;
  const claims = {
    iss: "https://accounts.google.com",
    azp: clientId,
    aud: clientId,
    sub: toSubject(person),
    ...known,
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
  const leadsTo = redirectUri === undefined ? "" : ` ${new URL(redirectUri).origin}`;
  response
    .writeHead(status, {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${leadsTo}; frame-ancestors 'none'; base-uri 'none'`,
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    })
    .end(html);
}

function redirect(response: ServerResponse, url: string): void {
  response.writeHead(303, { Location: url, "Cache-Control": "no-store" }).end();
}

/** Sends an answer, or the code of a refusal. */
function sendJson(response: ServerResponse, status: number, body: object | string): void {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  response
    .writeHead(status, headers)
    .end(JSON.stringify(typeof body === "string" ? { error: body } : body));
}
