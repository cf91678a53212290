import type { PageFailure, PageRecord, PageValues, RequestRecord } from "../../app/load-context.ts";
import type { VisitorRequest } from "../../app/visitor-request.server.ts";
import { isLogged, logRequest } from "../request-record.ts";
import { resolveWithin } from "../resolve-within.ts";
import { createNotModified, isUnchanged, readEtags } from "./not-modified.ts";
import { createStoredPage, toResponse, type StoredPage } from "./stored-page.ts";

/** Up to this age a page is served as it is. */
const FRESH_MS = 60_000;

/** Up to this age a page is served while a new one is rendered. */
const STALE_MS = 2 * FRESH_MS;

/** Up to this age a page stands in for a new one that cannot be rendered. */
const MAX_AGE_MS = 60 * 60_000;

/** How long a visitor waits for a new page if there is an old one, or if the rendering began for another visitor. */
const RENDER_TIMEOUT_MS = 1500;

/** How long a rendering in the background waits for the numbers of readers. */
const READERS_TIMEOUT_MS = 500;

const HEAD_HEADER = "X-Page";

/** Posts that scripts send by themselves. They change neither messages nor stories. */
const BACKGROUND_PATHS = new Set(["/firebase-token", "/reading-positions"]);

/** The part of the Cache API that is used here. */
export interface PageCache {
  match: (address: string) => Promise<Response | undefined>;
  put: (address: string, response: Response) => Promise<void>;
}

/** The parts of Remix's server build that are used here. */
interface Build {
  entry: {
    module: {
      BUILD_ID: string;
      recordCalls: <T>(record: RequestRecord, method: string, run: () => T) => T;
      recordPage: <T>(record: PageRecord, run: () => T) => T;
      updateReaders: (context: { cloudflare: { env: object } }) => Promise<unknown>;
      toVisitorRequest: (request: Request, context: VisitorContext) => VisitorRequest | null;
      setRecentChange: (request: Request) => Record<string, string>;
      getRecentChangeTime: (request: Request) => number;
      getVisitorCookies: (request: Request) => Record<string, string>;
      renderOutdatedNote: (
        time: number,
        locale: VisitorRequest["locale"],
        failure: PageFailure,
      ) => string;
    };
  };
}

interface VisitorContext {
  [key: string]: unknown;
  cloudflare: { env: object; cf?: { timezone?: unknown } };
}

interface CachedContext {
  request: Request;
  env: object;
  data: {
    record?: RequestRecord;
    values?: PageValues;
    etags?: string[];
    isShared?: boolean;
    isDocumentCached?: boolean;
  };
  waitUntil: (promise: Promise<unknown>) => void;
}

/** A request for a page that visitors share. */
interface Visit<Context> {
  context: Context;
  cache: PageCache;
  visitorRequest: VisitorRequest;
}

interface Rendering {
  page: StoredPage;
  /** Why the page is not whole; `null` if it is. */
  failure: PageFailure | null;
  /** Whether it sets a cookie, so that only the visitor whose request began it may get it. */
  isPrivate: boolean;
}

/**
 * Adds a page cache to a request handler. For a minute it serves a visitor's page as it is, and for another minute while
 * it renders a new one. Then the page is rendered before it is served. If that fails or takes 1.5 s, a page of up to an
 * hour is served, with a note that says how old it is. All other pages get an ETag.
 *
 * Pages are stored in Cloudflare's cache, for all isolates of the data centre. Failures of that cache are ignored: the page
 * is then rendered.
 *
 * @param findCache returns the cache; `undefined` where there is none
 */
