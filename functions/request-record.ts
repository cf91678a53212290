import type { RequestRecord } from "../app/load-context.ts";
import { isOn } from "./maintenance-switch.ts";

/** Cloudflare's request id, as in its own logs: hexadecimal digits and the data centre. */
const RAY_ID = /^[\da-f]{16}-[A-Z]{3}$/;

export function createRecord({ headers }: Request): RequestRecord {
  const ray = headers.get("CF-Ray") ?? "";
  return { id: RAY_ID.test(ray) ? ray : crypto.randomUUID(), calls: [] };
}

/**
 * Adds the request's id and its timing to a response. Only that of a read lists the outgoing calls: how long the call of a
 * password reset took would tell whether the address has an account.
 *
 * @param ms the milliseconds that the response took
 * @see https://www.w3.org/TR/server-timing/
 */
export function setRecordHeaders(
  { method }: Pick<Request, "method">,
  { headers }: Pick<Response, "headers">,
  record: RequestRecord,
  ms: number,
): void {
  headers.set("X-Request-Id", record.id);
  const shown = method === "GET" || method === "HEAD" ? record.calls : [];
  const calls = shown.map(
    ({ service, method: name, ms: callMs, isSkipped }) =>
      `${service};dur=${callMs};desc="${isSkipped ? "skipped " : ""}${name}"`,
  );
  const cache = record.isCached ? ["cache"] : [];
  headers.set("Server-Timing", [`total;dur=${ms}`, ...cache, ...calls].join(", "));
}

/** Whether requests are logged: with the variable REQUEST_LOG. */
export function isLogged(env: object | undefined): boolean {
  return env !== undefined && "REQUEST_LOG" in env && isOn(env.REQUEST_LOG);
}

/**
 * Logs a request in one line of JSON, without anything that its user sent or that identifies them: the route's pattern
 * instead of the address, and no query, headers or texts.
 */
export function logRequest(
  { method }: Pick<Request, "method">,
  { status }: Pick<Response, "status">,
  { id, route, isCached = false, isBackground = false, calls }: RequestRecord,
  ms: number,
): void {
  const line = { id, method, route: route ?? null, status, ms, cached: isCached };
  const background = isBackground && { background: true };
  // oxlint-disable-next-line no-console -- this is the server's log
  console.log(JSON.stringify({ ...line, ...background, calls }));
}
