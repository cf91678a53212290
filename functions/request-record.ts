import type { RequestRecord } from "../app/load-context.ts";
import { isOn } from "./maintenance-switch.ts";

/** Cloudflare's request id, as in its own logs: hexadecimal digits and the data centre. */
const RAY_ID = /^[\da-f]{16}-[A-Z]{3}$/;

export function createRecord({ headers }: Request): RequestRecord {
  const ray = headers.get("CF-Ray") ?? "";
  return { id: RAY_ID.test(ray) ? ray : crypto.randomUUID(), calls: [] };
}

/**
 * Adds the request's id and its timing to a response.
 *
 * @param ms the milliseconds that the response took
 * @see https://www.w3.org/TR/server-timing/
 */
export function setRecordHeaders(headers: Headers, record: RequestRecord, ms: number): void {
  headers.set("X-Request-Id", record.id);
  const calls = record.calls.map(
    ({ service, method, ms: callMs, isSkipped }) =>
      `${service};dur=${callMs};desc="${isSkipped ? "skipped " : ""}${method}"`,
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
