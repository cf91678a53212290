const TIMEOUT_MS = 30_000;

/** The response and its JSON, which is `null` if it has none; or why there is no response. */
export type FormAnswer =
  | { status: "answered"; response: Response; body: unknown }
  | { status: "offline" | "timed-out" };

/**
 * Posts a form by script. Never rejects.
 *
 * @param options.keepalive whether it is finished even if the page is left
 */
export async function postForm(
  path: string,
  form: Record<string, string>,
  { keepalive = false } = {},
): Promise<FormAnswer> {
  try {
    const response = await fetch(path, {
      method: "POST",
      body: new URLSearchParams(form),
      keepalive,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    return { status: "answered", response, body };
  } catch (error) {
    // `fetch` rejects with a `TypeError` for every network error.
    return { status: error instanceof TypeError ? "offline" : "timed-out" };
  }
}

/** Whether the body is one of our server's answers. A proxy or captive portal may answer in its place. */
export function hasStatus(body: unknown, statuses: readonly string[]): boolean {
  if (typeof body !== "object" || body === null || !("status" in body)) return false;
  return typeof body.status === "string" && statuses.includes(body.status);
}
