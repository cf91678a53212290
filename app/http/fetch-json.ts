const FETCH_TIMEOUT_MS = 10_000;
const POST_TIMEOUT_MS = 30_000;

/** A response of this site with its JSON, `null` if it has none; or why there is no response. */
export type JsonResponse =
  | { status: "responded"; response: Response; body: unknown }
  | { status: "offline" | "timed-out" };

/** Sends a browser's request to this site. Never rejects. */
export async function requestJson(
  path: string,
  {
    signal,
    timeoutMs = FETCH_TIMEOUT_MS,
    ...init
  }: RequestInit & { signal?: AbortSignal | undefined; timeoutMs?: number },
): Promise<JsonResponse> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(path, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const body: unknown = await response.json().catch(() => null);
    return { status: "responded", response, body };
  } catch (error) {
    // `fetch` rejects with a `TypeError` for every network error.
    return { status: error instanceof TypeError ? "offline" : "timed-out" };
  }
}

/**
 * Fetches JSON from this site in the browser. Returns `null` if the server can't be reached, or if a proxy or captive
 * portal has responded in its place.
 *
 * @param parse returns `null` if the value is not a response of our server
 */
export async function fetchJson<Value>(
  path: string,
  parse: (json: object) => Value | null,
  signal?: AbortSignal,
): Promise<Value | null> {
  const result = await requestJson(path, { signal });
  if (result.status !== "responded" || !result.response.ok) return null;
  const { body } = result;
  return typeof body === "object" && body !== null ? parse(body) : null;
}

/**
 * Posts a form by script. Never rejects.
 *
 * @param options.keepalive whether the request continues after the user has left the page
 */
export function postForm(
  path: string,
  form: Record<string, string> | FormData,
  options?: { keepalive?: boolean },
): Promise<JsonResponse> {
  const body = form instanceof FormData ? form : new URLSearchParams(form);
  return requestJson(path, { method: "POST", body, ...options, timeoutMs: POST_TIMEOUT_MS });
}

/** Whether the body is one of our server's responses. A proxy or captive portal may respond in its place. */
export function hasStatus(body: unknown, statuses: readonly string[]): boolean {
  if (typeof body !== "object" || body === null || !("status" in body)) return false;
  return typeof body.status === "string" && statuses.includes(body.status);
}
