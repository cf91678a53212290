/** For responses that are not pages: allows no scripts, no subresources and no frames. */
const DEFAULT_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HOST_PREFIX = "__Host-";

/** The cookies that scripts write: reading positions and reading settings. */
const SCRIPT_COOKIES = ["places", "reading"];

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Adds the headers that all responses need. Does not replace those that the route has set, except
 * `X-Content-Type-Options`.
 */
export function withDefaultHeaders(request: Request, response: Response): Response {
  const result = new Response(response.body, response);
  const { headers } = result;
  // Responses depend on the user. Unlike `no-store`, this allows the back/forward cache.
  setDefault(headers, "Cache-Control", "private, no-cache");
  // With a 304 that has no policy, the browser keeps the policy of its stored page, which has the nonce of its scripts.
  if (response.status !== 304) setDefault(headers, "Content-Security-Policy", DEFAULT_POLICY);
  setDefault(headers, "Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set("X-Content-Type-Options", "nosniff");
  if (new URL(request.url).protocol === "https:") {
    headers.set("Strict-Transport-Security", "max-age=31536000");
  }
  renewScriptCookies(request, headers);
  return result;
}

function setDefault(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}

/**
 * Sets the cookies of scripts once more with a document, because Safari deletes them after seven days if only a script has
 * set them. At most once a day: a change that a tab makes before the response arrives is lost.
 */
function renewScriptCookies({ url, method, headers: received }: Request, headers: Headers): void {
  if (method !== "GET" || received.get("Sec-Fetch-Dest") !== "document") return;
  const isSecure = new URL(url).protocol === "https:";
  const prefix = isSecure ? HOST_PREFIX : "";
  const attributes = `Path=/; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  const marker = `${prefix}renewed=today`;
  const set = headers.getSetCookie();
  const sent = (received.get("Cookie") ?? "").split(";").map((pair) => pair.trim());
  if (sent.includes(marker)) return;
  const renewed = SCRIPT_COOKIES.map((name) => `${prefix}${name}=`).flatMap((start) =>
    set.some((cookie) => cookie.startsWith(start))
      ? []
      : sent.filter((pair) => pair.startsWith(start)),
  );
  if (renewed.length === 0) return;
  for (const pair of renewed) {
    headers.append("Set-Cookie", `${pair}; Max-Age=${365 * DAY_SECONDS}; ${attributes}`);
  }
  headers.append("Set-Cookie", `${marker}; Max-Age=${DAY_SECONDS}; HttpOnly; ${attributes}`);
}
