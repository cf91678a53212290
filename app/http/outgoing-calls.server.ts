import { AsyncLocalStorage } from "node:async_hooks";

import type { OutgoingCall, RequestRecord } from "#app/load-context.ts";

/**
 * `page`: must respond soon, if necessary without the data of a service. `action`: a change that the user has asked
 * for, so it calls a service even if its circuit breaker is open. `long`: has no time limit, only the timeout of each call.
 */
type RequestKind = "page" | "action" | "long";

/**
 * How long the calls of a request may take together, in milliseconds. Scripts in the browser wait 30 s for an action.
 */
const TIME_LIMITS = { page: 1500, action: 25_000, long: Infinity };

/** How long an action waits for a service whose circuit breaker is open. It tries each such service once. */
const RETRY_TIMEOUT_MS = 2000;

/**
 * How long an action waits for each read. Nothing has been written before it, so the user can repeat the form. A write
 * may succeed even if its response is lost, so it has the action's whole time.
 */
export const READ_TIMEOUT_MS = 2000;

/** The methods of Firestore and the Realtime Database that change nothing. */
const READS = new Set(["get", "batchGet", "runQuery", "GET"]);

/** A call that times out sooner does not show that its service is down. */
const MIN_TIMEOUT_MS = 1000;

/** A circuit breaker opens after this many calls in a row without a response. One page makes up to three calls. */
const MAX_FAILURES = 5;

/** While a breaker is open, one call is made after each pause. A recovered service is noticed within this time. */
const PAUSE_MS = 2000;

interface RequestCalls extends Pick<RequestRecord, "id" | "calls"> {
  kind: RequestKind;
  /** When its last call must have ended, in milliseconds since the Unix epoch. */
  endsAt: number;
  /** The open breakers whose services did not respond to this request either. */
  failed: Set<CircuitBreaker>;
  /** The breakers of services that did not respond in time to the action. The page after it does not call them. */
  silent: Set<CircuitBreaker>;
}

type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/** One circuit breaker for each service and origin. */
export const breakers = new Map<string, CircuitBreaker>();

/** The objects that make calls outlive a request, so a call finds its request here. */
const storage = new AsyncLocalStorage<RequestCalls>();

/** A call was not made, because its service does not respond or its request has no time left. */
export class CallSkippedError extends Error {
  override name = "CallSkippedError";
}

/**
 * Runs a request handler, limits its outgoing calls, and adds each to the record.
 *
 * @param method of the request: GET and HEAD are pages, others are actions
 * @param timeLimitMs how long its calls may take together
 */
export function recordCalls<T>(
  { id, calls }: Pick<RequestRecord, "id" | "calls">,
  method: string,
  run: () => T,
  timeLimitMs?: number,
): T {
  const kind = method === "GET" || method === "HEAD" ? "page" : "action";
  const endsAt = Date.now() + (timeLimitMs ?? TIME_LIMITS[kind]);
  const requestCalls = { failed: new Set<CircuitBreaker>(), silent: new Set<CircuitBreaker>() };
  return storage.run({ id, calls, kind, endsAt, ...requestCalls }, run);
}

/** Returns how many milliseconds the calls of the current request may still take. */
export function getRemainingMs(): number {
  return (storage.getStore()?.endsAt ?? Infinity) - Date.now();
}

/** Returns the id of the current request. Development has none. */
export function findRequestId(): string | undefined {
  return storage.getStore()?.id;
}

/** Sets the kind of the current request, for requests whose method does not show it. Restarts its time limit. */
export function setRequestKind(kind: RequestKind): void {
  const request = storage.getStore();
  if (request) Object.assign(request, { kind, endsAt: Date.now() + TIME_LIMITS[kind] });
}

/**
 * Starts the page after an action: its loaders get a page's time limit, and skip the services that did not respond to the
 * action. So a user without scripts waits only once for a service that is down.
 */
export function endAction(): void {
  if (storage.getStore()?.kind === "action") setRequestKind("page");
}

/** Runs calls that continue after the response, or that other requests share. Only their own timeouts limit them. */
export function withoutTimeLimit<T>(run: () => T): T {
  const request = storage.getStore();
  return request
    ? storage.run({ ...request, endsAt: Infinity, failed: new Set(), silent: new Set() }, run)
    : run();
}

