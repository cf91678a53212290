import { openChannel, SESSION_CHANNEL } from "#app/http/browser-tabs.ts";
import { PAGE_USER_HEADER, VISITOR } from "#app/http/headers.ts";
import { wait } from "#app/http/wait.ts";
import {
  findPage,
  isKeepable,
  isPageFile,
  keepFiles,
  keepPage,
  setKeptUser,
} from "./kept-pages.ts";

// Loaded once the user interacts with a page (page-scripts.tsx). Registers the service worker, and keeps the pages that it
// does not see: the first one, and those that a link within the app opens without a document.

/** A page that is left earlier is not kept. */
const OPENED_MS = 3000;

/** A kept page is loaded once more if it is older. */
const MAX_AGE_MS = 10 * 60_000;

/** How long to wait for more files. */
const FILES_PAUSE_MS = 1000;

void start();

async function start(): Promise<void> {
  const { serviceWorker } = navigator;
  try {
    await serviceWorker.register("/service-worker.js");
    // Also when there is no connection: it was registered before.
    await serviceWorker.ready;
  } catch {
    // Offline, the registration of an earlier visit remains. Without storage there is none.
    if (!serviceWorker?.controller) return;
  }
  followUser();
  watchFiles();
  loadDocumentsOffline();
  void keepOpened();
  window.__remixRouter.subscribe(({ navigation }) => {
    if (navigation.state === "idle") void keepOpened();
  });
}

/** Deletes another user's pages as soon as any tab shows that the user has changed. */
function followUser(): void {
  openChannel(SESSION_CHANNEL)?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (data === null || typeof data === "string") void setKeptUser(data ?? VISITOR);
  });
}

let openedPath = "";

/** Keeps the open page, unless the service worker has. */
async function keepOpened(): Promise<void> {
  const path = location.pathname;
  if (path === openedPath) return;
  openedPath = path;
  // The page is kept without its parameters, which are for its room or a search.
  if (!isKeepable({ pathname: path, search: "" })) return;
  await wait(OPENED_MS);
  if (location.pathname !== path) return;
  await keepNow(path);
}

/** Keeps a page, if it is not kept yet, with the files that this tab has loaded. */
export async function keepNow(path: string): Promise<void> {
  try {
    const kept = await findPage(path);
    if (kept && kept.time > Date.now() - MAX_AGE_MS) return await keepFiles(path, [...files]);
    const response = await fetch(path, { headers: { Accept: "text/html" } });
    const user = response.headers.get(PAGE_USER_HEADER);
    if (user !== null) await setKeptUser(user);
    await keepPage(path, response, [...files]);
  } catch {
    // Without a connection, or with storage that is full, the page is not kept.
  }
}

const files = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Collects the files that this tab loads, and adds them to its page. */
function watchFiles(): void {
  const observer = new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) {
      const { origin, pathname } = new URL(name);
      if (origin === location.origin && isPageFile(pathname)) files.add(pathname);
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      keepFiles(location.pathname, [...files]).catch(() => {});
    }, FILES_PAUSE_MS);
  });
  observer.observe({ type: "resource", buffered: true });
}

/**
 * When the data of a navigation cannot be loaded, loads the document: the service worker has it, or says that the browser
 * is offline.
 */
function loadDocumentsOffline(): void {
  const send = window.fetch;
  window.fetch = async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      const target = error instanceof TypeError ? findTarget(input, init) : undefined;
      if (target === undefined || !navigator.serviceWorker.controller) throw error;
      location.assign(target);
      // The page is about to be replaced.
      return await new Promise(() => {});
    }
  };
}

/** Returns the address that a navigation leads to, if a request is for its data. */
function findTarget(input: RequestInfo | URL, init?: RequestInit): string | undefined {
  const router = window.__remixRouter;
  const { state, location: target, formMethod } = router.state.navigation;
  const isGet = (init?.method ?? "GET") === "GET";
  if (state !== "loading" || !isGet || !(input instanceof URL)) return undefined;
  const isForm = formMethod !== undefined && formMethod !== "GET";
  return input.pathname === `${target.pathname}.data` && !isForm
    ? router.createHref(target)
    : undefined;
}
