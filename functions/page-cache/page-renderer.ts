import type {
  CopyStore,
  PageFailure,
  PageRecord,
  PageValues,
  RequestRecord,
} from "../../app/load-context.ts";
import type { VisitorRequest } from "../../app/visitor-request.server.ts";
import type { createChangeStore } from "./change-store.ts";
import { getListsChangedAt, isAfterChanges, NO_CHANGES, type PageChanges } from "./changes.ts";
import type { createPageStore, PageCache } from "./page-store.ts";
import { isLogged, logRequest } from "../request-record.ts";
import { resolveWithin } from "../resolve-within.ts";
import { createPageFailures } from "./page-failures.ts";
import { createStoredPage, type StoredPage } from "./stored-page.ts";

/** How long a visitor waits for a new page before an old one is served instead. */
export const RENDER_TIMEOUT_MS = 1500;

/**
 * How long a visitor without an old page waits for a page that is being rendered for another visitor. Longer than the
 * calls of a page may take, so that an incomplete page is shared too.
 */
const SHARED_TIMEOUT_MS = 2000;

/** How long a visitor without an old page waits in total, including a second rendering of the page. */
const MAX_WAIT_MS = 2500;

/** The time that a second rendering needs in addition to its calls. */
const RESERVE_MS = 200;

/** How long a rendering that never ends is tracked. */
const MAX_RUNNING_MS = 10_000;

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
  recordCalls: <T>(record: RequestRecord, method: string, run: () => T, timeLimitMs?: number) => T;
  recordPage: <T>(record: PageRecord, run: () => T) => T;
  updateReaders: (context: { cloudflare: { env: object } }) => Promise<unknown>;
}

interface Options<Context> {
  module: EntryModule;
  handle: (context: Context) => Response | Promise<Response>;
  pages: ReturnType<typeof createPageStore>;
  changes: ReturnType<typeof createChangeStore>;
  createCopies: (cache: PageCache, context: Context) => CopyStore;
}

/** What to render, and where to store it. */
interface Rendering<Context> {
  context: Context;
  cache: PageCache;
  visitorRequest: VisitorRequest;
}

/** What was rendered. Only a whole page is stored. */
export interface RenderResult {
  page: StoredPage;
  failure: PageFailure | null;
  /**
   * `page`: a page, or its data, that may be stored if it is whole. `other`: anything else that all visitors may get, such
   * as a redirect or an error. `private`: sets a cookie, so only the visitor whose request began the rendering may get
   * it.
   */
  kind: "page" | "other" | "private";
}

interface Running {
  startedAt: number;
  result: Promise<RenderResult>;
  record: RequestRecord;
  pageRecord: PageRecord;
}

interface StartOptions {
  /** What to wait for first. */
  ready?: Promise<unknown>;
  /** How long its calls may take together, if shorter than those of other pages. */
  callsMs?: number;
}

