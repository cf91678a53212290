const TIMEOUT_MS = 10_000;

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
  try {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(path, {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const json: unknown = response.ok ? await response.json() : null;
    return typeof json === "object" && json !== null ? parse(json) : null;
  } catch {
    return null;
  }
}
