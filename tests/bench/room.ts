import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import { chromium, type Browser, type Page } from "@playwright/test";
import * as z from "zod";

import { toLivePath } from "#app/chat/room-address.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { changeDocument } from "#tests/support/documents.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import { startCountedProduction } from "./counted-production.ts";
import { median, percentile } from "./percentile.ts";
import { readCpuTime } from "./cpu-time.ts";
import { startProduction } from "./production.ts";
import type { Reads } from "./read-counter.ts";

// Measures the room: how fast messages arrive, what a visit reads, and whether the size of the room matters. Exits with
// 1 when a limit that does not depend on the machine is exceeded. Arguments choose some of the measurements:
// `npm run bench:room -- posts listeners sizes loaded reads frames`

const POSTS = 40;
const LISTENERS = 200;
const BROADCASTS = 20;
const VISITS = 7;
const LARGE = 20_000;
const LOADED = 2000;
const FRAMES = 50;

type App = Awaited<ReturnType<typeof startProduction>>;

interface Row {
  what: string;
  measured: number;
  unit: "ms" | "times" | "";
  limit?: number;
  /** Depends on the machine, so it is only shown. */
  isNoisy?: boolean;
}

/** Records when a message is painted. A string, because tsx adds helpers to functions. */
const RECORD_PAINTS = `window.paints = {};
new MutationObserver(() => {
  for (const message of document.querySelectorAll("article")) {
    const text = message.lastElementChild?.textContent;
    if (!text || text in window.paints) continue;
    window.paints[text] = 0;
    requestAnimationFrame(() => setTimeout(() => {
      window.paints[text] = performance.timeOrigin + performance.now();
    }));
  }
}).observe(document, { childList: true, subtree: true });`;

/** Records when the room is live. */
const RECORD_LIVE = `requestAnimationFrame(function look() {
  if (document.querySelector("[data-live=live]")) window.liveAt = performance.now();
  else requestAnimationFrame(look);
});`;

const RECORD_LONG_TASKS = `window.longTasks = [];
new PerformanceObserver((list) => {
  window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
}).observe({ type: "longtask" });`;

/** Scrolls the feed by 200 pixels in each frame, to its beginning and back. */
const SCROLL = `new Promise((resolve) => {
  const feed = document.querySelector("[role=log]");
  let step = -200;
  requestAnimationFrame(function scroll() {
    feed.scrollTop += step;
    if (step < 0 && feed.scrollTop <= 0) step = 200;
    const isAtEnd = feed.scrollTop + feed.clientHeight >= feed.scrollHeight - 1;
    if (step > 0 && isAtEnd) resolve();
    else requestAnimationFrame(scroll);
  });
})`;

const rows: Row[] = [];

await using browser = await chromium.launch({ executablePath: requireChromium() });
const measurements = {
  sizes: () => compareSizes(browser),
  posts: () => measurePosts(browser),
  listeners: measureListeners,
  loaded: () => measureLoaded(browser),
  reads: () => measureReads(browser),
  frames: measureFrames,
};
const chosen = process.argv.slice(2);
for (const [name, measure] of Object.entries(measurements)) {
  if (chosen.length === 0 || chosen.includes(name)) await measure();
}

for (const row of rows) console.log(toLine(row));
process.exitCode = rows.some((row) => isOver(row) && !row.isNoisy) ? 1 : 0;

/** Measures the time from pressing Enter in one browser to the first frame with the message in another. */
async function measurePosts(chrome: Browser): Promise<void> {
  await using app = await startProduction();
  const sender = await openRoom(chrome, app, RECORD_PAINTS);
  const reader = await openRoom(chrome, app, RECORD_PAINTS);
  const own: number[] = [];
  const others: number[] = [];
  for (let count = 0; count < POSTS; count += 1) {
    await clearRateRecords(app.hosts, app.person.localId);
    const text = `Post ${count}`;
    await sender.getByPlaceholder("Type a message…").fill(text);
    const pressedAt = performance.timeOrigin + performance.now();
    await sender.getByPlaceholder("Type a message…").press("Enter");
    own.push((await readPaint(sender, text)) - pressedAt);
    others.push((await readPaint(reader, text)) - pressedAt);
  }
  for (const page of [sender, reader]) await page.context().close();
  // Sending the first message includes loading code.
  add("own message painted, median", median(own.slice(1)), "ms");
  add("posted to painted in another browser, median", median(others.slice(1)), "ms");
  addNoisy("the same, p95", percentile(others.slice(1), 0.95), 100);
}