/** Renders the pages of visitors, each once for all visitors who wait for it at the same time. */
export function createPageRenderer<Context extends RendererContext>({
  module,
  handle,
  pages,
  changes: changeStore,
  createCopies,
}: Options<Context>) {
  /** The pages that are being rendered, by key. */
  const running = new Map<string, Running>();
  const failures = createPageFailures(() => Date.now());

  /** Renders a page from what all visitors with its key share, and stores it. */
  async function renderPage(
    { context, cache, visitorRequest }: Rendering<Context>,
    record: PageRecord,
  ): Promise<RenderResult> {
    const startedAt = Date.now();
    const request = visitorRequest.createRequest();
    const { origin } = new URL(request.url);
    const changes = visitorRequest.hasContent ? await changeStore.getLatest(cache) : NO_CHANGES;
    record.listsChangedAt = getListsChangedAt(changes);
    record.copies = createCopies(cache, context);
    const values = createPageValues();
    const data = { ...context.data, values, isShared: true };
    const response = await module.recordPage(record, () => handle({ ...context, request, data }));
    const kind = toKind(response);
    // Data is streamed, so the record is complete only after the body.
    const body = await response.arrayBuffer();
    const readAt = Math.min(startedAt, record.messagesReadAt);
    const page = await createStoredPage(response, body, values, readAt);
    const failure = record.failure ?? (response.status >= 500 ? "error" : null);
    const isWhole = kind === "page" && !failure;
    if (isWhole) context.waitUntil(pages.set(cache, origin, visitorRequest.key, page));
    return { page, failure, kind };
  }

  /**
   * Starts a rendering that others can join. It has its own time limit for its calls. It runs in `waitUntil`, but workerd
   * may still cancel it when its request ends.
   */
  function start(rendering: Rendering<Context>, { ready, callsMs }: StartOptions = {}): Running {
    const { context, visitorRequest } = rendering;
    const { key } = visitorRequest;
    const record = getRecord(context);
    const pageRecord = createPageRecord();
    const run = () =>
      module.recordCalls(record, "GET", () => renderPage(rendering, pageRecord), callsMs);
    const result = ready ? ready.then(run) : run();
    const entry = { startedAt: Date.now(), result, record, pageRecord };
    for (const [other, { startedAt }] of running) {
      if (Date.now() - startedAt >= MAX_RUNNING_MS) running.delete(other);
    }
    running.set(key, entry);
    const settle = (failure: PageFailure | null) => {
      const isLatest = running.get(key) === entry;
      if (isLatest) running.delete(key);
      // Ignores the failure of a rendering that had less time, or that was not the latest: another one may succeed.
      if (failure === null || (isLatest && callsMs === undefined)) failures.set(key, failure);
    };
    const settled = result.then(
      ({ failure }) => settle(failure),
      () => settle("error"),
    );
    context.waitUntil(settled);
    return entry;
  }

  /**
   * Returns the rendering of a page for another visitor, if its page will have all changes but new messages. No visitor
   * joins an old rendering, because one that was cancelled never ends.
   */
  function findRunning(key: string, changes: PageChanges): Running | undefined {
    const entry = running.get(key);
    if (!entry || isOver(entry)) return undefined;
    return isAfterChanges(entry.startedAt, changes) ? entry : undefined;
  }

  function isRendering(key: string): boolean {
    const entry = running.get(key);
    return entry !== undefined && !isOver(entry);
  }

  /**
   * Waits for a page that takes long, and for a second rendering, which one of the waiting visitors begins. If both are
   * private, the others begin their own renderings. Resolves with `null` after the given time.
   */
  async function waitForEither(
    first: Running,
    rendering: Rendering<Context>,
    changes: PageChanges,
    ms: number,
  ): Promise<RenderResult | null> {
    const callsMs = Math.max(0, Math.min(ms - RESERVE_MS, RENDER_TIMEOUT_MS));
    const latestRendering = findRunning(rendering.visitorRequest.key, changes);
    const joined = latestRendering === first ? undefined : latestRendering;
    const second = joined ?? start(rendering, { callsMs });
    const either = Promise.any([requireShared(first), requireShared(second)]);
    // Without a page to share, any response says whether both failed or one is private.
    const any = either.catch(() => Promise.any([first.result, second.result]));
    const rendered = (await resolveWithin(any, ms)) ?? null;
    if (rendered?.kind !== "private") return rendered;
    return joined ? start(rendering).result : second.result;
  }

  return {
    isRendering,

    /** Returns why a page has failed recently; `null` if it has not. */
    findFailure: failures.find,

    /**
     * Renders a page, or waits for the same page that is being rendered for another visitor. Resolves with `null` if that
     * takes too long.
     */
    async render(
      rendering: Rendering<Context>,
      changes: PageChanges,
    ): Promise<RenderResult | null> {
      const joined = findRunning(rendering.visitorRequest.key, changes);
      if (!joined) return start(rendering).result;
      const endsAt = Date.now() + MAX_WAIT_MS;
      const shared = await resolveWithin(joined.result, SHARED_TIMEOUT_MS);
      if (!shared) return waitForEither(joined, rendering, changes, endsAt - Date.now());
      return shared.kind === "private" ? start(rendering).result : shared;
    },

    /**
     * Does the same as `render` for a visitor who can get an old page. Resolves with `null` if it fails or takes too
     * long.
     */
    async renderSoon(
      rendering: Rendering<Context>,
      changes: PageChanges,
    ): Promise<RenderResult | null> {
      const { key } = rendering.visitorRequest;
      const joined = findRunning(key, changes);
      const entry = joined ?? start(rendering);
      const rendered = await resolveWithin(entry.result, RENDER_TIMEOUT_MS);
      if (!rendered && failures.find(key) === null) failures.set(key, findCause(entry));
      return rendered && !(joined && rendered.kind === "private") ? rendered : null;
    },

    /** Renders a page after a response, and logs that like a request. */
    renderLater(rendering: Rendering<Context>): void {
      const { context, visitorRequest } = rendering;
      if (isRendering(visitorRequest.key) || !failures.startRetry(visitorRequest.key)) return;
      // The request's own record has been logged by then.
      const record = { ...getRecord(context), calls: [], isCached: false, isBackground: true };
      const update = () => module.updateReaders({ cloudflare: { env: context.env } });
      const startedAt = performance.now();
      // Nobody waits for this page, so the numbers of readers are updated first.
      const ready = resolveWithin(module.recordCalls(record, "GET", update), READERS_TIMEOUT_MS);
      const later = { ...context, data: { ...context.data, record } };
      const { result } = start({ ...rendering, context: later }, { ready });
      // `start` records a failure.
      const status = result.then(({ page }) => page.head.status).catch(() => 500);
      const log = (response: { status: number }) => {
        const ms = Math.round(performance.now() - startedAt);
        if (isLogged(context.env)) logRequest({ method: "GET" }, response, record, ms);
      };
      context.waitUntil(status.then((code) => log({ status: code })));
    },
  };
}

