import { withDefaultHeaders } from "./response-headers.ts";
import { normalizeRequest } from "./normalize-request.ts";

interface PagesContext {
  request: Request;
  env?: { MAINTENANCE?: string; SWITCHES?: KeyValueStore };
  /** Reaches the app as `context.cloudflare.data`. */
  data?: { isUnderMaintenance?: boolean };
  next: (request?: Request) => Promise<Response>;
}

/** As much of a Workers KV namespace as is needed here. */
interface KeyValueStore {
  get: (key: string) => Promise<string | null>;
}

/** Seconds after which robots may come back. */
const RETRY_AFTER = "600";

/**
 * Refuses whatever another site sends in a visitor's name, before any route sees it: all but reading
 * takes an `Origin`, or a `Sec-Fetch-Site`, that says it is ours. Under maintenance nothing but the
 * app's root is asked, and every answer is a 503.
 */
export async function onRequest(context: PagesContext): Promise<Response> {
  return withDefaultHeaders(context.request, await respond(context));
}

async function respond({ request, env = {}, data = {}, next }: PagesContext): Promise<Response> {
  if (!isSafeMethod(request) && !isSameOrigin(request)) return createForbiddenResponse();
  if (!(await isUnderMaintenance(env)))
    return redirectToNormalizedPath(request) ?? next(normalizeRequest(request));

  data.isUnderMaintenance = true;
  const { body, headers } = await next(toRootRequest(request));
  const closed = new Response(request.method === "HEAD" ? null : body, { status: 503, headers });
  closed.headers.set("Retry-After", RETRY_AFTER);
  closed.headers.set("Cache-Control", "no-store");
  return closed;
}

/**
 * Pages finds a function only for addresses whose parts are not empty, so `//` and `/home//` never reach the app. Slashes
 * too many at the end are left out; any other such page is an unknown one, which leads home. A file is looked for under
 * the plain address.
 */
function redirectToNormalizedPath(request: Request): Response | undefined {
  const { pathname, search } = new URL(request.url);
  if (!isSafeMethod(request) || !pathname.includes("//")) return undefined;
  const trimmed = pathname.replace(/\/+$/, "");
  const plain = trimmed.replaceAll(/\/+/g, "/");
  const isFile = /\.[^/]*$/.test(plain);
  const to = trimmed === plain && plain !== "" ? plain + search : isFile ? plain : "/home";
  return new Response(null, { status: 302, headers: { Location: to } });
}

function isSafeMethod({ method }: Request): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function isSameOrigin({ url, headers }: Request): boolean {
  const origin = headers.get("Origin");
  // Privacy settings turn the origin of our own forms into "null"; the browser still says where they came from.
  if (origin !== null && origin !== "null") return origin === new URL(url).origin;
  return headers.get("Sec-Fetch-Site") === "same-origin";
}

/** The variable needs a deployment to change. The key `maintenance` of a namespace bound as SWITCHES does not. */
async function isUnderMaintenance({ MAINTENANCE, SWITCHES }: NonNullable<PagesContext["env"]>) {
  if (isOn(MAINTENANCE)) return true;
  // A store that fails must not close the app.
  return isOn(await SWITCHES?.get("maintenance").catch(() => null));
}

function isOn(value: string | null | undefined): boolean {
  return value === "1" || value === "true";
}

/**
 * Turns any request into one that runs nothing but the root's own loader or action: a page becomes a file that does
 * not exist, the data of a page is the root's alone, and what a script posts goes to "/", where only the root takes it.
 */
function toRootRequest(request: Request): Request {
  const url = new URL(request.url);
  if (!url.pathname.endsWith(".data")) return new Request(new URL("/assets/none", url));
  if (!isSafeMethod(request)) return new Request(new URL("/_root.data", url), { method: "POST" });
  url.searchParams.set("_routes", "root");
  return new Request(url);
}

function createForbiddenResponse(): Response {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not sent · Inkglade</title>
<h1>Not sent</h1>
<p>This form didn't come from Inkglade, so nothing was changed.</p>
<p>If you sent it from one of our pages, go back, reload the page and send it again.</p>
<p><a href="/home">Go to the stories</a></p>
</html>
`;
  return new Response(page, {
    status: 403,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
    },
  });
}
