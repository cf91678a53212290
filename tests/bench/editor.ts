import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { chromium, type Page } from "@playwright/test";

import { requireChromium } from "#tests/support/chromium.ts";
import { startProduction } from "./production.ts";

// Measures the delay of a key press in a long story and the size of the editor's files, in the production build.

const LENGTH = 100_000;
const KEYS = 100;
const LIMIT = { keyMs: 50, kilobytes: 130 };
const SENTENCE = "The tide had been coming in for **eleven** days when the clockmaker agreed. ";

await using app = await startProduction({ messages: 1 });
await using browser = await chromium.launch({ executablePath: requireChromium() });
const context = await browser.newContext({ baseURL: app.url });
const [name = "", value = ""] = app.cookie.split(/=(.*)/s);
await context.addCookies([{ name, value, url: app.url }]);
const page = await context.newPage();

const kilobytes = await measureSize();
const times = (await measureKeys(page)).sort((one, other) => one - other);
const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
const isOver = at(0.95) > LIMIT.keyMs || kilobytes > LIMIT.kilobytes;
console.log(`the editor's files, compressed: ${kilobytes.toFixed(1)} KB of ${LIMIT.kilobytes}`);
console.log(
  `a key in ${LENGTH.toLocaleString("en")} characters, until it is painted: median ${at(0.5).toFixed(1)} ms, ` +
    `19 of 20 within ${at(0.95).toFixed(1)} ms, longest ${at(1).toFixed(1)} ms, of ${LIMIT.keyMs}`,
);
process.exitCode = isOver ? 1 : 0;

async function measureSize(): Promise<number> {
  const folder = "build/client/assets";
  const files = (await readdir(folder)).filter((file) => /^editor-.*\.js$/.test(file));
  const bodies = await Promise.all(files.map((file) => readFile(join(folder, file))));
  return bodies.reduce((total, body) => total + gzipSync(body).length, 0) / 1000;
}

async function measureKeys(at: Page): Promise<number[]> {
  await at.goto("/create");
  const choice = at.getByRole("button", { name: "Plain Markdown" });
  await choice.click();
  const paragraph = SENTENCE.repeat(6).trim();
  const story = `${paragraph}\n\n`.repeat(Math.ceil(LENGTH / (paragraph.length + 2)));
  await at.getByRole("textbox", { name: "Your story" }).fill(story.slice(0, LENGTH));
  await choice.click();
  const editor = at.locator("[contenteditable=true]");
  await editor.waitFor();
  // Types in the middle, so that half of the text moves.
  await editor.locator("p").nth(100).click();
  await at.evaluate(() => {
    const times: number[] = [];
    const painted = new MessageChannel();
    let pressed = 0;
    painted.port1.addEventListener("message", () => times.push(performance.now() - pressed));
    painted.port1.start();
    window.addEventListener(
      "keydown",
      () => {
        pressed = performance.now();
        // A message posted in an animation frame arrives after the frame is painted.
        requestAnimationFrame(() => painted.port2.postMessage(null));
      },
      true,
    );
    Object.assign(window, { times });
  });
  for (let key = 0; key < KEYS; key += 1) {
    await at.keyboard.press(key % 6 === 5 ? "Space" : "e");
    await at.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    );
  }
  return await at.evaluate<number[]>("times");
}
