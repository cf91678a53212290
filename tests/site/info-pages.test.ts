import { expect, test } from "vitest";

import { EDIT_WINDOW_MS, MAX_TEXT_LENGTH } from "#app/chat/message.ts";
import { MAX_REPORTS_A_DAY, RATE_LIMITS } from "#app/session/rate-record.server.ts";
import { hasLink, readTexts, startPlainBrowser } from "#tests/support/plain-browser.ts";
import { startApp } from "#tests/support/routes.ts";
import { isCached, startCachedApp } from "#tests/support/visitors.ts";

const PAGES = [
  ["About", "/about", "About Inkglade"],
  ["How the room works", "/how-the-room-works", "How the room works"],
  ["Privacy", "/privacy", "Privacy"],
] as const;

test("the footer leads from Home to each text about the site, and from there to the others", async () => {
  await using browser = await startPlainBrowser();
  let page = await browser.get("/home");

  for (const [name, path, heading] of PAGES) {
    page = await browser.follow(page, name);
    expect([page.path, ...readTexts(page, ["h1"])]).toEqual([path, heading]);
    expect(page.html).toContain(`<title>${name} · Inkglade</title>`);
  }
});

test("stories and the editor have no footer", async () => {
  await using browser = await startPlainBrowser();

  const story = await browser.get("/read/what-the-heron-keeps");
  expect(story.html).not.toContain("<footer");
  for (const path of ["/home", "/login", "/no/such/page"]) {
    expect((await browser.get(path)).html).toContain("<footer");
  }
});

test("the rules of the room are ten, with the numbers that the database enforces", async () => {
  await using browser = await startPlainBrowser();

  const rules = readTexts(await browser.get("/how-the-room-works"), ["li"]);

  expect(rules).toHaveLength(10);
  const text = rules.join(" ");
  const [short, long] = RATE_LIMITS.messages;
  for (const words of [
    `${MAX_TEXT_LENGTH.toLocaleString("en")} characters`,
    `edit a message for ${EDIT_WINDOW_MS / 60_000} minutes`,
    `${short?.count} messages in ${(short?.windowMs ?? 0) / 1000} seconds, and ${long?.count} in a minute`,
    `send ${MAX_REPORTS_A_DAY} in a day`,
  ]) {
    expect(text).toContain(words);
  }
});

test("the footer leads to the source code if the deployment names it", async () => {
  const url = "https://git.example/inkglade";
  await using named = await startPlainBrowser({ SOURCE_URL: url });
  expect(hasLink(await named.get("/home"), "Source", url)).toBe(true);

  await using unnamed = await startPlainBrowser({ SOURCE_URL: "" });
  expect((await unnamed.get("/home")).html).not.toContain(">Source<");
});

test("visitors share the pages", async () => {
  await using app = await startApp();
  const edge = await startCachedApp(app);

  for (const [, path] of PAGES) {
    expect(isCached(await edge.visit(path))).toBe(false);
    await edge.finish();
    expect(isCached(await edge.visit(path))).toBe(true);
  }
});
