import type { PageFailure, PageValues, RequestRecord } from "../../app/load-context.ts";
import type { VisitorRequest } from "../../app/visitor-request.server.ts";
import { createChangeStore } from "./change-store.ts";
import { findMissing, FRESH_MS, isServable, NO_CHANGES } from "./changes.ts";
import { createPlainPage } from "../plain-page.ts";
import { createCopyStore } from "./copy-store.ts";
import { createNotModified, isUnchanged, readEtags, withNotModified } from "./not-modified.ts";
import {
  createPageRecord,
  createPageRenderer,
  createPageValues,
  type EntryModule,
  type RenderResult,
} from "./page-renderer.ts";
import { createPageStore, type PageCache } from "./page-store.ts";
import { toResponse, type StoredPage } from "./stored-page.ts";

/** Up to this age a page is served while a new one is rendered. */
const STALE_MS = 5 * 60_000;

/** The parts of Remix's server build that are used here. */
interface Build {
  entry: {
    module: EntryModule & {
      BUILD_ID: string;
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

/** A visitor's request for a shared page. */
interface Visit<Context> {
  context: Context;
  cache: PageCache;
  visitorRequest: VisitorRequest;
}

/**
 * Adds a page cache to a request handler. It serves the pages of visitors, renders them again when they are old or
 * something on them has changed, and serves old ones with a note when they cannot be rendered. All other pages get an
 * ETag.
 *
 * @param findCache returns the cache; `undefined` where there is none
 */
export function withPageCache<Context extends CachedContext>(
  build: Build,
  handle: (context: Context) => Response | Promise<Response>,
  findCache = findDefaultCache,
): (context: Context) => Promise<Response> {
  const handlers = new Map<string, (context: Context) => Promise<Response>>();
  return (context) => {
    const { env } = context;
    const projectId = "FIREBASE_PROJECT_ID" in env ? String(env.FIREBASE_PROJECT_ID) : "";
    const existing = handlers.get(projectId);
    const handler = existing ?? createCachedHandler({ build, handle, findCache, projectId });
    handlers.set(projectId, handler);
    return handler(context);
  };
}

interface HandlerOptions<Context> {
  build: Build;
  handle: (context: Context) => Response | Promise<Response>;
  findCache: (env: object) => PageCache | undefined;
  projectId: string;
}

function createCachedHandler<Context extends CachedContext>({
  build,
  handle,
  findCache,
  projectId,
}: HandlerOptions<Context>): (context: Context) => Promise<Response> {
  const { module } = build.entry;
  const pages = createPageStore(module.BUILD_ID, () => Date.now());
  const changeStore = createChangeStore(projectId, () => Date.now());
  const createCopies = (cache: PageCache, context: Context) =>
    createCopyStore({
      cache,
      changes: changeStore,
      waitUntil: (promise) => context.waitUntil(promise),
    });
  const renderer = createPageRenderer({
    module,
    handle,
    pages,
    changes: changeStore,
    createCopies,
  });

  async function serve(visit: Visit<Context>): Promise<Response> {
    const { context, cache, visitorRequest } = visit;
    const { key, hasContent, hasStoryLists } = visitorRequest;
    const now = Date.now();
    const { origin } = new URL(context.request.url);
    const [changes, storedPage] = await Promise.all([
      hasContent ? changeStore.get(cache) : NO_CHANGES,
      pages.find(cache, { origin, key, newerThan: now - FRESH_MS }),
    ]);
    const page = storedPage && isServable(storedPage, changes, now) ? storedPage : undefined;
    if (!page) {
      const rendered = await renderer.render(visit, changes);
      return rendered ? respondRendered(visit, rendered) : respondTooSlow(visit);
    }

    const age = now - page.head.startedAt;
    const missing = findMissing(page, hasStoryLists, changes, now);
    if (age < FRESH_MS && missing === null) return respond(context, page);
    const failure = renderer.findFailure(key);
    if (failure) {
      renderer.renderLater(visit);
      return respondOutdated(visit, page, failure);
    }
    if (age < STALE_MS && missing === null) {
      renderer.renderLater(visit);
      return respond(context, page);
    }
    // Only one visitor waits for the new message.
    if (age < STALE_MS && missing === "message" && renderer.isRendering(key)) {
      return respond(context, page);
    }
    const rendered = await renderer.renderSoon(visit, changes);
    if (rendered && !rendered.failure) return respondRendered(visit, rendered);
    return respondOutdated(visit, page, renderer.findFailure(key) ?? "error");
  }

  function respond(context: Context, page: StoredPage, isCached = true): Response {
    setCached(context, isCached);
    const cookies = module.getVisitorCookies(context.request);
    const isSame = isUnchanged(context.request.headers, page.head.etag) && !cookies["Set-Cookie"];
    if (isSame) return createNotModified(page.head.etag, new Headers(page.head.headers));
    return addHeaders(toResponse(page, createPageValues()), cookies);
  }

  /**
   * Serves an old page with a note. A script that requests data has to load the document, because data cannot show a
   * note.
   */
  async function respondOutdated(
    visit: Visit<Context>,
    page: StoredPage,
    failure: PageFailure,
  ): Promise<Response> {
    const { context, visitorRequest } = visit;
    if (visitorRequest.documentKey !== null) {
      return (await loadStoredDocument(visit)) ?? respond(context, page);
    }
    setCached(context, true);
    const note = module.renderOutdatedNote(page.head.startedAt, visitorRequest.locale, failure);
    const response = toResponse(page, createPageValues(), note);
    return addHeaders(response, module.getVisitorCookies(context.request));
  }

  async function respondRendered(visit: Visit<Context>, rendered: RenderResult): Promise<Response> {
    const { context } = visit;
    const { page, failure, kind } = rendered;
    if (kind === "page" && !failure) return respond(context, page, false);
    const document = failure ? await loadStoredDocument(visit) : undefined;
    if (document) return document;
    const response = toResponse(page, createPageValues());
    return addHeaders(response, module.getVisitorCookies(context.request));
  }

  /** Responds when a page is not rendered in time. Uses a page that has been stored in the meantime, if there is one. */
  async function respondTooSlow(visit: Visit<Context>): Promise<Response> {
    const page = await findServable(visit, visit.visitorRequest.key);
    if (page) return respondOutdated(visit, page, "error");
    // Remix's client cannot decode a page.
    return visit.visitorRequest.documentKey === null
      ? createTooSlowResponse()
      : loadDocument(visit);
  }

  /** Returns a page of any age, if it may still be served. */
  async function findServable(
    { context, cache }: Visit<Context>,
    key: string,
  ): Promise<StoredPage | undefined> {
    const { origin } = new URL(context.request.url);
    const [changes, page] = await Promise.all([
      changeStore.get(cache),
      pages.find(cache, { origin, key, newerThan: -Infinity }),
    ]);
    return page && isServable(page, changes, Date.now()) ? page : undefined;
  }

  /** Responds to a request for data with a redirect that loads the document, if that is stored. */
  async function loadStoredDocument(visit: Visit<Context>): Promise<Response | undefined> {
    const { documentKey } = visit.visitorRequest;
    if (documentKey === null || !(await findServable(visit, documentKey))) return undefined;
    return loadDocument(visit);
  }

  /** Responds to a request for data with a redirect that loads the document. */
  async function loadDocument({ context, visitorRequest }: Visit<Context>): Promise<Response> {
    const request = visitorRequest.createRequest();
    return handle({ ...context, request, data: { ...context.data, isDocumentCached: true } });
  }

  /** Handles a request whose response is for one browser only, and stores what it changes. */
  async function handlePrivate(context: Context, cache: PageCache | undefined) {
    const { request } = context;
    const record = {
      ...createPageRecord(),
      listsChangedAt: module.getRecentChangeTime(request),
      copies: cache ? createCopies(cache, context) : null,
    };
    const etags = request.method === "GET" ? readEtags(request.headers) : [];
    const data = { ...context.data, values: createPageValues(), etags };
    const hasChanged = () =>
      record.changes.size + record.changedIds.size + record.removedIds.size > 0;
    try {
      const response = await module.recordPage(record, () => handle({ ...context, data }));
      const failure = record.failure ?? (response.status >= 500 ? "error" : null);
      return { response, failure, isChanged: hasChanged() };
    } finally {
      if (cache && hasChanged()) await changeStore.add(cache, record);
    }
  }

  /** @param visitorRequest the shared page, which is served instead of an incomplete one; `null` if there is none */
  async function servePrivate(
    context: Context,
    cache: PageCache | undefined,
    visitorRequest: VisitorRequest | null,
  ): Promise<Response> {
    const { request } = context;
    // Copied because Remix's handler deletes `If-None-Match`.
    const requestHeaders = new Headers(request.headers);
    const handled = handlePrivate(context, cache);
    // The change is stored even if the browser leaves before the response.
    if (!isReadMethod(request)) context.waitUntil(handled.catch(() => undefined));
    const { response, failure, isChanged } = await handled;
    if (isChanged) return addHeaders(response, module.setRecentChange(request));
    if (cache && visitorRequest && failure) {
      const visit = { context, cache, visitorRequest };
      const page = await findServable(visit, visitorRequest.key);
      if (page) return respondOutdated(visit, page, failure);
    }
    return request.method === "GET" ? withNotModified(requestHeaders, response) : response;
  }

  return async (context) => {
    const { request, env } = context;
    const cache = findCache(env);
    const cf = "cf" in request ? (request.cf as VisitorContext["cloudflare"]["cf"]) : undefined;
    const visitorRequest = cache
      ? module.toVisitorRequest(request, { cloudflare: { env, ...(cf && { cf }) } })
      : null;
    if (!cache || !visitorRequest || visitorRequest.hasOwnLists)
      return servePrivate(context, cache, visitorRequest);
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

function createTooSlowResponse(): Response {
  const response = createPlainPage(
    503,
    "This page is taking too long",
    "<p>We can't show this page right now. Try again in a moment.</p>",
  );
  response.headers.set("Retry-After", "2");
  return response;
}

function isReadMethod({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function setCached({ data: { record } }: CachedContext, isCached: boolean): void {
  if (record) record.isCached = isCached;
}

function addHeaders(response: Response, headers: Record<string, string>): Response {
  const added = Object.entries(headers);
  if (added.length === 0) return response;
  const result = new Response(response.body, response);
  for (const [name, value] of added) result.headers.append(name, value);
  return result;
}