export function withPageCache<Context extends CachedContext>(
  build: Build,
  handle: (context: Context) => Response | Promise<Response>,
  findCache = findDefaultCache,
): (context: Context) => Promise<Response> {
  const { module } = build.entry;
  /** The renderings that other visitors may join, oldest first. */
  const running = new Map<string, { startedAt: number; result: Promise<Rendering> }>();

  /** The build's id is part of all addresses, so that pages of earlier builds are not found. */
  function toAddress(key: string): string {
    const { origin } = new URL(key.split("\n", 1)[0] ?? "");
    return `${origin}/_cache/pages/${module.BUILD_ID}/${encodeURIComponent(key)}`;
  }

  /** Returns a page that is less than an hour old. */
  async function find(cache: PageCache, key: string): Promise<StoredPage | undefined> {
    try {
      const response = await cache.match(toAddress(key));
      const head = response?.headers.get(HEAD_HEADER);
      if (!response || !head) return undefined;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const page = { head: JSON.parse(head) as StoredPage["head"], bytes };
      return getAge(page) < MAX_AGE_MS ? page : undefined;
    } catch {
      return undefined;
    }
  }

  async function store(cache: PageCache, key: string, page: StoredPage): Promise<void> {
    const response = new Response(page.bytes, {
      headers: {
        "Cache-Control": `max-age=${MAX_AGE_MS / 1000}`,
        "Content-Type": "application/octet-stream",
        [HEAD_HEADER]: JSON.stringify(page.head),
      },
    });
    await cache.put(toAddress(key), response).catch(() => undefined);
  }

  /** Renders a page from what all visitors with its key share, and stores it if it is whole. */
  async function render({ context, cache, visitorRequest }: Visit<Context>): Promise<Rendering> {
    const startedAt = Date.now();
    const record = createPageRecord();
    const values = createPageValues();
    const request = visitorRequest.createRequest();
    const data = { ...context.data, values, isShared: true };
    const response = await module.recordPage(record, () => handle({ ...context, request, data }));
    // Data is streamed, so the record is complete only after the body.
    const body = await response.arrayBuffer();
    const page = await createStoredPage(response, body, values, startedAt);
    const failure = record.failure ?? (response.status >= 500 ? "error" : null);
    const isPrivate = response.headers.getSetCookie().length > 0;
    const isStored = failure === null && !isPrivate && isPage(response);
    if (isStored) context.waitUntil(store(cache, visitorRequest.key, page));
    return { page, failure, isPrivate };
  }

  /** Returns a rendering to join. Each is joined only for a while, because one that workerd has cancelled never ends. */
  function findRunning(key: string): Promise<Rendering> | undefined {
    for (const [other, { startedAt }] of running) {
      if (Date.now() - startedAt < RENDER_TIMEOUT_MS) break;
      running.delete(other);
    }
    return running.get(key)?.result;
  }

  /** Begins a rendering that other visitors may join, if none is running. */
  function start(
    { context, visitorRequest: { key } }: Visit<Context>,
    run: () => Promise<Rendering>,
  ): Promise<Rendering> {
    const result = run();
    running.set(key, { startedAt: Date.now(), result });
    // A failed rendering stays until it expires, so that not every visitor tries again.
    const end = ({ failure }: Rendering) => {
      if (failure === null && running.get(key)?.result === result) running.delete(key);
    };
    context.waitUntil(result.then(end).catch(() => undefined));
    return result;
  }

  /** Renders a page after a response, and logs that like a request. */
  function renew(visit: Visit<Context>): void {
    const { context, visitorRequest } = visit;
    if (findRunning(visitorRequest.key)) return;
    const startedAt = performance.now();
    // The request's own record has been logged by then.
    const record = { ...getRecord(context), calls: [], isCached: false, isBackground: true };
    const later = { ...visit, context: { ...context, data: { ...context.data, record } } };
    const update = () => module.updateReaders({ cloudflare: { env: context.env } });
    const result = start(later, async () => {
      // Nobody waits for this page, so the numbers of readers are updated first.
      await resolveWithin(module.recordCalls(record, "GET", update), READERS_TIMEOUT_MS);
      return module.recordCalls(record, "GET", () => render(later));
    });
    const status = result.then(({ page }) => page.head.status).catch(() => 500);
    const log = (code: number) => {
      const ms = Math.round(performance.now() - startedAt);
      if (isLogged(context.env)) logRequest({ method: "GET" }, { status: code }, record, ms);
    };
    context.waitUntil(status.then(log));
  }

  async function serve(visit: Visit<Context>): Promise<Response> {
    const { key } = visit.visitorRequest;
    const page = await find(visit.cache, key);
    const age = page ? getAge(page) : Infinity;
    if (page && age < STALE_MS) {
      if (age >= FRESH_MS) renew(visit);
      return respond(visit.context, page, true);
    }
    const joined = findRunning(key);
    const result = joined ?? start(visit, () => render(visit));
    const rendering = await (page || joined ? resolveWithin(result, RENDER_TIMEOUT_MS) : result);
    const isUsable = rendering && !(joined && rendering.isPrivate);
    if (!page) return respondRendered(visit, isUsable ? rendering : await render(visit));
    if (isUsable && rendering.failure === null) return respondRendered(visit, rendering);
    return respondOutdated(visit, page, rendering?.failure ?? "error");
  }

  function respond(context: Context, page: StoredPage, isCached: boolean): Response {
    if (context.data.record) context.data.record.isCached = isCached;
    const cookies = module.getVisitorCookies(context.request);
    const isSame = isUnchanged(context.request.headers, page.head.etag) && !cookies["Set-Cookie"];
    if (isSame) return createNotModified(page.head.etag, new Headers(page.head.headers));
    return addHeaders(toResponse(page, createPageValues()), cookies);
  }

  async function respondRendered(
    visit: Visit<Context>,
    { page, failure }: Rendering,
  ): Promise<Response> {
    const document = failure ? await loadStoredDocument(visit) : undefined;
    return document ?? respond(visit.context, page, false);
  }

  /** Serves an old page with a note. Data cannot show a note, so a script that asks for it loads the document instead. */
  async function respondOutdated(
    visit: Visit<Context>,
    page: StoredPage,
    failure: PageFailure,
  ): Promise<Response> {
    const { context, visitorRequest } = visit;
    if (visitorRequest.documentKey !== null) {
      return (await loadStoredDocument(visit)) ?? respond(context, page, true);
    }
    if (context.data.record) context.data.record.isCached = true;
    const note = module.renderOutdatedNote(page.head.startedAt, visitorRequest.locale, failure);
    const response = toResponse(page, createPageValues(), note);
    return addHeaders(response, module.getVisitorCookies(context.request));
  }

  /** Responds to a request for data with a redirect that loads the document, if that is stored. */
  async function loadStoredDocument(visit: Visit<Context>): Promise<Response | undefined> {
    const { context, cache, visitorRequest } = visit;
    const { documentKey } = visitorRequest;
    if (documentKey === null || !(await find(cache, documentKey))) return undefined;
    const data = { ...context.data, isDocumentCached: true };
    return handle({ ...context, request: visitorRequest.createRequest(), data });
  }

  /**
   * Handles a request whose response is for one browser only.
   *
   * @param visitorRequest the shared page, which is served instead of an incomplete one; `null` if there is none
   */
  async function servePrivate(
    context: Context,
    cache: PageCache | undefined,
    visitorRequest: VisitorRequest | null,
  ): Promise<Response> {
    const { request } = context;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const record = { ...createPageRecord(), changedAt: module.getRecentChangeTime(request) };
    const etags = request.method === "GET" ? readEtags(request.headers) : [];
    const data = { ...context.data, values: createPageValues(), etags };
    const handled = module.recordPage(record, async () => handle({ ...context, data }));
    // A change that takes several steps is completed even if the browser leaves.
    if (!isRead) context.waitUntil(handled.catch(() => undefined));
    const response = await handled;
    // Also after an error: the change may have been made although the database's response was lost.
    const isChange = !isRead && !BACKGROUND_PATHS.has(new URL(request.url).pathname);
    if (isChange) return addHeaders(response, module.setRecentChange(request));
    const failure = record.failure ?? (response.status >= 500 ? "error" : null);
    const isWanted = record.isStoryMissing || visitorRequest?.access === "if-incomplete";
    if (cache && visitorRequest && failure && isWanted) {
      const page = await find(cache, visitorRequest.key);
      if (page) return respondOutdated({ context, cache, visitorRequest }, page, failure);
    }
    return response;
  }

  return async (context) => {
    const { request, env } = context;
    const cache = findCache(env);
    const cf = "cf" in request ? (request.cf as VisitorContext["cloudflare"]["cf"]) : undefined;
    const visitorRequest = cache
      ? module.toVisitorRequest(request, { cloudflare: { env, ...(cf && { cf }) } })
      : null;
    if (!cache || visitorRequest?.access !== "shared") {
      return servePrivate(context, cache, visitorRequest);
    }
    const response = await serve({ context, cache, visitorRequest });
    return request.method === "HEAD" ? new Response(null, response) : response;
  };
}

