import type { RequestRecord } from "../app/load-context.ts";
import { createMaintenanceSwitch, isOn, type KeyValueStore } from "./maintenance-switch.ts";
import { createPlainPage } from "./plain-page.ts";
import { createRecord, isLogged, logRequest, setRecordHeaders } from "./request-record.ts";
import { withDefaultHeaders } from "./response-headers.ts";
import { normalizeRequest } from "./normalize-request.ts";

interface PagesContext {
  request: Request;
  env?: { MAINTENANCE?: string; REQUEST_LOG?: string; SWITCHES?: KeyValueStore };
  /** Available to the app as `context.cloudflare.data`. */
  data?: { isUnderMaintenance?: boolean; record?: RequestRecord };
  next: (request?: Request) => Promise<Response>;
  /** Runs a promise after the response. */
  waitUntil?: (promise: Promise<unknown>) => void;
}

/** In seconds. */
const RETRY_AFTER = "600";

/** No page has a longer path. Matching one takes time with the square of the number of its slashes or dots. */
const MAX_PATH_LENGTH = 2000;

/** The only paths with pictures that are not static files: those of stories, and uploaded ones. */
const PICTURE_PATH = /^\/(?:pictures\/[^/]+\/[^/]+|read\/[^/]+\.png)$/;

const readSwitch = createMaintenanceSwitch(() => Date.now());

/**
 * Protects every route against cross-site request forgery: unsafe methods need an `Origin` or `Sec-Fetch-Site` header of
 * our own site. During maintenance only the root route runs, and every response is a 503, except that of /healthz, which
 * tells whether maintenance can end. For an img element, only the routes of pictures run.
 *
 * Each response has the request's id and timing. With the variable REQUEST_LOG, each request is logged.
 */
export async function onRequest(context: PagesContext): Promise<Response> {
  const { request, env, data = {} } = context;
  const record = createRecord(request);
  data.record = record;
  const startedAt = performance.now();
  const appResponse = await respond({ ...context, data }).catch((error: unknown) => {
    // Remix handles the errors of routes. This one comes from the page cache or a stream.
    // oxlint-disable-next-line no-console -- this is the server's log
    console.error(`[${record.id}]`, error);
    return createErrorResponse(record.id);
  });
  const response = withDefaultHeaders(request, appResponse);
  const ms = Math.round(performance.now() - startedAt);
  setRecordHeaders(request, response, record, ms);
  if (isLogged(env)) logRequest(request, response, record, ms);
  return response;
}

async function respond(context: PagesContext): Promise<Response> {
  const { request, data = {}, next } = context;
  if (isMisusedAsPicture(request)) return new Response(null, { status: 404 });
  if (!isSafeMethod(request) && !isSameOrigin(request)) return createForbiddenResponse();
  if (isHealthCheck(request) || !(await isUnderMaintenance(context)))
    return redirectToNormalizedPath(request) ?? next(normalizeRequest(request));

  data.isUnderMaintenance = true;
  const { body, headers } = await next(toRootRequest(request));
  const unavailable = new Response(request.method === "HEAD" ? null : body, {
    status: 503,
    headers,
  });
  unavailable.headers.set("Retry-After", RETRY_AFTER);
  unavailable.headers.set("Cache-Control", "no-store");
  return unavailable;
}

/**
 * Cloudflare Pages matches no function to paths with empty segments, so `//` and `/home//` would never reach the app.
 * Redirects to the path without extra trailing slashes, to the normalized path of a file, or to /home.
 */
function redirectToNormalizedPath(request: Request): Response | undefined {
  const { pathname, search } = new URL(request.url);
  if (pathname.length > MAX_PATH_LENGTH) return redirectTo("/home");
  if (!isSafeMethod(request) || !pathname.includes("//")) return undefined;
  const trimmed = pathname.replace(/\/+$/, "");
  const normalized = trimmed.replaceAll(/\/+/g, "/");
  if (trimmed === normalized && normalized !== "") return redirectTo(normalized + search);
  const isFile = /\.[^/]*$/.test(normalized);
  return redirectTo(isFile ? normalized : "/home");
}

function redirectTo(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location } });
}

/**
 * Whether a page shows an address of this site as a picture that is none. Users choose the addresses of photos, covers and
 * pictures in stories, and the browser of everyone who sees these requests them, with its cookies.
 */
function isMisusedAsPicture({ url, headers }: Request): boolean {
  return headers.get("Sec-Fetch-Dest") === "image" && !PICTURE_PATH.test(new URL(url).pathname);
}

function isHealthCheck({ url }: Request): boolean {
  return new URL(url).pathname === "/healthz";
}

function isSafeMethod({ method }: Request): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function isSameOrigin({ url, headers }: Request): boolean {
  const origin = headers.get("Origin");
  // With some privacy settings browsers send "null" for our own forms, but still a correct `Sec-Fetch-Site`.
  if (origin !== null && origin !== "null") return origin === new URL(url).origin;
  return headers.get("Sec-Fetch-Site") === "same-origin";
}

/**
 * Whether the variable MAINTENANCE or the key `maintenance` of the KV namespace bound as SWITCHES is on. The key can be
 * changed without a deployment.
 */
async function isUnderMaintenance({ env, waitUntil }: PagesContext): Promise<boolean> {
  if (isOn(env?.MAINTENANCE)) return true;
  return env?.SWITCHES !== undefined && readSwitch(env.SWITCHES, waitUntil);
}

/**
 * Returns a request that runs only the root route. A document gets a path that no route handles, a data request asks for
 * the root's data only, and a posted data request goes to the root's action.
 */
function toRootRequest(request: Request): Request {
  const url = new URL(request.url);
  if (!url.pathname.endsWith(".data")) return new Request(new URL("/assets/none", url));
  if (!isSafeMethod(request)) return new Request(new URL("/_root.data", url), { method: "POST" });
  url.searchParams.set("_routes", "root");
  return new Request(url);
}

function createForbiddenResponse(): Response {
  return createPlainPage(
    403,
    "Not sent",
    `<p>This form didn't come from Inkglade, so nothing was changed.</p>
<p>If you sent it from one of our pages, go back, reload the page and send it again.</p>`,
  );
}

function createErrorResponse(id: string): Response {
  return createPlainPage(
    500,
    "Something went wrong",
    `<p>We can't show this page. Try again in a moment.</p>
<p>Error ID: ${id}</p>`,
  );
}
