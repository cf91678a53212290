import {
  createServer,
  request as requestHttp,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";

// The whole of jose would make a start 60 ms later.
import { decodeJwt } from "jose/jwt/decode";
import { UnsecuredJWT } from "jose/jwt/unsecured";
import * as z from "zod";

import type { AuthRecorder, Session } from "./auth-recorder.ts";
import { listen, type ListeningServer } from "./ports.ts";

const TOKEN_PATH = "/securetoken.googleapis.com/v1/token";
const CUSTOM_TOKEN_AUDIENCE =
  "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit";
const API_PATH = "/identitytoolkit.googleapis.com/v1";

const lookupSchema = z.object({
  users: z
    // In seconds since the Unix epoch. Earlier sessions have ended, for example by a new password.
    .array(z.object({ validSince: z.coerce.number().default(0) }))
    .default([]),
});

const idTokenSchema = z.looseObject({ firebase: z.looseObject({}) });

export interface AuthProxyOptions {
  port: number;
  /** `host:port` of the Auth server. */
  target: string;
  projectId: string;
  recorder: AuthRecorder;
  /** Called before each response to a request that may have changed an account or a session. */
  onWrite: () => void;
}

interface ProxiedResponse {
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/**
 * Starts a proxy in front of the Auth server. It forwards everything unchanged and records each successful exchange.
 *
 * It changes only the responses to refresh tokens. Those of an earlier run still work, so that users stay signed in after a
 * restart. Those of ended sessions do not, as in production.
 */
export async function startAuthProxy(options: AuthProxyOptions): Promise<ListeningServer> {
  const server = createServer((request, response) => {
    handleRequest(request, response, options).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502);
      response.end(String(error));
    });
  });
  return await listen(server, options.port);
}

async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: AuthProxyOptions,
): Promise<void> {
  const { target, recorder, onWrite } = options;
  const body = await buffer(request);
  const { pathname: path, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const fields = { ...Object.fromEntries(searchParams), ...parseBody(request, body) };

  const isRefresh = path === TOKEN_PATH && typeof fields.refresh_token === "string";
  const session = isRefresh ? recorder.findSession(String(fields.refresh_token)) : undefined;
  const send = () => forward(target, request, body);
  const proxied = session ? await refresh(options, session, send) : await send();
  if (proxied.status < 300) {
    recorder.record({ request: fields, response: parseObject(proxied.body) });
  }
  // A link in an e-mail is opened with GET. Most requests of pages are lookups.
  if (request.method !== "OPTIONS" && !path.endsWith("/accounts:lookup")) onWrite();
  response.writeHead(proxied.status, proxied.headers).end(proxied.body);
}

/** Responds to a refresh token as production does, where it is valid until its session is ended. */
async function refresh(
  options: AuthProxyOptions,
  session: Session,
  send: () => Promise<ProxiedResponse>,
): Promise<ProxiedResponse> {
  const { target, projectId } = options;
  const { localId } = session;
  const lookup = await callAuth(target, `projects/${projectId}/accounts:lookup`, {
    localId: [localId],
  });
  const [account] = lookupSchema.parse(lookup).users;
  if (account && session.authTime < account.validSince) {
    const error = { code: 400, message: "TOKEN_EXPIRED", status: "INVALID_ARGUMENT" };
    return createResponse(400, { error });
  }
  let proxied = await send();
  // A custom token for a deleted account would create the account again.
  if (account && proxied.status === 400) {
    proxied = (await renewSessionFromEarlierRun(options, session)) ?? proxied;
  }
  return proxied.status < 300 ? restoreProvider(proxied, session) : proxied;
}

function createResponse(status: number, json: object): ProxiedResponse {
  const headers = { "content-type": "application/json", "access-control-allow-origin": "*" };
  return { status, headers, body: Buffer.from(JSON.stringify(json)) };
}

function forward(target: string, request: IncomingMessage, body: Buffer): Promise<ProxiedResponse> {
  const { method, url, headers } = request;
  return sendRequest(`http://${target}${url ?? "/"}`, { method, headers }, body);
}

/** Uses `node:http`, because `fetch` replaces the Host header, from which the Auth server builds its links. */
async function sendRequest(
  url: string,
  options: { method?: string; headers: IncomingMessage["headers"] },
  body: Buffer,
): Promise<ProxiedResponse> {
  const outgoing = requestHttp(url, { ...options, agent: false });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, "response");
  if (incoming === undefined) throw new Error("Expected a response");
  const { statusCode = 502, headers } = incoming;
  // These headers describe the connection to the Auth server, not the one to the caller.
  delete headers.connection;
  delete headers["transfer-encoding"];
  return { status: statusCode, headers, body: await buffer(incoming) };
}

/**
 * Signs the user in again with an unsigned custom token, which only emulators accept: the Auth server loses its refresh
 * tokens when it stops.
 */
async function renewSessionFromEarlierRun(
  { target, projectId }: AuthProxyOptions,
  { localId, claims: customClaims }: Session,
): Promise<ProxiedResponse | undefined> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = {
    iss: "local",
    sub: "local",
    aud: CUSTOM_TOKEN_AUDIENCE,
    iat: nowSeconds,
    exp: nowSeconds + 60,
    uid: localId,
    claims: customClaims,
  };
  const signedIn = await callAuth(target, "accounts:signInWithCustomToken?key=local", {
    token: new UnsecuredJWT(claims).encode(),
    returnSecureToken: true,
  });
  if (signedIn.idToken === undefined) return undefined;
  return createResponse(200, {
    access_token: signedIn.idToken,
    expires_in: signedIn.expiresIn,
    token_type: "Bearer",
    refresh_token: signedIn.refreshToken,
    id_token: signedIn.idToken,
    user_id: localId,
    project_id: projectId,
  });
}

/** Returns a response whose ID token names the session's own provider instead of `custom`. */
function restoreProvider({ status, headers, body }: ProxiedResponse, { provider }: Session) {
  const tokens = z.looseObject({ id_token: z.string() }).parse(parseObject(body));
  const claims = idTokenSchema.parse(decodeJwt(tokens.id_token));
  const firebase = { ...claims.firebase, sign_in_provider: provider };
  const idToken = new UnsecuredJWT({ ...claims, firebase }).encode();
  const restored = { ...tokens, id_token: idToken, access_token: idToken };
  const { "content-length": _, ...rest } = headers;
  return { status, headers: rest, body: Buffer.from(JSON.stringify(restored)) };
}

async function callAuth(target: string, method: string, body: object) {
  const headers = { "content-type": "application/json", authorization: "Bearer owner" };
  const response = await sendRequest(
    `http://${target}${API_PATH}/${method}`,
    { method: "POST", headers },
    Buffer.from(JSON.stringify(body)),
  );
  return parseObject(response.body);
}

function parseBody(request: IncomingMessage, body: Buffer): Record<string, unknown> {
  const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  if (isForm === true) return Object.fromEntries(new URLSearchParams(body.toString()));
  return parseObject(body);
}

function parseObject(body: Buffer): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(body.toString());
    return typeof json === "object" && json !== null ? { ...json } : {};
  } catch {
    return {}; // HTML, or an empty body.
  }
}
