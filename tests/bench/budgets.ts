import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";

import { chromium, type Browser, type Page } from "@playwright/test";

import { WRANGLER_ENV } from "#emulator/wrangler-env.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { startRequestCounter } from "#tests/support/request-counter.ts";
import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { readCpuTime } from "./cpu-time.ts";
import { startProduction } from "./production.ts";

// Measures the production build against its budgets, and exits with 1 when one is exceeded.

interface Row {
  what: string;
  measured: number;
  limit: number;
  unit: "KB" | "ms" | "";
  /** Depends on the machine, so it is only shown. */
  isNoisy?: boolean;
}

type Files = Map<string, Promise<{ type: string; body: Buffer }>>;

const MEASURED_TYPES = new Set(["document", "font", "script", "stylesheet"]);

const KB = 1000;
const WARM_UP = 50;
const SAMPLES = 100;

/** The requests of a sign-in: it checks the password, stores the session, and looks for old ones. */
const SIGN_IN_REQUESTS = 3;

/** A string that only the SDK contains. */
const FIREBASE_SDK = "FirebaseError";

/** A header that only Remix's server package reads. A wrong import would add the package to the browser files. */
const SERVER_PACKAGE = "x-forwarded-host";

using counter = startRequestCounter();
await using app = await startProduction({
  // Rendered pages cost more than cached ones.
  hasPageCache: false,
  proxyHosts: async (hosts) => ({
    ...hosts,
    FIREBASE_AUTH_EMULATOR_HOST: await counter.proxy(hosts.FIREBASE_AUTH_EMULATOR_HOST),
    FIRESTORE_EMULATOR_HOST: await counter.proxy(hosts.FIRESTORE_EMULATOR_HOST),
  }),
});

const rows = [
  ...(await measurePages()),
  ...(await measureRequests()),
  {
    what: "browser files with server code",
    measured: await countServerFiles(),
    limit: 0,
    unit: "" as const,
  },
  ...(await measureWorker()),
  ...(await measureRender()),
];
for (const row of rows) console.log(toLine(row));
process.exitCode = rows.some((row) => isOver(row) && !row.isNoisy) ? 1 : 0;

/** Measures what a browser loads before the user interacts with a page. */
async function measurePages(): Promise<Row[]> {
  await using browser = await chromium.launch({ executablePath: requireChromium() });
  const home = await load(browser, "/home");
  const storyPage = await load(browser, "/read/the-lamplighters-orchard");
  const login = await load(browser, "/login");
  const register = await load(browser, "/register");
  const profile = await load(browser, "/profile", app.cookie);
  const create = await loadWithRoom(browser, "/create");
  const homeWithRoom = await loadWithRoom(browser, "/home");
  const readWithRoom = await loadWithRoom(browser, "/read/the-lamplighters-orchard");
  return [
    { what: "scripts of /home", measured: home.scripts, limit: 108, unit: "KB" },
    { what: "scripts of /read", measured: storyPage.scripts, limit: 108, unit: "KB" },
    { what: "scripts of /login", measured: login.scripts, limit: 114, unit: "KB" },
    { what: "scripts of /register", measured: register.scripts, limit: 121, unit: "KB" },
    { what: `scripts of ${create.what}`, measured: create.scripts, limit: 500, unit: "KB" },
    ...[home, storyPage, login, register, profile].flatMap(({ path, scriptFiles, stylesheets }) => [
      { what: `script files of ${path}`, measured: scriptFiles, limit: 12, unit: "" as const },
      {
        what: `style sheets of ${path}`,
        measured: stylesheets,
        // What only the profile shows is in a file of its own.
        limit: path === "/profile" ? 2 : 1,
        unit: "" as const,
      },
    ]),
    ...[create, homeWithRoom, readWithRoom].map(({ what, scriptFiles }) => ({
      what: `script files of ${what}`,
      measured: scriptFiles,
      limit: 12,
      unit: "" as const,
    })),
    // From 22.9 KB on, Lighthouse's mobile simulation needs one more round trip for the first view of /read.
    { what: "style sheet of /read", measured: storyPage.styles, limit: 22.9, unit: "KB" },
    { what: "Firebase scripts of /home", measured: home.sdkCount, limit: 0, unit: "" },
    { what: "Firebase scripts of /read", measured: storyPage.sdkCount, limit: 0, unit: "" },
    { what: "HTML of /home", measured: home.html, limit: 30, unit: "KB" },
    { what: "fonts of /home", measured: home.fonts, limit: 60, unit: "KB" },
    { what: "fonts of /read", measured: storyPage.fonts, limit: 115, unit: "KB" },
    { what: "largest built-in cover", measured: await measureCovers(), limit: 6, unit: "KB" },
  ];
}

