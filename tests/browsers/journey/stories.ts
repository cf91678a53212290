import { expect } from "vitest";

import { publishStory } from "#tests/support/stories.ts";
import { test } from "../fixtures.ts";
import { button, element, field, heading, link } from "../page.ts";

test("a search finds a story by its title", async ({ openPage, app }) => {
  await publishStory(app.firebase.hosts, {
    id: "salt-and-sand-0123456789",
    title: "Salt and Sand",
    text: "The tide came in.",
  });
  const page = await openPage("/home");
  await page.fill(field(/^Search/), "salt");
  await page.press("Enter");
  await expect.poll(() => page.path()).toContain("salt");
  await page.see(heading(/salt/));
  await page.click(element("main a[href^='/read/salt-and-sand']"));
  await expect.poll(() => page.path()).toBe("/read/salt-and-sand-0123456789");
  await page.seeText("The tide came in.");
});

test("a saved story is on the shelf, also after a reload", async ({ openPage, person }) => {
  const page = await openPage("/home", { person });
  await page.click(button(/^Save for later: /));
  await page.see(heading("Saved for later"));
  // The page shows it before the server has it.
  const isSaved = () =>
    page.call(async () => (await (await fetch("/home")).text()).includes("Saved for later</h2>"));
  await expect.poll(isSaved).toBe(true);
  await page.reload();
  await page.see(heading("Saved for later"));
});

test("Home stays in place when its scripts replace its lists", async ({ openPage, person }) => {
  const page = await openPage("/home", { person });
  const y = await page.call(() => {
    document
      .querySelector("#home-list section")
      ?.scrollIntoView({ block: "center", behavior: "instant" });
    return scrollY;
  });
  expect(y).toBeGreaterThan(0);
  const isReplaced = () => document.querySelector("#home-list:not([data-lazy])") !== null;
  await expect.poll(() => page.call(isReplaced)).toBe(true);
  expect(await page.waitForRest()).toBe(Math.round(y));
});

test("links open pages without loading the document again, and Back leads back", async ({
  openPage,
}) => {
  const page = await openPage("/home");
  await page.call(() => void (document.body.dataset["same"] = ""));
  await page.click(element("main a[href^='/read/']"));
  await expect.poll(() => page.path()).toMatch(/^\/read\//);
  await page.see(element("#text"));
  await page.back();
  await page.see(heading("Explore Trending Stories"));
  expect(await page.call(() => document.body.dataset["same"])).toBe("");
});

test("Home is where it was after a reload, and after Back from another document", async ({
  openPage,
}) => {
  const page = await openPage("/home");
  const row = heading("Explore Trending Live Stories");
  const getTop = async () => Math.round((await page.find(row)).top);
  const topAtStart = await getTop();
  await page.turnWheel(500);
  await page.waitForRest();
  const top = await getTop();
  expect(top).toBeLessThan(topAtStart - 200);

  await page.reload();
  await expect.poll(getTop).toBe(top);
  await page.leave();
  await page.back();
  await expect.poll(() => page.path()).toBe("/home");
  await page.waitForRefresh();
  await expect.poll(getTop).toBe(top);
});

test("without scripts, Home is whole: stories, the room, and a form to sign in", async ({
  openPage,
  person,
}) => {
  const page = await openPage("/home", { hasScripts: false });
  await page.see(heading("Explore Trending Stories"));
  await page.seeText("Please sign in to chat.");
  await page.click(link("Sign in"));
  await page.fill(field("E-mail"), person.email);
  await page.fill(field("Password"), person.password);
  await page.click(button("Login"));
  await page.seeText(person.email);
});