async function readPaint(page: Page, text: string): Promise<number> {
  const painted = await page.waitForFunction((key) => Reflect.get(window, "paints")[key], text);
  return z.number().parse(await painted.jsonValue());
}

/** Measures how fast a message reaches many listeners. A single listener shows what the local Firestore costs. */
async function measureListeners(): Promise<void> {
  await using app = await startProduction();
  const { hosts } = app;
  for (const count of [1, LISTENERS]) {
    const listeners = fork(
      new URL("room-listeners.ts", import.meta.url),
      [hosts.FIRESTORE_EMULATOR_HOST, LOCAL_PROJECT_ID, String(count)],
      { execArgv: ["--import", "tsx"] },
    );
    await once(listeners, "message");
    const latencies: number[] = [];
    for (let sent = 0; sent <= BROADCASTS; sent += 1) {
      const id = createDocumentId();
      const at = Date.now();
      await changeDocument(hosts, `rooms/general/messages/${id}`, {
        text: { stringValue: String(performance.timeOrigin + performance.now()) },
        uid: { stringValue: "someone" },
        displayName: { stringValue: "Someone" },
        photoURL: { nullValue: null },
        createdAt: { timestampValue: new Date(at).toISOString() },
      });
      const received: number[] = [];
      while (received.length < count) {
        await delay(100);
        listeners.send("report");
        const [report]: unknown[] = await once(listeners, "message");
        received.push(...z.array(z.number()).parse(report));
      }
      // Receiving the first message includes loading code.
      if (sent > 0) latencies.push(...received);
    }
    listeners.send("end");
    await once(listeners, "exit");
    add(`written to received by ${count} listeners, median`, median(latencies), "ms");
    addNoisy("the same, p95", percentile(latencies, 0.95), 250);
  }
}

/** Compares how long it takes to open a room of 50 messages and a large one. */
async function compareSizes(chrome: Browser): Promise<void> {
  // Both at once, so that other load affects both.
  await using small = await startProduction({ messages: 50, hasPageCache: false });
  await using large = await startProduction({ messages: LARGE, hasPageCache: false });
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round <= VISITS; round += 1) {
    for (const [index, app] of [small, large].entries()) {
      const page = await openRoom(chrome, app, RECORD_LIVE);
      const liveAt = await page.waitForFunction(() => Reflect.get(window, "liveAt"));
      // The first round fills caches.
      if (round > 0) times[index]?.push(z.number().parse(await liveAt.jsonValue()));
      await page.context().close();
    }
  }
  const [of50, ofMany] = [median(times[0]), median(times[1])];
  add("room of 50 messages opened and live, median", of50, "ms");
  add(`room of ${LARGE.toLocaleString("en")} messages, median`, ofMany, "ms");
  rows.push({ what: "ratio of the two", measured: ofMany / of50, unit: "times", limit: 1.2 });
}

/** Loads many earlier messages, scrolls through them, and receives one more. */
async function measureLoaded(chrome: Browser): Promise<void> {
  await using app = await startProduction({ messages: LOADED + 50 });
  const page = await openRoom(chrome, app, RECORD_LONG_TASKS);
  await page.waitForSelector("[data-live=live]");
  const button = page.getByRole("button", { name: "Show earlier messages" });
  for (let count = 100; count <= LOADED; count += 50) {
    await button.click();
    await page.waitForFunction(
      (loaded) => document.querySelectorAll("article").length >= loaded,
      count,
    );
  }
  addNoisy("longest task while 2,000 messages are loaded", await readLongestTask(page), 50);
  await page.evaluate(SCROLL);
  addNoisy("longest task while scrolling through them", await readLongestTask(page), 50);
  await clearRateRecords(app.hosts, app.person.localId);
  await page.getByPlaceholder("Type a message…").fill("One more");
  addNoisy("longest task while typing below them", await readLongestTask(page), 50);
  await page.getByPlaceholder("Type a message…").press("Enter");
  await page.locator("article time", { hasText: /./ }).last().waitFor();
  await delay(500);
  addNoisy("longest task while one more is sent and arrives", await readLongestTask(page), 50);
  await page.context().close();
}

