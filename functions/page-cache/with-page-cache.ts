import type { PageRecord, PageValues, RequestRecord } from "../../app/load-context.ts";
import type { VisitorRequest } from "../../app/visitor-request.server.ts";
import { createNotModified, isUnchanged, readEtags, withNotModified } from "./not-modified.ts";
import { createPageStore, type PageCache, type PageChanges } from "./page-store.ts";
import { createStoredPage, toResponse, type StoredPage } from "./stored-page.ts";

/** Up to this age a page is served as it is. */
const FRESH_MS = 60_000;

/** Up to this age a page is served while a new one is rendered. */
const STALE_MS = 5 * 60_000;

/** Pages up to this age are served even if a message was sent since, so that a busy room does not empty the cache. */
const MIN_AGE_MS = 5000;

/** How long a visitor waits for a new page before an old one is served instead. */
const RENDER_TIMEOUT_MS = 1500;

/** For this long after an incomplete page, old pages are served without trying to render new ones first. */
const FAILURE_MS = 10_000;

/** The shortest time between two attempts to render a page after its response. */
const RETRY_MS = 5000;

/** How far the clocks of a data centre may be apart. A page rendered this soon after a change may lack the change. */
const CLOCK_SKEW_MS = 1000;

/** How many renewals each isolate tracks. */
const MAX_RENEWALS = 1000;

