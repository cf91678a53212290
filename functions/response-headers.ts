/** What is no page runs nothing, loads nothing and stands in no frame. Pages have a policy of their own. */
const NO_PAGE_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HOST_PREFIX = "__Host-";

/**
 * Returns the answer with the headers that pages, data, redirects and files all need. What a route says for itself
 * stays, but for the rule that types are not guessed.
 */
export function withDefaultHeaders(request: Request, response: Response): Response {
  const answer = new Response(response.body, response);
  const { headers } = answer;
  // Answers are for one person: asked for anew each time, but kept for the way back.
  setDefault(headers, "Cache-Control", "private, no-cache");
  setDefault(headers, "Content-Security-Policy", NO_PAGE_POLICY);
  setDefault(headers, "Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set("X-Content-Type-Options", "nosniff");
  if (new URL(request.url).protocol === "https:") {
    headers.set("Strict-Transport-Security", "max-age=31536000");
  }
  for (const name of findReplacedCookies(request, headers)) {
    headers.append("Set-Cookie", `${name}=; Max-Age=0; Path=/`);
  }
  return answer;
}

function setDefault(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}

/** Returns the plain cookies of an earlier release that the answer sets, or removes, under their prefixed names. */
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
