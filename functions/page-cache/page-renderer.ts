import type { PageFailure, PageRecord, PageValues, RequestRecord } from "../../app/load-context.ts";
import type { VisitorRequest } from "../../app/visitor-request.server.ts";
import type { createChangeStore } from "./change-store.ts";
import { getListsChangedAt, isAfterChanges, NO_CHANGES, type PageChanges } from "./changes.ts";
import type { createPageStore, PageCache } from "./page-store.ts";
import { resolveWithin } from "../resolve-within.ts";
import { createStoredPage, type StoredPage } from "./stored-page.ts";

/** How long a visitor waits for a new page before an old one is served instead. */
export const RENDER_TIMEOUT_MS = 1500;

/**
 * How long a visitor without an old page waits for a page that is being rendered for another visitor. Longer than the
 * calls of a page may take, so that an incomplete page is shared too.
 */
const SHARED_TIMEOUT_MS = 2000;

/** How long, after a page has failed, its old copy is served without first trying to render a new one. */
const FAILURE_MS = 10_000;

/** The shortest time between two attempts to render a failed page again. */
const RETRY_MS = 5000;

/** How many failed pages each isolate tracks. */
const MAX_FAILURES = 1000;

/** How long a rendering after a response waits for the numbers of readers. */
const READERS_TIMEOUT_MS = 500;

interface RendererContext {
  request: Request;
  env: object;
  data: { record?: RequestRecord; values?: PageValues; isShared?: boolean };
  waitUntil: (promise: Promise<unknown>) => void;
}

/** The parts of the server's entry module that are used here. */
export interface EntryModule {
  recordCalls: <T>(record: RequestRecord, method: string, run: () => T) => T;
  recordPage: <T>(record: PageRecord, run: () => T) => T;
  updateReaders: (context: { cloudflare: { env: object } }) => Promise<unknown>;
}

interface Options<Context> {
  module: EntryModule;
  handle: (context: Context) => Response | Promise<Response>;
  pages: ReturnType<typeof createPageStore>;
  changes: ReturnType<typeof createChangeStore>;
}

/** What to render, and where to store it. */
interface Rendering<Context> {
  context: Context;
  cache: PageCache;
  visitorRequest: VisitorRequest;
}

/** A page, or a response that is not for all visitors, such as an error. Only a page without a failure is stored. */
export type Rendered =
  | { page: StoredPage; failure: PageFailure | null }
  | { page: null; response: Response; failure: PageFailure | null };

interface FailedPage {
  failure: PageFailure;
  failedAt: number;
  /** When it was last rendered after a response. */
  retriedAt: number;
}