async function readLongestTask(page: Page): Promise<number> {
  await delay(200);
  const durations = await page.evaluate(() => Reflect.get(window, "longTasks").splice(0));
  return Math.max(0, ...z.array(z.number()).parse(durations));
}

/** Counts what a visit to the room reads. */
async function measureReads(chrome: Browser): Promise<void> {
  await using app = await startCountedProduction({
    messages: 200,
    hasPageCache: false,
  });
  const { counter } = app;

  const page = await openRoom(chrome, app);
  await page.waitForSelector("[data-live=live]");
  await delay(1000);
  addReads("opening the room, first visit", counter.collect());
  await page.reload();
  await page.waitForSelector("[data-live=live]");
  await delay(1000);
  addReads("opening it again within half an hour", counter.collect());
  await page.getByPlaceholder("Type a message…").fill("One more");
  await page.getByPlaceholder("Type a message…").press("Enter");
  await delay(1000);
  addReads("sending a message, and receiving it", counter.collect());
  await page.context().close();
}

/** Measures what a Worker spends on the iframes that show new messages without JavaScript. */
async function measureFrames(): Promise<void> {
  await using app = await startCountedProduction();
  const { counter } = app;
  const after = toLivePath({ after: { id: "a".repeat(20), createdAt: Date.now() }, part: 1 });

  /** Opens frames, and returns the CPU time of their first seconds and of the minute after that. */
  async function open(count: number): Promise<[number, number]> {
    const abort = new AbortController();
    const times = [await readCpuTime(app.url)];
    const frames = Array.from({ length: count }, async () => {
      const frame = await fetch(app.url + after, { signal: abort.signal });
      return frame.text();
    });
    for (const ms of [2000, 60_000]) {
      await delay(ms);
      times.push(await readCpuTime(app.url));
      if (ms === 2000) counter.collect();
    }
    abort.abort();
    await Promise.allSettled(frames);
    const [start = 0, opened = 0, end = 0] = times;
    return [opened - start, end - opened];
  }

  await open(1);
  const idle = await open(0);
  const used = await open(FRAMES);
  const { requests, documents, empty } = counter.collect();
  add("a frame without scripts, requests in a minute", requests / FRAMES, "");
  add("a frame without scripts, documents read in a minute", (documents + empty) / FRAMES, "");
  add("the CPU time to open it, with workerd's own", (used[0] - idle[0]) / FRAMES, "ms");
  add("the CPU time of one of its reads", (used[1] - idle[1]) / requests, "ms");
}

function addReads(what: string, { documents, empty, requests }: Reads): void {
  add(`${what}, documents read`, documents + empty, "");
  add(`${what}, requests and streams`, requests, "");
}

async function openRoom(chrome: Browser, app: App, script = ""): Promise<Page> {
  const context = await chrome.newContext();
  const [name = "", value = ""] = app.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: app.url }]);
  const page = await context.newPage();
  await page.addInitScript(script);
  await page.goto(`${app.url}/create`);
  return page;
}

function add(what: string, measured: number, unit: Row["unit"]): void {
  rows.push({ what, measured, unit });
}

function addNoisy(what: string, measured: number, limit: number): void {
  rows.push({ what, measured, unit: "ms", limit, isNoisy: true });
}

function isOver({ measured, limit }: Row): boolean {
  return limit !== undefined && measured > limit;
}

function toLine(row: Row): string {
  const { what, measured, unit, limit, isNoisy } = row;
  const show = (value: number) =>
    `${value.toFixed(unit === "times" ? 2 : value < 10 && value % 1 !== 0 ? 1 : 0)} ${unit}`.trim();
  const verdict = `of ${show(limit ?? 0)} ${isOver(row) ? "OVER" : "ok"}`;
  return [
    what.padEnd(60),
    show(measured).padStart(12),
    limit === undefined ? "" : `  ${verdict}`,
    isNoisy ? ", not judged: it depends on the machine" : "",
  ].join("");
}
