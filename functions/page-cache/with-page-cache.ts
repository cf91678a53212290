import type { PageRecord, PageValues, RequestRecord } from "../../app/load-context.ts";
import type { VisitorRequest } from "../../app/visitor-request.server.ts";
import { createNotModified, isUnchanged, withNotModified } from "./not-modified.ts";
import { createPageStore, type PageCache, type PageChanges } from "./page-store.ts";
import { createStoredPage, toResponse, type StoredPage } from "./stored-page.ts";

/** Until then a page is served as it is, in milliseconds. */
const FRESH_MS = 60_000;

/** Until then it is served while a new one is rendered. */
const STALE_MS = 5 * 60_000;

/** After a message was sent, pages up to this age are still served, however many messages are sent. */
const MIN_AGE_MS = 5000;

/** How long a visitor waits for a new page if there is an old one. */
const RENDER_TIMEOUT_MS = 1500;

/** How long after an incomplete page old ones are served without trying first. */
const FAILURE_MS = 10_000;

/** The shortest time between two attempts to render a page after its response. */
const RETRY_MS = 5000;

/** How far the clocks of a data centre may be apart. A page rendered so soon after a change may be older than it. */
const CLOCK_SKEW_MS = 1000;

/** How many pages are remembered as being rendered. */
const MAX_RENEWALS = 1000;

