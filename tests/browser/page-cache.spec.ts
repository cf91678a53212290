import { localVariables } from "#emulator/local-project.ts";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { startCachingProxy } from "./caching-proxy.ts";
import { expect, test as base } from "./fixtures.ts";
import { expectTracking } from "./reader.ts";

const STORY = {
  id: "a-distant-sea-0123456789",
  title: "A Distant Sea",
  text: "The sea kept its distance.\n\nSo did we.",
};
const STORY_PATH = `/read/${STORY.id}`;
const NOTE = "We can't reach our database right now.";

let fault: Fault = "none";

const test = base.extend({
  app: [
    async ({ errorLog }, use) => {
      await using firebase = await startFirebase();
      const { FIRESTORE_EMULATOR_HOST } = firebase.hosts;
      await using firestore = await startFaultProxy(FIRESTORE_EMULATOR_HOST, () => fault);
      await using pages = await startPages({
        port: await findFreePort(),
        variables: {
          SESSION_SECRET: "a secret that is at least 32 characters",
          ...localVariables({ ...firebase.hosts, FIRESTORE_EMULATOR_HOST: firestore.host }),
        },
        onError: (line) => errorLog.lines.push(`server: ${line}`),
      });
      await using proxy = await startCachingProxy(pages.url);
      await use({ url: proxy.url, firebase, settled: () => proxy.settled() });
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

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

  fault = "cut";
  // Its own page would show what it has saved.
  await context.addCookies([{ name: "saved", value: "[]", url: app.url }]);
  await page.reload();
  await expect(page.getByText(STORY.text.slice(0, 20))).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: NOTE })).toBeVisible();
  await expectAccessible(page);

  fault = "none";
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

  fault = "cut";
  // The browser restores no scroll position in another tab.
  const tab = await context.newPage();
  await tab.goto(`/read/${id}`);
  await expect(tab.getByRole("status").filter({ hasText: NOTE })).toBeAttached();
  await expect(tab.getByText(words)).toBeInViewport();
  expect(await tab.evaluate(() => document.cookie)).toBe(before);
});

test.afterEach(() => {
  fault = "none";
});
