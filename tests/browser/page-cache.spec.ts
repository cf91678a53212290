import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { network, test, type Hop } from "./faulty-app.ts";
import { expect } from "./fixtures.ts";
import { expectTracking } from "./reader.ts";
import { expectSharedPages } from "./shared-pages.ts";

/** Longer than the window. */
const STORY = {
  id: "a-distant-sea-0123456789",
  title: "A Distant Sea",
  text: makeLongText(9_000),
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

test("the picture of a story is drawn once for all addresses that others make up", async ({
  app,
  request,
}) => {
  await publishStory(app.firebase.hosts, STORY);
  const first = await request.get(`${STORY_PATH}.png`);
  expect(first.headers()["content-type"]).toBe("image/png");
  expect(first.headers()).not.toHaveProperty("set-cookie");

  // The first is stored after its response.
  await expect
    .poll(async () => (await request.get(`${STORY_PATH}.png?v=1`)).headers()["server-timing"])
    .toContain("cache");

  const again = await request.get(`${STORY_PATH}.png?v=2`);
  expect(await again.body()).toEqual(await first.body());
});

test("a reader continues on a cached page with a note while Firestore does not respond", async ({
  page,
  app,
  context,
  allowError,
}) => {
  allowError(/^server: /);
  // `network.break` also ends the page's own requests.
  allowError(/ERR_(?:CONNECTION_RESET|EMPTY_RESPONSE)/);
  await publishStory(app.firebase.hosts, STORY);
  await page.goto(STORY_PATH);
  const response = await page.goto(STORY_PATH);
  expect(response?.headers()["server-timing"]).toContain("cache");
  await expect(page.getByText(NOTE)).toBeHidden();
  const readCookie = () => page.evaluate(() => document.cookie);
  await page.mouse.wheel(0, 1000);
  await expectTracking(page);
  await expect.poll(readCookie).toContain(STORY.id);
  const first = await readCookie();
  const words = "Paragraph 30.";
  await page.getByText(words).scrollIntoViewIfNeeded();
  await expect.poll(readCookie).not.toBe(first);

  network.break(FIRESTORE);
  // With this cookie, the browser normally gets a page of its own, which shows the story as saved.
  const { id, title } = STORY;
  const saved = [{ id, title, author: "Ana", writer: "ana", cover: "", minutes: 1 }];
  const value = encodeURIComponent(JSON.stringify(saved));
  await context.addCookies([{ name: "saved", value, url: app.url }]);
  const before = await readCookie();
  // The browser restores no scroll position in another tab.
  const tab = await context.newPage();
  await tab.goto(STORY_PATH);
  await expect(tab.getByRole("status").filter({ hasText: NOTE })).toBeVisible();
  await expect(tab.getByText(words)).toBeInViewport();
  expect(await tab.evaluate(() => document.cookie)).toBe(before);
  await expectAccessible(tab, { within: "[role=status]" });

  network.repair();
  await tab.getByRole("link", { name: "Home", exact: true }).click();
  await expect(tab.getByRole("heading", { name: "Explore Trending Stories" })).toBeVisible();
  await expect(tab.getByText(NOTE)).toBeHidden();
});

test("visitors share a page with their own nonces, and users get their own", async ({
  app,
  person,
}) => {
  await expectSharedPages(app.url, person);
});

test.afterEach(() => {
  network.repair();
});