/** The parts of Remix's server build that are used here. */
interface Build {
  entry: {
    module: {
      BUILD_ID: string;
      recordPage: <T>(record: PageRecord, run: () => T) => T;
      toVisitorRequest: (request: Request, context: VisitorContext) => VisitorRequest | null;
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
    isShared?: boolean;
    isDocumentCached?: boolean;
  };
  waitUntil: (promise: Promise<unknown>) => void;
}

/** A page that was stored, or a response that was not: it failed, lacks something, or is no page for all visitors. */
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
    // Set while the page is streamed, too.
    const isFailed = record.isPartial || response.status >= 500;
    failedAt = isFailed ? Date.now() : -Infinity;
    if (!page) return { page, response, isFailed };
    if (isFailed) return { page: null, response: toResponse(page, values), isFailed };
    context.waitUntil(store.set(cache, new URL(request.url).origin, key, page));
    return { page };
  }

  function renewLater(context: Context, cache: PageCache, visit: VisitorRequest): void {
    const now = Date.now();
    if (now - (renewals.get(visit.key) ?? -Infinity) < RETRY_MS) return;
    if (renewals.size >= MAX_RENEWALS) renewals.clear();
    renewals.set(visit.key, now);
    // Nobody waits for this page, so it has the numbers of now, not those of the last one.
    const renewal = module
      .updateReaders({ cloudflare: { env: context.env } })
      .then(() => render(context, cache, visit))
      .catch(() => {
        failedAt = Date.now();
      })
      .finally(() => {
        if (!isFailing()) renewals.delete(visit.key);
      });
    context.waitUntil(renewal);
  }

  async function serve(
    context: Context,
    cache: PageCache,
    visit: VisitorRequest,
  ): Promise<Response> {
    const now = Date.now();
    const { origin } = new URL(context.request.url);
    const [changes, found] = await Promise.all([
      visit.hasContent ? store.getChanges(cache, origin) : {},
      store.find(cache, { origin, key: visit.key, newerThan: now - FRESH_MS }),
    ]);
    const page = found && isAllowed(found, changes) ? found : undefined;
    const hasNews = page !== undefined && isOutdatedByMessage(page, changes, now);
    const age = page ? now - page.head.startedAt : Infinity;

    if (page && age < FRESH_MS && !hasNews) return respond(context, page);
    if (page && isFailing()) {
      renewLater(context, cache, visit);
      return respondOutdated(context, cache, visit, page);
    }
    if (page && age < STALE_MS && !hasNews) {
      renewLater(context, cache, visit);
      return respond(context, page);
    }
    const rendering = render(context, cache, visit);
    if (!page) return respondRendered(context, cache, visit, await rendering);
    const safely = rendering.catch(() => undefined);
    const rendered = await within(safely, RENDER_TIMEOUT_MS);
    if (rendered?.page) return respond(context, rendered.page, false);
    if (rendered?.isFailed === false) return respondRendered(context, cache, visit, rendered);
    failedAt = Date.now();
    context.waitUntil(safely);
    return respondOutdated(context, cache, visit, page);
  }

  function respond(context: Context, page: StoredPage, isCached = true): Response {
    setCached(context, isCached);
    const cookies = module.getVisitorCookies(context.request);
    const isSame = isUnchanged(context.request.headers, page.head.etag) && !cookies["Set-Cookie"];
    if (isSame) return createNotModified(page.head.etag, new Headers(page.head.headers));
    return addHeaders(toResponse(page, createPageValues()), cookies);
  }

  /** Serves an old page with a note. A script that asks for data loads the document instead, which has a place for it. */
  async function respondOutdated(
    context: Context,
    cache: PageCache,
    visit: VisitorRequest,
    page: StoredPage,
  ): Promise<Response> {
    if (visit.documentKey !== null) {
      return (await loadDocument(context, cache, visit)) ?? respond(context, page);
    }
    setCached(context, true);
    const note = module.renderOutdatedNote(page.head.startedAt, visit.locale);
    const response = toResponse(page, createPageValues(), note);
    return addHeaders(response, module.getVisitorCookies(context.request));
  }

  async function respondRendered(
    context: Context,
    cache: PageCache,
    visit: VisitorRequest,
    rendered: Rendered,
  ): Promise<Response> {
    if (rendered.page) return respond(context, rendered.page, false);
    const document = isFailing() ? await loadDocument(context, cache, visit) : undefined;
    return document ?? addHeaders(rendered.response, module.getVisitorCookies(context.request));
  }

  /** Returns a page of any age, if it may still be served. */
  async function findAllowed(
    { request }: Context,
    cache: PageCache,
    key: string,
  ): Promise<StoredPage | undefined> {
    const { origin } = new URL(request.url);
    const [changes, page] = await Promise.all([
      store.getChanges(cache, origin),
      store.find(cache, { origin, key, newerThan: -Infinity }),
    ]);
    return page && isAllowed(page, changes) ? page : undefined;
  }

  /** Answers a request for data with a redirect that loads the document, if that is stored. */
  async function loadDocument(
    context: Context,
    cache: PageCache,
    { documentKey, createRequest }: VisitorRequest,
  ): Promise<Response | undefined> {
    if (documentKey === null) return undefined;
    if (!(await findAllowed(context, cache, documentKey))) return undefined;
    const request = createRequest();
    return handle({ ...context, request, data: { ...context.data, isDocumentCached: true } });
  }

  /**
   * Handles a request whose response is for one browser only.
   *
   * @param visit the page of all visitors, which takes the place of an incomplete one
   */
  async function handleOwn(
    context: Context,
    cache: PageCache | undefined,
    visit: VisitorRequest | null,
  ): Promise<Response> {
    const { request } = context;
    // Remix's handler deletes the header.
    const asked = new Headers(request.headers);
    const values = createPageValues();
    const record: PageRecord = { isPartial: false, changes: new Set() };
    const data = { ...context.data, values };
    const response = await module.recordPage(record, () => handle({ ...context, data }));
    if (cache && record.changes.size > 0) {
      await store.addChanges(cache, new URL(request.url).origin, record.changes);
    }
    if (cache && visit && (record.isPartial || response.status >= 500)) {
      const page = await findAllowed(context, cache, visit.key);
      if (page) return respondOutdated(context, cache, visit, page);
    }
    return request.method === "GET" ? withNotModified(asked, response) : response;
  }

  return async (context) => {
    const { request, env } = context;
    const cache = findCache(env);
    const cf = "cf" in request ? (request.cf as VisitorContext["cloudflare"]["cf"]) : undefined;
    const visit = cache
      ? module.toVisitorRequest(request, { cloudflare: { env, ...(cf && { cf }) } })
      : null;
    if (!cache || !visit || visit.isOwn) return handleOwn(context, cache, visit);
    const response = await serve(context, cache, visit);
    return request.method === "HEAD" ? new Response(null, response) : response;
  };
}

/** Returns Cloudflare's cache, unless the variable PAGE_CACHE is "off". */
function findDefaultCache(env: object): PageCache | undefined {
  if ("PAGE_CACHE" in env && env.PAGE_CACHE === "off") return undefined;
  const cache: unknown = "default" in caches ? caches.default : undefined;
  return cache instanceof Cache ? cache : undefined;
}

/** Whether a page may still be served: a deleted message or story must not appear again. */
function isAllowed({ head }: StoredPage, changes: PageChanges): boolean {
  const changedAt = Math.max(changes["message-changed"] ?? 0, changes["stories-changed"] ?? 0);
  return head.startedAt > changedAt + CLOCK_SKEW_MS;
}

/** Whether a page lacks a new message and is not so new that others would be rendered for each message. */
function isOutdatedByMessage({ head }: StoredPage, changes: PageChanges, now: number): boolean {
  return head.startedAt <= (changes["message-sent"] ?? 0) && now - head.startedAt >= MIN_AGE_MS;
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
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
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
