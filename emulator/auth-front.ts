import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";

import type { AuthMemory } from "./auth-memory.ts";
import { LOOPBACK } from "./ports.ts";

const TOKEN_PATH = "/securetoken.googleapis.com/v1/token";
const CUSTOM_TOKEN_AUDIENCE =
  "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit";
const API_PATH = "/identitytoolkit.googleapis.com/v1";

export interface AuthFrontOptions {
  port: number;
  /** `host:port` of the Auth server behind. */
  target: string;
  projectId: string;
  memory: AuthMemory;
}

export interface AuthFront {
  port: number;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/**
 * Stands before the Auth server and passes everything on, word for word, while `memory` listens. One answer is its own:
 * a refresh token of an earlier run is renewed, as the token of a signed-in person would be in production.
 */
export async function startAuthFront(options: AuthFrontOptions): Promise<AuthFront> {
  const server = createServer((request, response) => {
    relay(request, response, options).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502);
      response.end(String(error));
    });
  });
  server.listen(options.port, LOOPBACK);
  await once(server, "listening");
  // A server that listens on a TCP port has an address object, never a pipe name.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  options: AuthFrontOptions,
): Promise<void> {
  const { target, memory } = options;
  const body = await buffer(request);
  const { pathname: path, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const asked = { ...Object.fromEntries(searchParams), ...parseBody(request, body) };

  let answer = await forward(target, request, body);
  if (answer.status === 400 && path === TOKEN_PATH) {
    answer = (await renewEarlierSession(options, asked.refresh_token)) ?? answer;
  }
  if (answer.status < 300)
    memory.observe({ path, request: asked, answer: parseObject(answer.body) });
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

function forward(target: string, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const { method, url, headers } = request;
  return fetchAnswer(`http://${target}${url ?? "/"}`, { method, headers }, body);
}

/** `fetch` would not let the caller's own Host header through, from which the server builds its links. */
async function fetchAnswer(
  url: string,
  options: { method?: string; headers: IncomingMessage["headers"] },
  body: Buffer,
): Promise<Answer> {
  const outgoing = send(url, { ...options, agent: false });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, "response");
  if (incoming === undefined) throw new Error("Expected a response");
  const { statusCode = 502, headers } = incoming;
  // These describe the connection behind, not the one to the caller.
  delete headers.connection;
  delete headers["transfer-encoding"];
  return { status: statusCode, headers, body: await buffer(incoming) };
}

/** Refresh tokens die with the Auth server, so the person is signed in anew by a token only an emulator accepts. */
async function renewEarlierSession(
  { target, memory, projectId }: AuthFrontOptions,
  refreshToken: unknown,
): Promise<Answer | undefined> {
  const session = typeof refreshToken === "string" ? memory.findSession(refreshToken) : undefined;
  if (session === undefined) return undefined;
  const { localId } = session;

  // A custom token for someone who deleted their account would bring it back.
  const found = await call(target, `projects/${projectId}/accounts:lookup`, { localId: [localId] });
  if (found.users === undefined) return undefined;

  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = {
    iss: "local",
    sub: "local",
    aud: CUSTOM_TOKEN_AUDIENCE,
    iat: nowSeconds,
    exp: nowSeconds + 60,
    uid: localId,
  };
  const parts = [{ alg: "none", typ: "JWT" }, claims];
  const token = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signedIn = await call(target, "accounts:signInWithCustomToken?key=local", {
    token: `${token.join(".")}.`,
    returnSecureToken: true,
  });
  if (signedIn.idToken === undefined) return undefined;
  const body = JSON.stringify({
    access_token: signedIn.idToken,
    expires_in: signedIn.expiresIn,
    token_type: "Bearer",
    refresh_token: signedIn.refreshToken,
    id_token: signedIn.idToken,
    user_id: localId,
    project_id: projectId,
  });
  const headers = { "content-type": "application/json", "access-control-allow-origin": "*" };
  return { status: 200, headers, body: Buffer.from(body) };
}

async function call(target: string, method: string, body: object) {
  const headers = { "content-type": "application/json", authorization: "Bearer owner" };
  const answer = await fetchAnswer(
    `http://${target}${API_PATH}/${method}`,
    { method: "POST", headers },
    Buffer.from(JSON.stringify(body)),
  );
  return parseObject(answer.body);
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
    return {}; // A page, or nothing.
  }
}
