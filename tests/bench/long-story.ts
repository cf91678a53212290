import { chromium, type Browser } from "@playwright/test";

import { getStart } from "#app/stories/paragraph.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { median } from "./percentile.ts";
import { startProduction } from "./production.ts";

// Opens a short story, and one of 500,000 characters at a reading position in its middle, and compares their first paints.
// Exits with 1 when the long story takes more than 1.3 times as long.

const ROUNDS = 15;
const LIMIT = 1.3;

const SHORT = { id: "a-short-one-0000000001", title: "A Short One", length: 5_000 };
const LONG = { id: "a-long-one-0000000002", title: "A Long One", length: 500_000 };

/** Records when the position reaches the top of the window. A string, because tsx adds helpers to functions. */
const RECORD_POSITION_TIME = `requestAnimationFrame(function look() {
  const id = document.querySelector("script[data-paragraph]")?.dataset.paragraph;
  const paragraph = id && document.getElementById(id);
  if (paragraph && Math.abs(paragraph.getBoundingClientRect().top) < 200) {
    document.documentElement.dataset.positionAt = String(performance.now());
  } else requestAnimationFrame(look);
});`;

interface Paint {
  /** Milliseconds from the start of the navigation. */
  first: number;
  /** Milliseconds until the position was at the top of the window. */
  position: number;
}

await using app = await startProduction({ hasPageCache: false });
await using browser = await chromium.launch({ executablePath: requireChromium() });
for (const { length, ...story } of [SHORT, LONG]) {
  await publishStory(app.hosts, { ...story, text: makeLongText(length) });
}
const short: Paint[] = [];
const long: Paint[] = [];
const middle = Math.round(LONG.length / 2);
// Alternates, so that other load affects both. The first round fills the server's caches.
for (let round = 0; round <= ROUNDS; round += 1) {
  const paints = [
    await open(browser, SHORT.id, 2),
    await open(browser, LONG.id, findNumberAt(middle)),
  ];
  if (round === 0) continue;
  short.push(...paints.slice(0, 1));
  long.push(...paints.slice(1));
}

const ratio = getMedian(long, "first") / getMedian(short, "first");
console.log(
  `short story  first paint ${show(short, "first")}  at its position ${show(short, "position")}`,
);
console.log(
  `long story   first paint ${show(long, "first")}  at its position ${show(long, "position")}`,
);
console.log(
  `ratio of the first paints ${ratio.toFixed(2)} of ${LIMIT} ${ratio > LIMIT ? "OVER" : "ok"}`,
);
process.exitCode = ratio > LIMIT ? 1 : 0;

/** Opens a story with a stored reading position at paragraph `number`. */
async function open(chrome: Browser, id: string, number: number): Promise<Paint> {
  const context = await chrome.newContext();
  const start = getStart(`Paragraph ${number}. Nobody asks for a map of the rain until the second`);
  const paragraph = await findParagraph(id, start);
  const row = [id, "Title", paragraph, start, 0, number - 1, 50, 10, Date.now() - 1000];
  const value = encodeURIComponent(JSON.stringify([row]));
  await context.addCookies([{ name: "places", value, url: app.url }]);
  const page = await context.newPage();
  await page.addInitScript(RECORD_POSITION_TIME);
  await page.goto(`${app.url}/read/${id}`);
  await page.waitForSelector("html[data-position-at]");
  const paint = await page.evaluate(() => ({
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
    position: Number(document.documentElement.dataset.positionAt),
  }));
  await context.close();
  return paint;
}

/** Returns the id of the paragraph that starts with this text. */
async function findParagraph(id: string, start: string): Promise<string> {
  const html = await (await fetch(`${app.url}/read/${id}`)).text();
  const name = html.split(`>${start}`)[0]?.match(/ id="(p-[^"]+)"$/)?.[1];
  if (name === undefined) throw new Error(`No paragraph of ${id} begins with "${start}"`);
  return name;
}

/** Returns the number of the paragraph at an offset in the long story. */
function findNumberAt(offset: number): number {
  const before = makeLongText(LONG.length).slice(0, offset);
  return Number(/Paragraph (\d+)\./.exec(before.slice(before.lastIndexOf("Paragraph ")))?.[1]);
}

function getMedian(paints: Paint[], what: keyof Paint): number {
  return median(paints.map((paint) => paint[what]));
}

function show(paints: Paint[], what: keyof Paint): string {
  return `${getMedian(paints, what).toFixed(0)} ms`.padStart(8);
}
