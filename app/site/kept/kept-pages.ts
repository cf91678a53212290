import { withLock } from "#app/http/browser-tabs.ts";
import { PAGE_USER_HEADER } from "#app/http/headers.ts";

/**
 * The pages that this browser keeps, in its Cache Storage. Both the service worker and the pages use this module.
 *
 * All pages in the cache are for one user, or for visitors: its name has the uid. Another user's cache deletes it.
 */
const PAGES_PREFIX = "inkglade-pages.";

/** The scripts, styles, fonts and covers of the kept pages. They are the same for everyone. */
const FILES = "inkglade-files";

const LOCK = "inkglade-kept";

/** What is known about a kept page, in its stored response. */
const INFO_HEADER = "X-Kept";

/** Of the stories that are kept because they were opened, the newest. Those that the user has chosen do not count. */
const MAX_OPENED = 20;
const MAX_OPENED_BYTES = 5_000_000;

/** A page has about 20 files. */
const MAX_FILES = 100;

const FILE_PATH = /^\/assets\/(?:covers\/)?[^/]+\.(?:avif|css|js|svg|webp|woff2)$/;
const STORY_PATH = /^\/read\/[^/]+$/;
const HOME_PATH = "/home";

export interface KeptPage {
  path: string;
  /** `null` for /home. */
  title: string | null;
  /** When the page was loaded, in milliseconds since the Unix epoch. */
  time: number;
  bytes: number;
  /** Whether the user has chosen to keep it. */
  isChosen: boolean;
  /** The paths of its files. */
  files: string[];
}

/** Whether a page is one of those that are kept: /home, and stories. */
export function isKeepable({ pathname, search }: Pick<URL, "pathname" | "search">): boolean {
  return search === "" && (pathname === HOME_PATH || STORY_PATH.test(pathname));
}

/** Whether a path is that of a file that is kept with the pages that use it. */
export function isPageFile(path: string): boolean {
  return FILE_PATH.test(path);
}

/** Makes the kept pages those of a user, and deletes those of another. */
export function setKeptUser(user: string): Promise<void> {
  return withLock(LOCK, async () => {
    const own = PAGES_PREFIX + user;
    const others = (await listCaches()).filter((name) => name !== own);
    if (others.length > 0) await Promise.all([...others, FILES].map((name) => caches.delete(name)));
    await caches.open(own);
  });
}

/** Deletes all kept pages and their files. */
export function deleteKeptPages(): Promise<void> {
  return withLock(LOCK, async () => {
    await Promise.all([...(await listCaches()), FILES].map((name) => caches.delete(name)));
  });
}

/**
 * Keeps a page, if it belongs to the user whose pages are kept. A story that is no longer there is deleted.
 *
 * @param files more files that the page uses
 */
export async function keepPage(path: string, response: Response, files: string[] = []) {
  const user = response.headers.get(PAGE_USER_HEADER);
  if (user === null || response.status !== 200) return;
  const html = await response.text();
  const title = path === HOME_PATH ? null : readTitle(html);
  let missing: string[] = [];
  await withLock(LOCK, async () => {
    // Another user may have signed in meanwhile.
    if (!(await caches.has(PAGES_PREFIX + user))) return;
    const cache = await caches.open(PAGES_PREFIX + user);
    const before = await findInfo(cache, path);
    if (title === undefined) return void (before && (await cache.delete(path)));
    const page: KeptPage = {
      path,
      title,
      time: Date.now(),
      bytes: new Blob([html]).size,
      isChosen: before?.isChosen ?? false,
      files: [...new Set([...listFiles(html), ...files.filter(isPageFile)])].slice(0, MAX_FILES),
    };
    await put(cache, page, html, response.headers);
    await deleteOldest(cache);
    missing = await cleanFiles(cache);
  });
  await addFiles(missing);
}

/** Adds the files that a kept page has loaded later. */
export async function keepFiles(path: string, files: string[]): Promise<void> {
  let missing: string[] = [];
  await withLock(LOCK, async () => {
    const cache = await openPages();
    const page = cache && (await findInfo(cache, path));
    if (!page) return;
    const all = new Set([...page.files, ...files.filter(isPageFile)]);
    if (all.size === page.files.length) return;
    await update(cache, { ...page, files: [...all].slice(0, MAX_FILES) });
    missing = await cleanFiles(cache);
  });
  await addFiles(missing);
}

/**
 * Keeps a page until it is removed.
 *
 * @returns whether it is kept
 */
export async function choosePage(path: string): Promise<boolean> {
  let isChosen = false;
  await withLock(LOCK, async () => {
    const cache = await openPages();
    const page = cache && (await findInfo(cache, path));
    if (!page) return;
    await update(cache, { ...page, isChosen: true });
    isChosen = true;
  });
  return isChosen;
}

/** Removes a kept page. */
export function removePage(path: string): Promise<void> {
  return withLock(LOCK, async () => {
    const cache = await openPages();
    await cache?.delete(path);
    if (cache) await cleanFiles(cache);
  });
}