/** Measures the built-in covers, of which the first view of /home shows about ten, and returns the largest. */
async function measureCovers(): Promise<number> {
  const folder = "public/assets/covers";
  const files = (await readdir(folder)).map((name) => readFile(join(folder, name)));
  return Math.max(...(await Promise.all(files)).map(toGzippedKb));
}

async function load(browser: Browser, path: string, cookie?: string) {
  const page = await browser.newPage(cookie ? { extraHTTPHeaders: { Cookie: cookie } } : {});
  const files = collectFiles(page);
  await page.goto(app.url + path, { waitUntil: "networkidle" });
  const measured = await measureFiles(page, files);
  await page.close();
  return { path, ...measured };
}

/**
 * Measures a page of a signed-in user until the room beside it is live and shows who is here, and until the rich editor is
 * shown where there is one.
 */
async function loadWithRoom(browser: Browser, path: string) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  // A `Cookie` header would be lost once the page sets a cookie.
  await page.context().addCookies(
    app.cookie.split("; ").map((cookie) => {
      const [name = "", ...value] = cookie.split("=");
      return { name, value: value.join("="), url: app.url };
    }),
  );
  const files = collectFiles(page);
  await page.goto(app.url + path);
  const isCreate = path === "/create";
  if (isCreate) await page.locator("[contenteditable=true]").waitFor();
  else await page.getByRole("banner").getByRole("link", { name: /^Room/ }).click();
  await page.locator("#room[data-live=live]").waitFor();
  await page.getByRole("button", { name: / here$/ }).waitFor();
  const measured = await measureFiles(page, files);
  await page.close();
  return { what: `${path}, ${isCreate ? "editor and room live" : "room opened"}`, ...measured };
}

/** Collects the files that a page loads, each once. Scripts that are fetched before they are imported count as scripts. */
function collectFiles(page: Page): Files {
  const files: Files = new Map();
  page.on("response", (response) => {
    const url = response.url();
    const type = url.endsWith(".js") ? "script" : response.request().resourceType();
    if (!MEASURED_TYPES.has(type) || files.has(url)) return;
    files.set(
      url,
      response.body().then((body) => ({ type, body })),
    );
  });
  return files;
}

async function measureFiles(page: Page, files: Files) {
  // A page that is closed has no later bodies.
  page.removeAllListeners("response");
  const all = await Promise.all(files.values());
  const getBodies = (type: string) =>
    all.filter((file) => file.type === type).map(({ body }) => body);
  const scripts = getBodies("script");
  return {
    scripts: sum(scripts, toGzippedKb),
    scriptFiles: scripts.length,
    styles: sum(getBodies("stylesheet"), toGzippedKb),
    stylesheets: getBodies("stylesheet").length,
    sdkCount: scripts.filter((body) => body.includes(FIREBASE_SDK)).length,
    html: sum(getBodies("document"), toGzippedKb),
    // WOFF2 is already compressed.
    fonts: sum(getBodies("font"), ({ length }) => length / KB),
  };
}

