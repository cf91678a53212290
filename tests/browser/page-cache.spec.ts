import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { network, test, type Hop } from "./faulty-app.ts";
import { expect } from "./fixtures.ts";
import { expectTracking } from "./reader.ts";

const STORY = {
  id: "a-distant-sea-0123456789",
  title: "A Distant Sea",
  text: "The sea kept its distance.\n\nSo did we.",
};
const STORY_PATH = `/read/${STORY.id}`;
const NOTE = "We can't reach our database right now.";

const FIRESTORE: Hop = {
  name: "Firestore",
  matches: ({ url }) => /^\/(?:v1|google\.firestore)/.test(url),
  faults: [],
  rest: "cut",
};

// In one worker, so that the app starts only once.
test.describe.configure({ mode: "default" });

test.use({ javaScriptEnabled: true });

test("a page from the cache hydrates, with a note while Firestore is silent, and the next page has none", async ({
  page,
  app,
  context,
  allowError,
}) => {
  allowError(/^server: /);
  await publishStory(app.firebase.hosts, STORY);
  await page.goto(STORY_PATH);
  const response = await page.goto(STORY_PATH);
  expect(response?.headers()["server-timing"]).toContain("cache");
  await expect(page.getByText(NOTE)).toBeHidden();

  network.break(FIRESTORE);
  // Its own page would show what it has saved.
  await context.addCookies([{ name: "saved", value: "[]", url: app.url }]);
  await page.reload();
  await expect(page.getByText(STORY.text.slice(0, 20))).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: NOTE })).toBeVisible();
  await expectAccessible(page);

  network.repair();
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Explore Trending Stories" })).toBeVisible();
  await expect(page.getByText(NOTE)).toBeHidden();
});

test("while Firestore is silent, a reader goes on with a story where they were", async ({
  page,
  app,
  context,
  allowError,
}) => {
  allowError(/^server: /);
  const id = "a-long-sea-0123456789";
  await publishStory(app.firebase.hosts, { id, title: "A Long Sea", text: makeLongText(30_000) });
  await page.goto(`/read/${id}`);
  await page.mouse.wheel(0, 3000);
  await expectTracking(page);
  const words = "Paragraph 30.";
  await page.getByText(words).scrollIntoViewIfNeeded();
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain(id);
  const before = await page.evaluate(() => document.cookie);

  network.break(FIRESTORE);
  // The browser restores no scroll position in another tab.
  const tab = await context.newPage();
  await tab.goto(`/read/${id}`);
  await expect(tab.getByRole("status").filter({ hasText: NOTE })).toBeAttached();
  await expect(tab.getByText(words)).toBeInViewport();
  expect(await tab.evaluate(() => document.cookie)).toBe(before);
});

test.afterEach(() => {
  network.repair();
});