/** Returns what is known about a kept page; `undefined` if it is not kept. */
export async function findPage(path: string): Promise<KeptPage | undefined> {
  const cache = await openPages();
  return cache && (await findInfo(cache, path));
}

/** Returns the stored response of a kept page. */
export async function findResponse(path: string): Promise<Response | undefined> {
  return (await openPages())?.match(path, { ignoreVary: true });
}

/** Returns the stored response for a file. */
export function findFile(path: string): Promise<Response | undefined> {
  return caches.match(path, { cacheName: FILES, ignoreVary: true });
}

/** Returns the kept stories: first those that the user has chosen, then the newest. */
export async function listStories(): Promise<KeptPage[]> {
  const cache = await openPages();
  const pages = cache ? await listPages(cache) : [];
  return pages
    .filter(({ title }) => title !== null)
    .toSorted((a, b) => Number(b.isChosen) - Number(a.isChosen) || b.time - a.time);
}

async function listCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(PAGES_PREFIX));
}

/** Opens the cache of the pages; `undefined` if there is none. */
async function openPages(): Promise<Cache | undefined> {
  const [name] = await listCaches();
  return name === undefined ? undefined : caches.open(name);
}

async function listPages(cache: Cache): Promise<KeptPage[]> {
  const requests = await cache.keys();
  const pages = requests.map(({ url }) => findInfo(cache, new URL(url).pathname));
  return (await Promise.all(pages)).filter((page) => page !== undefined);
}

async function findInfo(cache: Cache, path: string): Promise<KeptPage | undefined> {
  return readInfo(await cache.match(path, { ignoreVary: true }));
}

/** Returns what is known about a page from its stored response. */
export function readInfo(response: Response | undefined): KeptPage | undefined {
  try {
    const info: unknown = JSON.parse(
      decodeURIComponent(response?.headers.get(INFO_HEADER) ?? "null"),
    );
    return isKeptPage(info) ? info : undefined;
  } catch {
    return undefined;
  }
}

function isKeptPage(info: unknown): info is KeptPage {
  if (typeof info !== "object" || info === null) return false;
  const { path, title, time, bytes, isChosen, files }: Partial<Record<keyof KeptPage, unknown>> =
    info;
  return (
    typeof path === "string" &&
    (title === null || typeof title === "string") &&
    typeof time === "number" &&
    typeof bytes === "number" &&
    typeof isChosen === "boolean" &&
    Array.isArray(files) &&
    files.every((file) => typeof file === "string")
  );
}

async function put(cache: Cache, page: KeptPage, body: BodyInit, received: Headers): Promise<void> {
  const headers = new Headers(received);
  // The stored body is not compressed.
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set(INFO_HEADER, encodeURIComponent(JSON.stringify(page)));
  await cache.put(page.path, new Response(body, { headers }));
}

async function update(cache: Cache, page: KeptPage): Promise<void> {
  const response = await cache.match(page.path, { ignoreVary: true });
  if (response) await put(cache, page, await response.blob(), response.headers);
}

/** Deletes the oldest of the opened stories, beyond their number and size. */
async function deleteOldest(cache: Cache): Promise<void> {
  const opened = (await listPages(cache))
    .filter(({ title, isChosen }) => title !== null && !isChosen)
    .toSorted((a, b) => b.time - a.time);
  let total = 0;
  for (const [index, { path, bytes }] of opened.entries()) {
    total += bytes;
    if (index >= MAX_OPENED || total > MAX_OPENED_BYTES) await cache.delete(path);
  }
}

/** Deletes the files that no page uses. Returns those that are not stored yet. */
async function cleanFiles(cache: Cache): Promise<string[]> {
  const stored = await caches.open(FILES);
  const used = new Set((await listPages(cache)).flatMap(({ files }) => files));
  for (const { url } of await stored.keys()) {
    const { pathname } = new URL(url);
    if (!used.delete(pathname)) await stored.delete(pathname);
  }
  return [...used];
}

/** Stores files. Their pages have just loaded them, so they are in the browser's cache. */
async function addFiles(paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const stored = await caches.open(FILES);
  // A file of an earlier build may be gone.
  await Promise.allSettled(paths.map((path) => stored.add(path)));
}

/** Returns the title in the page of a story; `undefined` for another page. */
function readTitle(html: string): string | undefined {
  const [, title] = /<h1 id="story-title"[^>]*>([^<]*)<\/h1>/.exec(html) ?? [];
  return title?.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** The entities that React writes. */
const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/**
 * Returns the files that the tags of a page name. Texts may name any file, but contain no tags, because "<" is escaped in
 * them. In attributes it is not, so no match passes a "<": many in one attribute would take quadratic time.
 */
function listFiles(html: string): string[] {
  const tags = html.matchAll(/<(?:link|img|use)\b[^<>]*?\s(?:href|src)="([^"#]+)/g);
  return [...tags].map(([, path = ""]) => path).filter(isPageFile);
}

/** Returns the size of something that is stored, such as "84 KB". */
export function toSizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