/** Whether a rendering that began at a time may have been cancelled. */
function isOver({ startedAt }: Running): boolean {
  return Date.now() - startedAt >= SHARED_TIMEOUT_MS;
}

/** Rejects if only one visitor may get the response. */
async function requireShared({ result }: Running): Promise<RenderResult> {
  const rendered = await result;
  if (rendered.kind === "private") throw new Error("The response sets a cookie");
  return rendered;
}

/** Returns why a rendering takes too long, as far as it is known: the database has not responded, or something else. */
function findCause({ record, pageRecord }: Running): PageFailure {
  const isSilent = record.calls.some(
    (call) => call.service === "firestore" && call.status === null,
  );
  return pageRecord.failure ?? (isSilent ? "unavailable" : "error");
}

function getRecord({ data }: RendererContext): RequestRecord {
  return data.record ?? { id: "", calls: [] };
}

/** Returns an empty record. */
export function createPageRecord(): PageRecord {
  return {
    failure: null,
    listsChangedAt: -Infinity,
    messagesReadAt: Infinity,
    changes: new Set(),
    changedIds: new Set(),
    removedIds: new Set(),
    copies: null,
  };
}

export function createPageValues(): PageValues {
  return { nonce: crypto.randomUUID(), messageId: crypto.randomUUID(), now: Date.now() };
}

/** Returns who may get a response, and whether it may be stored: see `RenderResult.kind`. */
function toKind({ status, headers }: Response): RenderResult["kind"] {
  if (headers.getSetCookie().length > 0) return "private";
  const isPage = /^text\/(?:html|x-script)\b/.test(headers.get("Content-Type") ?? "");
  const isNotStored = /no-store/.test(headers.get("Cache-Control") ?? "");
  return status === 200 && isPage && !isNotStored ? "page" : "other";
}
