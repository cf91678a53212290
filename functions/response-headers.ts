/** For responses that are not pages: allows no scripts, no subresources and no frames. */
const DEFAULT_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HOST_PREFIX = "__Host-";

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
  for (const name of findReplacedCookies(request, headers)) {
    headers.append("Set-Cookie", `${name}=; Max-Age=0; Path=/`);
  }
  return result;
}

function setDefault(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}

/** Returns the unprefixed cookies of earlier releases that the response sets or deletes under their prefixed names. */
function findReplacedCookies(request: Request, headers: Headers): string[] {
  const replaced = headers
    .getSetCookie()
    .filter((cookie) => cookie.startsWith(HOST_PREFIX))
    .map((cookie) => cookie.slice(HOST_PREFIX.length).split("=")[0]);
  const sent = (request.headers.get("Cookie") ?? "").split(";").map((pair) => pair.trim());
  return sent
    .map((pair) => pair.split("=")[0] ?? "")
    .filter((name) => replaced.includes(name.replace(/^__(?!Host-)/, "")));
}
