import { PAGE_USER_HEADER } from "#app/http/headers.ts";
import { resolveWithin } from "#app/http/wait.ts";
import {
  deleteKeptPages,
  findFile,
  findResponse,
  isKeepable,
  isPageFile,
  keepPage,
  listStories,
  setKeptUser,
} from "./kept-pages.ts";
import { addOfflineNote, createOfflinePage } from "./offline-html.ts";

// The service worker, a script of its own (service-worker.ts at the root). Pages come from the network. Those that are kept
// stand in for them only when it fails.

/** The parts of the worker's scope and events that are used here. TypeScript's library for workers excludes the one for pages. */
interface ExtendableEvent extends Event {
  waitUntil: (promise: Promise<unknown>) => void;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith: (response: Promise<Response>) => void;
}

declare const registration: ServiceWorkerRegistration;
declare const clients: { claim: () => Promise<void> };
declare function skipWaiting(): Promise<void>;

/** The address of this script. */
const SCRIPT = "/service-worker.js";

/** How long a kept page waits for the network. A server that is only slow responds earlier. */
const NETWORK_TIMEOUT_MS = 10_000;

/** The posts that can end the session. */
const SESSION_END = /^\/(?:logout|profile|create)(?:\.data)?$/;

/** The extension of a file, which no page stands in for. */
const EXTENSION = /\.\w+$/;

let isScriptChecked = false;

// A new worker takes over at once: it has no files of a build, so it fits every page.
addEventListener("install", (event) => {
  if (isExtendable(event)) event.waitUntil(skipWaiting());
});

addEventListener("activate", (event) => {
  if (isExtendable(event)) event.waitUntil(activate());
});

addEventListener("fetch", (event: Event) => {
  if (!isFetch(event)) return;
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  const isGet = request.method === "GET";
  if (isGet && request.mode === "navigate") event.respondWith(loadPage(event, url));
  else if (isGet && isPageFile(url.pathname)) event.respondWith(loadFile(event, url.pathname));
  else if (request.method === "POST" && SESSION_END.test(url.pathname))
    event.respondWith(post(event));
});

async function activate(): Promise<void> {
  // The browser requests a page while this worker starts.
  await registration.navigationPreload?.enable();
  await clients.claim();
}

async function loadPage(event: FetchEvent, url: URL): Promise<Response> {
  const network = fetchPage(event, url);
  const response = await resolveWithin(network, NETWORK_TIMEOUT_MS);
  if (response) return response;
  const kept = await findKeptPage(url).catch(() => undefined);
  return kept ?? network.catch((error: unknown) => createOfflineResponse(event, url, error));
}

/** Loads a page from the network, and keeps it. */
async function fetchPage(event: FetchEvent, url: URL): Promise<Response> {
  const response = (await event.preloadResponse) ?? (await fetch(event.request));
  const isKept = event.request.destination === "document" && isKeepable(url);
  const copy = isKept ? response.clone() : undefined;
  event.waitUntil(Promise.allSettled([followUser(response, copy && [url, copy]), checkScript()]));
  return response;
}

/** Keeps only what belongs to the user of the latest page. */
async function followUser(
  { headers }: Response,
  page: [url: URL, copy: Response] | undefined,
): Promise<void> {
  const user = headers.get(PAGE_USER_HEADER);
  if (user === null) return;
  await setKeptUser(user);
  if (page) await keepPage(page[0].pathname, page[1]);
}

async function findKeptPage(url: URL): Promise<Response | undefined> {
  const { pathname } = url;
  const isStory = isKeepable({ pathname, search: "" }) && pathname !== "/home";
  // The parameters of a story are for its room. Those of /home are a search, which is not kept.
  const response = isStory || isKeepable(url) ? await findResponse(pathname) : undefined;
  return response && addOfflineNote(response, isStory ? null : await listStories());
}

async function createOfflineResponse(
  { request }: FetchEvent,
  url: URL,
  error: unknown,
): Promise<Response> {
  if (url.pathname === "/") return Response.redirect("/home");
  if (EXTENSION.test(url.pathname) || request.destination !== "document") throw error;
  return createOfflinePage(url, await listStories().catch(() => []));
}

/** The build names its files by their content, so a stored one is never out of date. Covers keep their names. */
async function loadFile({ request }: FetchEvent, path: string): Promise<Response> {
  const find = () => findFile(path).catch(() => undefined);
  if (!path.startsWith("/assets/covers/")) return (await find()) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (error) {
    const stored = await find();
    if (!stored) throw error;
    return stored;
  }
}

/** Deletes what is kept once the server has ended the session. */
async function post({ request }: FetchEvent): Promise<Response> {
  const response = await fetch(request);
  // The headers of a redirect that the browser follows are not readable.
  const isSignOut = response.type === "opaqueredirect" && /\/logout$/.test(request.url);
  const user = response.headers.get(PAGE_USER_HEADER);
  if (user !== null) await setKeptUser(user);
  else if (isSignOut) await deleteKeptPages();
  return response;
}

/** Ends this worker once its script is gone. Browsers would run it until somebody removes it. */
async function checkScript(): Promise<void> {
  if (isScriptChecked) return;
  isScriptChecked = true;
  const { status } = await fetch(SCRIPT, { method: "HEAD", cache: "no-store" });
  if (status !== 404 && status !== 410) return;
  await deleteKeptPages();
  await registration.unregister();
}

function isExtendable(event: Event): event is ExtendableEvent {
  return "waitUntil" in event;
}

function isFetch(event: Event): event is FetchEvent {
  return "respondWith" in event;
}