/** Renders the pages of visitors, each once for all visitors who wait for it at the same time. */
export function createPageRenderer<Context extends RendererContext>({
  module,
  handle,
  pages,
  changes: changeStore,
}: Options<Context>) {
  /** The pages that are being rendered, by key. */
  const running = new Map<string, { startedAt: number; result: Promise<Rendered> }>();
  /** The pages that failed, by key. */
  const failures = new Map<string, FailedPage>();

  function setFailure(key: string, failure: PageFailure | null): void {
    const { retriedAt = -Infinity } = failures.get(key) ?? {};
    failures.delete(key);
    if (failure === null) return;
    if (failures.size >= MAX_FAILURES) failures.clear();
    failures.set(key, { failure, failedAt: Date.now(), retriedAt });
  }

  function findFailure(key: string): PageFailure | null {
    const found = failures.get(key);
    return found && Date.now() - found.failedAt < FAILURE_MS ? found.failure : null;
  }

  /** Renders a page from what all visitors with its key share, and stores it. */
  async function renderPage(
    { context, cache, visitorRequest }: Rendering<Context>,
    startedAt: number,
  ): Promise<Rendered> {
    const request = visitorRequest.createRequest();
    const { origin } = new URL(request.url);
    const changes = visitorRequest.hasContent
      ? await changeStore.getLatest(cache, origin)
      : NO_CHANGES;
    const values = createPageValues();
    const record: PageRecord = {
      ...createPageRecord(),
      listsChangedAt: getListsChangedAt(changes),
    };
    const data = { ...context.data, values, isShared: true };
    const response = await module.recordPage(record, () => handle({ ...context, request, data }));
    const page = isStorable(response) ? await createStoredPage(response, values, startedAt) : null;
    // Read after the body, because data is streamed.
    const failure = record.failure ?? (response.status >= 500 ? "error" : null);
    if (!page) return { page, response, failure };
    if (!failure) context.waitUntil(pages.set(cache, origin, visitorRequest.key, page));
    return { page, failure };
  }

  /**
   * Starts a rendering that other visitors can wait for too. It has its own time limit for its calls, and continues if
   * its visitor leaves.
   *
   * @param ready what to wait for first
   */
  function start(rendering: Rendering<Context>, ready?: Promise<unknown>): Promise<Rendered> {
    const { context, visitorRequest } = rendering;
    const { key } = visitorRequest;
    const run = () =>
      module.recordCalls(getRecord(context), "GET", () => renderPage(rendering, Date.now()));
    const result = ready ? ready.then(run) : run();
    const entry = { startedAt: Date.now(), result };
    for (const [other, { startedAt }] of running) if (isOver(startedAt)) running.delete(other);
    running.set(key, entry);
    const settled = result
      .then(
        ({ failure }) => setFailure(key, failure),
        () => setFailure(key, "error"),
      )
      .then(() => {
        if (running.get(key) === entry) running.delete(key);
      });
    context.waitUntil(settled);
    return result;
  }

  /**
   * Returns the rendering of a page for another visitor, if its page will have all changes but new
   * messages.
   *
   * workerd cancels subrequests when their request ends, so a rendering may never end. No visitor joins an old one.
   */
  function findRunning(key: string, changes: PageChanges): Promise<Rendered> | undefined {
    const entry = running.get(key);
    if (!entry || isOver(entry.startedAt)) return undefined;
    return isAfterChanges(entry.startedAt, changes) ? entry.result : undefined;
  }

  function isRendering(key: string): boolean {
    const entry = running.get(key);
    return entry !== undefined && !isOver(entry.startedAt);
  }

  return {
    isRendering,

    /** Returns why a page has failed lately; `null` if it has not. */
    findFailure,

    /** Renders a page, or waits for the same page that is being rendered for another visitor. */
    async render(rendering: Rendering<Context>, changes: PageChanges): Promise<Rendered> {
      const joined = findRunning(rendering.visitorRequest.key, changes);
      const shared = joined && (await resolveWithin(joined, SHARED_TIMEOUT_MS));
      // A response that is not a page can be read only once.
      return shared?.page ? shared : start(rendering);
    },

    /** Like `render`, for a visitor with an old page. Resolves with `undefined` if it fails or takes too long. */
    async renderSoon(
      rendering: Rendering<Context>,
      changes: PageChanges,
    ): Promise<Rendered | undefined> {
      const { key } = rendering.visitorRequest;
      const joined = findRunning(key, changes);
      const shared = joined && (await resolveWithin(joined, RENDER_TIMEOUT_MS));
      if (shared?.page || (joined && !shared)) return shared;
      const rendered = await resolveWithin(start(rendering), RENDER_TIMEOUT_MS);
      if (!rendered && findFailure(key) === null) setFailure(key, "unavailable");
      return rendered;
    },

    /** Renders a page after a response. */
    renderLater(rendering: Rendering<Context>): void {
      const { context, visitorRequest } = rendering;
      const failed = failures.get(visitorRequest.key);
      if (isRendering(visitorRequest.key)) return;
      if (failed && Date.now() - failed.retriedAt < RETRY_MS) return;
      if (failed) failed.retriedAt = Date.now();
      // The request's own record has been logged by then.
      const record = { ...getRecord(context), calls: [] };
      const update = () => module.updateReaders({ cloudflare: { env: context.env } });
      // Nobody waits for this page, so the numbers of readers are updated first.
      const updated = resolveWithin(module.recordCalls(record, "GET", update), READERS_TIMEOUT_MS);
      const later = { ...context, data: { ...context.data, record } };
      // `start` records a failure.
      start({ ...rendering, context: later }, updated).catch(() => undefined);
    },
  };
}

/** Whether a rendering that began at a time may have been cancelled. */
function isOver(startedAt: number): boolean {
  return Date.now() - startedAt >= SHARED_TIMEOUT_MS;
}

function getRecord({ data }: RendererContext): RequestRecord {
  return data.record ?? { id: "", calls: [] };
}

/** Returns an empty record. */
export function createPageRecord(): PageRecord {
  return {
    failure: null,
    listsChangedAt: -Infinity,
    changes: new Set(),
    removedIds: new Set(),
  };
}

export function createPageValues(): PageValues {
  return { nonce: crypto.randomUUID(), messageId: crypto.randomUUID(), now: Date.now() };
}

/** Whether a response has no cookie, is complete, and may be shown to others. */
function isStorable({ status, headers }: Response): boolean {
  const isPage = /^text\/(?:html|x-script)\b/.test(headers.get("Content-Type") ?? "");
  const isPrivate = /no-store/.test(headers.get("Cache-Control") ?? "");
  return status === 200 && isPage && !isPrivate && headers.getSetCookie().length === 0;
}