/** Counts the requests from the app to Firebase for one page of a signed-in user. */
async function measureRequests(): Promise<Row[]> {
  const rows: Row[] = [];
  const story = { id: "a-long-one-0000000001", title: "A Long One", text: makeLongText(500_000) };
  await publishStory(app.hosts, story);
  const builtIn = "/read/the-lamplighters-orchard";
  const draft = `/create?draft=${await app.publishStory()}`;
  const editorPages = ["/create", draft, `${draft}&panel=versions`, `${draft}&version=1`];
  for (const path of ["/home", builtIn, `/read/${story.id}`, ...editorPages, "/profile"]) {
    const before = counter.count();
    await (await fetchPage(path)).text();
    const measured = counter.count() - before;
    rows.push({ what: `outgoing requests of ${path}`, measured, limit: 3, unit: "" });
  }
  // The first page after signing in also checks the session.
  const atSignIn = counter.count();
  const newCookie = await app.signInNewUser();
  // After its response, it still looks for old sessions.
  while (counter.count() < atSignIn + SIGN_IN_REQUESTS) await delay(10);
  for (const path of ["/home", `/read/${story.id}`]) {
    const before = counter.count();
    await (await fetchPage(path, newCookie)).text();
    const measured = counter.count() - before;
    rows.push({ what: `the same of ${path}, after signing in`, measured, limit: 3, unit: "" });
  }
  return rows;
}

async function countServerFiles(): Promise<number> {
  const folder = "build/client/assets";
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
  return files.filter((file) => file.includes(SERVER_PACKAGE)).length;
}

/** Measures the Worker that wrangler would upload: the functions and the server build. */
async function measureWorker(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "worker-"));
  const manifest = createRequire(import.meta.url).resolve("wrangler/package.json");
  const args = ["pages", "functions", "build", "--outdir", folder];
  execFileSync(process.execPath, [join(manifest, "../bin/wrangler.js"), ...args], {
    env: { ...process.env, ...WRANGLER_ENV, WRANGLER_LOG_PATH: folder },
    // Ignores warnings about libraries. If the build fails, they are part of the error.
    stdio: ["ignore", "ignore", "pipe"],
  });
  const names = (await readdir(folder)).filter((name) => /\.(js|wasm)$/.test(name));
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
  await rm(folder, { recursive: true });
  const sdkCount = files.filter((file) => file.includes(FIREBASE_SDK)).length;
  return [
    { what: "Worker script", measured: sum(files, toGzippedKb), limit: 600, unit: "KB" },
    {
      what: "Worker files with the browser's Firebase SDK",
      measured: sdkCount,
      limit: 0,
      unit: "",
    },
  ];
}

/** Measures the CPU time of one request for /home, without the server's overhead. Linux only: reads `/proc`. */
async function measureRender(): Promise<Row[]> {
  if (process.platform !== "linux") return [];
  const page = await measureCpuTime(() => fetchPage("/home"));
  // A redirect takes the same path through the server, without rendering.
  const redirect = await measureCpuTime(() => fetch(app.url, { redirect: "manual" }));
  const measured = page - redirect;
  return [{ what: "CPU time of /home", measured, limit: 10, unit: "ms", isNoisy: true }];
}

async function measureCpuTime(sendRequest: () => Promise<Response>): Promise<number> {
  const repeat = async (count: number) => {
    for (let index = 0; index < count; index += 1) await (await sendRequest()).text();
  };
  await repeat(WARM_UP);
  const before = await readCpuTime(app.url);
  await repeat(SAMPLES);
  return ((await readCpuTime(app.url)) - before) / SAMPLES;
}

function fetchPage(path: string, cookie = app.cookie): Promise<Response> {
  return fetch(app.url + path, { headers: { Cookie: cookie } });
}

function toGzippedKb(body: Buffer): number {
  return gzipSync(body).length / KB;
}

function sum<T>(items: T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}

function isOver({ measured, limit }: Row): boolean {
  return measured > limit;
}

function toLine(row: Row): string {
  const show = (value: number | string) => `${value} ${row.unit}`.trim();
  const verdict = isOver(row) ? "OVER" : "ok";
  return [
    row.what.padEnd(52),
    show(row.measured.toFixed(row.unit ? 1 : 0)).padStart(10),
    `of ${show(row.limit)}`.padStart(13),
    ` ${verdict}${row.isNoisy ? ", not judged: it depends on the machine" : ""}`,
  ].join("");
}