interface CallInit extends Omit<RequestInit, "signal"> {
  timeoutMs: number;
  /** Cancels the call. */
  signal?: AbortSignal | undefined;
}

/** A complete response. */
interface CompleteResponse {
  ok: boolean;
  status: number;
  contentType: string;
  text: string;
}

/**
 * Fetches, and records the call for the log of its request.
 *
 * @param call the service and its method, without addresses or parameters, which may identify users
 * @throws {CallSkippedError} or the error of `fetch`
 */
export async function fetchRecorded(
  { service, method }: Pick<OutgoingCall, "service" | "method">,
  url: string | URL,
  { timeoutMs, signal, ...init }: CallInit,
): Promise<CompleteResponse> {
  const call: OutgoingCall = { service, method, status: null, ms: 0 };
  const request = storage.getStore();
  request?.calls.push(call);
  const breaker = getBreaker(`${service} ${new URL(url).origin}`);
  const isRead = READS.has(method);
  const availableMs = getAvailableMs(request, breaker, { timeoutMs, isRead });
  if (availableMs === 0) {
    call.isSkipped = true;
    throw new CallSkippedError(`${service} was not called`);
  }

  const timeout = AbortSignal.timeout(availableMs);
  const startedAt = Date.now();
  try {
    const response = await fetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    // The service may also stop in the middle of its response.
    const text = await response.text();
    call.status = response.status;
    breaker.recordResponse();
    const contentType = response.headers.get("Content-Type") ?? "";
    return { ok: response.ok, status: response.status, contentType, text };
  } catch (error) {
    const isCancelled = signal?.aborted ?? false;
    const isTooShort = timeout.aborted && availableMs < MIN_TIMEOUT_MS;
    if (!isCancelled && !isTooShort) breaker.recordFailure(startedAt);
    if (breaker.isOpen()) request?.failed.add(breaker);
    const isAction = request?.kind === "action";
    if (isAction && timeout.aborted && !isTooShort) request.silent.add(breaker);
    throw error;
  } finally {
    call.ms = Date.now() - startedAt;
  }
}

/** Returns how long a call may take; 0 if it must not be made. */
function getAvailableMs(
  request: RequestCalls | undefined,
  breaker: CircuitBreaker,
  { timeoutMs, isRead }: { timeoutMs: number; isRead: boolean },
): number {
  if (!request || request.kind === "long") return timeoutMs;
  const leftMs = Math.min(timeoutMs, request.endsAt - Date.now());
  if (leftMs <= 0) return 0;
  if (request.kind === "page") {
    return !request.silent.has(breaker) && breaker.allowCall() ? leftMs : 0;
  }
  if (breaker.isOpen()) {
    return request.failed.has(breaker) ? 0 : Math.min(leftMs, RETRY_TIMEOUT_MS);
  }
  return isRead ? Math.min(leftMs, READ_TIMEOUT_MS) : leftMs;
}

function getBreaker(key: string): CircuitBreaker {
  const breaker = breakers.get(key) ?? createCircuitBreaker(() => Date.now());
  breakers.set(key, breaker);
  return breaker;
}

/**
 * Tracks in this isolate whether a service responds, so that not every page waits for a service that is down. The
 * breaker opens when several calls in a row get no response. While it is open, one call per pause is made; a response
 * closes it.
 *
 * @param now in milliseconds
 */
export function createCircuitBreaker(now: () => number) {
  let failures = 0;
  let respondedAt = -Infinity;
  let retryAt = 0;

  const isOpen = () => failures >= MAX_FAILURES;

  return {
    isOpen,

    /** Returns whether a call may be made. An open breaker allows one call per pause. */
    allowCall(): boolean {
      if (!isOpen()) return true;
      if (now() < retryAt) return false;
      retryAt = now() + PAUSE_MS;
      return true;
    },

    /** Records a response. An error of the service is a response too, because no page has to wait for it. */
    recordResponse(): void {
      failures = 0;
      respondedAt = now();
    },

    /**
     * Records a call without a response. Ignores the failure if the service has responded to another call since
     * `startedAt`.
     */
    recordFailure(startedAt: number): void {
      if (startedAt < respondedAt) return;
      failures += 1;
      if (isOpen()) retryAt = now() + PAUSE_MS;
    },
  };
}
