import { getLocalVariables } from "#emulator/local-project.ts";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import type { TestFirebase } from "#tests/support/firebase.ts";
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

test("a page from the cache hydrates, with a note while Firestore does not respond, and the next page has none", async ({
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
  // With this cookie, the browser normally gets a page of its own, which shows the story as saved.
  const details = { author: "Ana", writer: "ana", cover: "", minutes: 1 };
  const saved = encodeURIComponent(JSON.stringify([{ ...STORY, ...details }]));
  await context.addCookies([{ name: "saved", value: saved, url: app.url }]);
  await page.reload();
  await expect(page.getByText(STORY.text.slice(0, 20))).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: NOTE })).toBeVisible();
  await expectAccessible(page);

  network.repair();
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Explore Trending Stories" })).toBeVisible();
  await expect(page.getByText(NOTE)).toBeHidden();
});

test("while Firestore does not respond, a reader continues a story where they were", async ({
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

for (const platform of ["Pages", "a Worker"]) {
  test(`on ${platform}, visitors share a page with their own nonces, and users get their own`, async ({
    app,
    addPerson,
    errorLog,
  }) => {
    test.setTimeout(90_000);
    await using worker = platform === "Pages" ? null : await startWorker(app.firebase, errorLog);
    const { url } = worker ?? app;
    const visit = (headers: Record<string, string> = {}) => fetch(`${url}/home`, { headers });
    await expect.poll(async () => isCached(await visit())).toBe(true);

    const pages = await Promise.all([visit(), visit()]);
    const nonces = await Promise.all(pages.map(readNonces));
    expect(pages.map(isCached)).toEqual([true, true]);
    for (const { policy, scripts } of nonces) expect(scripts).toEqual([policy]);
    expect(nonces[0]?.policy).not.toEqual(nonces[1]?.policy);

    const etag = pages[0]?.headers.get("ETag") ?? "";
    const revalidated = await visit({ "If-None-Match": etag });
    expect(revalidated.status).toBe(304);
    expect(isCached(revalidated)).toBe(true);
    expect(revalidated.headers.get("Content-Security-Policy")).toBeNull();
    expect((await visit({ "If-None-Match": '"another"' })).status).toBe(200);

    const { email, password } = await addPerson({ displayName: "Robin Vale" });
    const { headers } = await fetch(`${url}/login`, {
      method: "POST",
      headers: { Origin: url },
      body: new URLSearchParams({ email, password }),
      redirect: "manual",
    });
    const Cookie = headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .join("; ");
    for (const condition of ["", etag]) {
      const own = await visit({ Cookie, "If-None-Match": condition });
      expect(isCached(own)).toBe(false);
      expect(await own.text()).toContain("Robin Vale");
    }
    const shared = await visit();
    expect(isCached(shared)).toBe(true);
    expect(await shared.text()).not.toContain("Robin Vale");
  });
}

test.afterEach(() => {
  network.repair();
});

async function startWorker({ hosts }: TestFirebase, errorLog: { lines: string[] }) {
  return startPages({
    isWorker: true,
    port: await findFreePort(),
    variables: {
      SESSION_SECRET: "a secret that is at least 32 characters",
      ...getLocalVariables(hosts),
    },
    onError: (line) => errorLog.lines.push(`server: ${line}`),
  });
}

function isCached({ headers }: Response): boolean {
  return /(?:^|, )cache(?:,|$)/.test(headers.get("Server-Timing") ?? "");
}

/** Returns the nonce of the policy, and the distinct nonces of the page's scripts. */
async function readNonces(response: Response) {
  const html = await response.text();
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const scripts = [...html.matchAll(/<script[^>]* nonce="([^"]*)"/g)].map(([, nonce]) => nonce);
  return { policy: /'nonce-([^']+)'/.exec(policy)?.[1], scripts: [...new Set(scripts)] };
}
