import { expect, test } from "vitest";

import { LIVE, TRENDING } from "#tests/browser/carousels.ts";
import type { PlainPage } from "#tests/support/plain-requests.ts";
import { hasLink, readTexts, startPlainBrowser } from "#tests/support/plain-browser.ts";
import { deleteStory, publishStory } from "#tests/support/stories.ts";

test("shows everything in order, and each book as a link", async () => {
  await using browser = await startPlainBrowser();

  const home = await browser.get("/home");

  expect(readTexts(home, ["h2"])).toEqual([
    TRENDING,
    LIVE,
    "Books and quests",
    "Bored of what you've read?",
  ]);
  const orchard = "/read/the-lamplighters-orchard";
  expect(hasLink(home, "The Lamplighter's Orchard", orchard)).toBe(true);
  expect((await browser.follow(home, "Start reading")).path).toBe(orchard);
});

test("filters the list by type, words and tags, and shows all again", async () => {
  await using browser = await startPlainBrowser();
  let home = await browser.get("/home");
  expect(readTitles(home)).toHaveLength(11);

  home = await browser.follow(home, "Quests");
  expect(readTitles(home)).toHaveLength(6);
  expect(home.html).toMatch(/<a [^>]*aria-current="true"[^>]*>Quests/);

  home = await browser.submit(home, "Search", { q: "bell" });
  home = await browser.follow(home, "Quests");
  expect(readTitles(home)).toEqual(["The Bell Beneath the Lake"]);
  expect(readTexts(home, ["h1"])).toEqual(["1 result for “bell”"]);
  expect(home.path).toBe("/home?q=bell&type=quest");

  home = await browser.submit(home, "Search", { q: "engine" });
  home = await browser.follow(home, "trains");
  expect(readTitles(home)).toEqual(["The Last Warm Engine"]);
  home = await browser.follow(home, "Remove trains");
  expect(home.path).toBe("/home?q=engine");

  home = await browser.submit(home, "Search", { q: "no such story" });
  expect(home.html).toContain("No story by that name. Try a shorter word.");
  expect(readTitles(await browser.follow(home, "Show all"))).toHaveLength(11);
});

test("Save in the list leads back to the list", async () => {
  await using browser = await startPlainBrowser();
  for (const path of ["/home", "/home?type=book"]) {
    const { html } = await browser.get(path);
    const places = [...html.matchAll(/name="returnTo" value="(\/home[^"]*)"/g)];
    expect(places.map(([, place]) => place)).toContain(`${path}#books-and-quests`);
  }
});

test("saves a story for later, and opens its writer's page", async () => {
  await using browser = await startPlainBrowser();
  const save = "Save for later: A Cartographer of Rain";
  let home = await browser.submit(await browser.get("/home"), save);
  expect(readTexts(home, ["h2"])).toContain("Saved for later");
  expect(home.html).toMatch(
    new RegExp(`<button [^>]*aria-pressed="true"[^>]*aria-label="${save}"`),
  );

  home = await browser.submit(home, save);
  expect(readTexts(home, ["h2"])).not.toContain("Saved for later");

  const writer = await browser.follow(home, "Inkglade Editors");
  expect(writer.path).toBe("/home?writer=inkglade");
  expect(readTexts(writer, ["h1"])).toEqual(["Inkglade Editors"]);
  expect((await browser.submit(writer, "Follow Inkglade Editors")).path).toBe("/login");
});

test("stops following a writer whose stories and account are gone", async () => {
  await using browser = await startPlainBrowser();
  const { hosts } = browser.firebase;
  const { email, password } = await browser.firebase.addAccount();
  const story = { id: "the-tide-ledger-0123456789", title: "The Tide Ledger", text: "It began." };
  await browser.post("/login", { email, password });
  await publishStory(hosts, story);
  await browser.submit(await browser.get("/home?writer=ana"), "Follow Ana");
  await deleteStory(hosts, story.id);

  const gone = await browser.get("/home?writer=ana");
  expect(readTexts(gone, ["h1"])).toEqual(["Ana"]);

  const unfollowed = await browser.submit(gone, "Following Ana");
  expect(readTexts(unfollowed, ["h1"])).toEqual(["We can't find this writer."]);
});

test("opens a random story", async () => {
  await using browser = await startPlainBrowser();

  const story = await browser.submit(await browser.get("/home"), "Surprise me");

  expect(story.path).toMatch(/^\/read\/[a-z-]+$/);
  expect(story.html).toContain('id="text"');
});

test("explains once that a quest is not open", async () => {
  await using browser = await startPlainBrowser();

  const home = await browser.get("/quest/the-glass-apiary");

  expect(home.path).toBe("/home");
  expect(home.html).toContain("That quest is not open yet.");
  expect((await browser.get("/home")).html).not.toContain("That quest is not open yet.");
});

/** Returns the titles of the list of books and quests. */
function readTitles(page: PlainPage): string[] {
  const [, list = ""] = /id="home-list"([\s\S]*?)(?:id="home-|<\/main>)/.exec(page.html) ?? [];
  return readTexts({ ...page, html: `<main>${list}</main>` }, ["h3"]);
}