/** Returns Cloudflare's cache, unless the variable PAGE_CACHE is "off". */
function findDefaultCache(env: object): PageCache | undefined {
  if ("PAGE_CACHE" in env && env.PAGE_CACHE === "off") return undefined;
  const cache: unknown = "default" in caches ? caches.default : undefined;
  return cache instanceof Cache ? cache : undefined;
}

function getAge({ head }: StoredPage): number {
  return Date.now() - head.startedAt;
}

function createPageRecord(): PageRecord {
  return { failure: null, isStoryMissing: false, changedAt: -Infinity };
}

function createPageValues(): PageValues {
  return { nonce: crypto.randomUUID(), messageId: crypto.randomUUID(), now: Date.now() };
}

function getRecord({ data }: CachedContext): RequestRecord {
  return data.record ?? { id: "", calls: [] };
}

/** Whether a response is a page, or its data, that may be stored. */
function isPage({ status, headers }: Response): boolean {
  const isPageType = /^text\/(?:html|x-script)\b/.test(headers.get("Content-Type") ?? "");
  return status === 200 && isPageType && !/no-store/.test(headers.get("Cache-Control") ?? "");
}

function addHeaders(response: Response, headers: Record<string, string>): Response {
  const added = Object.entries(headers);
  if (added.length === 0) return response;
  const result = new Response(response.body, response);
  for (const [name, value] of added) result.headers.append(name, value);
  return result;
}