/** The parts of Remix's server build that are used here. */
interface Build {
  entry: {
    module: {
      BUILD_ID: string;
      recordPage: <T>(record: PageRecord, run: () => T) => T;
      toVisitorRequest: (request: Request, context: VisitorContext) => VisitorRequest | null;
      setRecentChange: (request: Request) => Record<string, string>;
      getVisitorCookies: (request: Request) => Record<string, string>;
      updateReaders: (context: VisitorContext) => Promise<unknown>;
      renderOutdatedNote: (time: number, locale: VisitorRequest["locale"]) => string;
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

/** A page to store, or a response that must not be stored: it failed, is incomplete, or is not for all visitors. */
type Rendered = { page: StoredPage } | { page: null; response: Response; isFailed: boolean };

/**
 * Adds a cache of pages to a request handler. It serves the pages of visitors, renders them again when they are old or
 * something on them has changed, and serves old ones with a note while Firebase does not answer. All other pages get an
 * ETag.
 *
 * @param findCache returns the cache; `undefined` where there is none
 */
export function withPageCache<Context extends CachedContext>(
  build: Build,
  handle: (context: Context) => Response | Promise<Response>,
  findCache = findDefaultCache,
): (context: Context) => Promise<Response> {
  const { module } = build.entry;
  const store = createPageStore(module.BUILD_ID, () => Date.now());
  /** The keys of the pages that are being rendered after their response, and since when. */
  const renewals = new Map<string, number>();
  let failedAt = -Infinity;

  const isFailing = () => Date.now() - failedAt < FAILURE_MS;

  /** Renders a page from what all visitors with its key share, and stores it. */
  async function render(
    context: Context,
    cache: PageCache,
    { key, createRequest }: VisitorRequest,
  ): Promise<Rendered> {
    const request = createRequest();
    const startedAt = Date.now();
    const values = createPageValues();
    const record: PageRecord = { isPartial: false, changes: new Set() };
    const data = { ...context.data, values, isShared: true };
    const response = await module.recordPage(record, () => handle({ ...context, request, data }));
    const page = isStorable(response) ? await createStoredPage(response, values, startedAt) : null;
    // Read after the body, because data is streamed.
    const isFailed = record.isPartial || response.status >= 500;
    failedAt = isFailed ? Date.now() : -Infinity;
    if (!page) return { page, response, isFailed };
    if (isFailed) return { page: null, response: toResponse(page, values), isFailed };
    context.waitUntil(store.set(cache, new URL(request.url).origin, key, page));
    return { page };
  }

  function renewLater(context: Context, cache: PageCache, visitorRequest: VisitorRequest): void {
    const now = Date.now();
    if (now - (renewals.get(visitorRequest.key) ?? -Infinity) < RETRY_MS) return;
    if (renewals.size >= MAX_RENEWALS) renewals.clear();
    renewals.set(visitorRequest.key, now);
    // Nobody waits for this page, so the numbers of readers are updated first.
    const renewal = module
      .updateReaders({ cloudflare: { env: context.env } })
      .then(() => render(context, cache, visitorRequest))
      .catch(() => {
        failedAt = Date.now();
      })
      .finally(() => {
        if (!isFailing()) renewals.delete(visitorRequest.key);
      });
    context.waitUntil(renewal);
  }

  async function serve(
    context: Context,
    cache: PageCache,
    visitorRequest: VisitorRequest,
  ): Promise<Response> {
    const now = Date.now();
    const { origin } = new URL(context.request.url);
    const [changes, found] = await Promise.all([
      visitorRequest.hasContent ? store.getChanges(cache, origin) : {},
      store.find(cache, { origin, key: visitorRequest.key, newerThan: now - FRESH_MS }),
    ]);
    const page = found && isServable(found, changes) ? found : undefined;
    const mustRender = page !== undefined && isOutdated(page, changes, now);
    const age = page ? now - page.head.startedAt : Infinity;

    if (page && age < FRESH_MS && !mustRender) return respond(context, page);
    if (page && isFailing()) {
      renewLater(context, cache, visitorRequest);
      return respondOutdated(context, cache, visitorRequest, page);
    }
    if (page && age < STALE_MS && !mustRender) {
      renewLater(context, cache, visitorRequest);
      return respond(context, page);
    }
    const rendering = render(context, cache, visitorRequest);
    if (!page) return respondRendered(context, cache, visitorRequest, await rendering);
    const safely = rendering.catch(() => undefined);
    const rendered = await resolveWithin(safely, RENDER_TIMEOUT_MS);
    if (rendered?.page) return respond(context, rendered.page, false);
    if (rendered?.isFailed === false)
      return respondRendered(context, cache, visitorRequest, rendered);
    failedAt = Date.now();
    context.waitUntil(safely);
    return respondOutdated(context, cache, visitorRequest, page);
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
    context: Context,
    cache: PageCache,
    visitorRequest: VisitorRequest,
    page: StoredPage,
  ): Promise<Response> {
    if (visitorRequest.documentKey !== null) {
      return (await loadDocument(context, cache, visitorRequest)) ?? respond(context, page);
    }
    setCached(context, true);
    const note = module.renderOutdatedNote(page.head.startedAt, visitorRequest.locale);
    const response = toResponse(page, createPageValues(), note);
    return addHeaders(response, module.getVisitorCookies(context.request));
  }

  async function respondRendered(
    context: Context,
    cache: PageCache,
    visitorRequest: VisitorRequest,
    rendered: Rendered,
  ): Promise<Response> {
    if (rendered.page) return respond(context, rendered.page, false);
    const document = isFailing() ? await loadDocument(context, cache, visitorRequest) : undefined;
    return document ?? addHeaders(rendered.response, module.getVisitorCookies(context.request));
  }

  /** Returns a page of any age, if it may still be served. */
  async function findServable(
    { request }: Context,
    cache: PageCache,
    key: string,
  ): Promise<StoredPage | undefined> {
    const { origin } = new URL(request.url);
    const [changes, page] = await Promise.all([
      store.getChanges(cache, origin),
      store.find(cache, { origin, key, newerThan: -Infinity }),
    ]);
    return page && isServable(page, changes) ? page : undefined;
  }

  /** Answers a request for data with a redirect that loads the document, if that is stored. */
  async function loadDocument(
    context: Context,
    cache: PageCache,
    { documentKey, createRequest }: VisitorRequest,
  ): Promise<Response | undefined> {
    if (documentKey === null) return undefined;
    if (!(await findServable(context, cache, documentKey))) return undefined;
    const request = createRequest();
    return handle({ ...context, request, data: { ...context.data, isDocumentCached: true } });
  }

  /**
   * Handles a request whose response is for one browser only.
   *
   * @param visitorRequest the shared page, which is served instead of an incomplete one; `null` if there is none
   */
  async function handlePrivate(
    context: Context,
    cache: PageCache | undefined,
    visitorRequest: VisitorRequest | null,
  ): Promise<Response> {
    const { request } = context;
    // Copied because Remix's handler deletes `If-None-Match`.
    const requestHeaders = new Headers(request.headers);
    const values = createPageValues();
    const record: PageRecord = { isPartial: false, changes: new Set() };
    const etags = request.method === "GET" ? readEtags(requestHeaders) : [];
    const data = { ...context.data, values, etags };
    const response = await module.recordPage(record, () => handle({ ...context, data }));
    if (record.changes.size > 0) {
      if (cache) await store.addChanges(cache, new URL(request.url).origin, record.changes);
      return addHeaders(response, module.setRecentChange(request));
    }
    if (cache && visitorRequest && (record.isPartial || response.status >= 500)) {
      const page = await findServable(context, cache, visitorRequest.key);
      if (page) return respondOutdated(context, cache, visitorRequest, page);
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
      return handlePrivate(context, cache, visitorRequest);
    const response = await serve(context, cache, visitorRequest);
    return request.method === "HEAD" ? new Response(null, response) : response;
  };
}

/** Returns Cloudflare's cache, unless the variable PAGE_CACHE is "off". */
function findDefaultCache(env: object): PageCache | undefined {
  if ("PAGE_CACHE" in env && env.PAGE_CACHE === "off") return undefined;
  const cache: unknown = "default" in caches ? caches.default : undefined;
  return cache instanceof Cache ? cache : undefined;
}

/** Whether a page is newer than the last removal, so that nothing removed appears again. */
function isServable({ head }: StoredPage, changes: PageChanges): boolean {
  return head.startedAt > (changes["content-removed"] ?? 0) + CLOCK_SKEW_MS;
}

/** Whether a page lacks a change, or lacks a new message and is older than `MIN_AGE_MS`. */
function isOutdated({ head }: StoredPage, changes: PageChanges, now: number): boolean {
  const isChanged = head.startedAt <= (changes["content-changed"] ?? 0) + CLOCK_SKEW_MS;
  const isMessageMissing = head.startedAt <= (changes["message-sent"] ?? 0);
  return isChanged || (isMessageMissing && now - head.startedAt >= MIN_AGE_MS);
}

/** Whether a response has no cookie, is complete, and may be shown to others. */
function isStorable({ status, headers }: Response): boolean {
  const isPage = /^text\/(?:html|x-script)\b/.test(headers.get("Content-Type") ?? "");
  const isPrivate = /no-store/.test(headers.get("Cache-Control") ?? "");
  return status === 200 && isPage && !isPrivate && headers.getSetCookie().length === 0;
}

function createPageValues(): PageValues {
  return { nonce: crypto.randomUUID(), messageId: crypto.randomUUID(), now: Date.now() };
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

/** Resolves with `undefined` if the promise takes longer. */
async function resolveWithin<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
