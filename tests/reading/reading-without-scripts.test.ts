import { expect, test } from "vitest";

import { hasLink, readBanner, readTexts, startPlainBrowser } from "#tests/support/plain-browser.ts";
import { publishStory } from "#tests/support/stories.ts";

test.each(["1", "anything", "%F0%9F%93%96", "the-lamplighters-orchard"])(
  "the reading page of %s shows the specification's line",
  async (id) => {
    await using browser = await startPlainBrowser();

    const page = await browser.get(`/read/${id}`);

    expect(page.path).toBe(`/read/${id}`);
    expect(readTexts(page, ["p", "h1"])).toContain("reading-page works!");
  },
);

test("shows only the specification's line for an id without a story", async () => {
  await using browser = await startPlainBrowser();

  const page = await browser.get("/read/anything");

  expect(readTexts(page, ["h1"])).toEqual(["reading-page works!"]);
  expect(page.html).not.toContain("<article");
  expect(page.html).not.toMatch(/withdrawn it|load this story/);
  expect(hasLink(page, "Room", "/read/anything#room")).toBe(true);
});

test("a story shows its address to copy", async () => {
  await using browser = await startPlainBrowser();
  const path = "/read/the-lamplighters-orchard";
  const address = `http://localhost${path}`;

  const page = await browser.get(`${path}?utm_source=x`);

  expect(hasLink(page, `Link to this story: ${address}`, address)).toBe(true);
});

test("the page of a failed report of a story starts at its error", async () => {
  await using browser = await startPlainBrowser();
  const story = { id: "the-salt-road-0000000009", title: "The Salt Road", text: "It began." };
  await publishStory(browser.firebase.hosts, story);
  const { email, password } = await browser.firebase.addAccount();
  await browser.post("/login", { email, password });
  const page = await browser.get(`/read/${story.id}/report`);

  const rejected = await browser.submit(page, "Report", { details: "x".repeat(401) });

  const [, ...others] = rejected.html.split("autofocus");
  expect(others).toHaveLength(1);
  expect(readBanner({ ...rejected, html: others.join() })).toBe(
    "The details can have up to 400 characters.",
  );
});

test("links from the built-in to published stories", async () => {
  await using browser = await startPlainBrowser();
  const newest = { id: "the-salt-road-0000000009", title: "The Salt Road", text: "It began." };
  await publishStory(browser.firebase.hosts, { ...newest, publishedAt: "2099-01-01T00:00:00Z" });
  const last = await browser.get("/read/the-winter-interpreter");

  const next = await browser.follow(last, "Next story");
  expect(next.path).toBe(`/read/${newest.id}`);

  const previous = await browser.follow(next, "Previous story");
  expect(readTexts(previous, ["h1"])).toContain("The Winter Interpreter");
});
