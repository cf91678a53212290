import type { Page } from "@playwright/test";

import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { network, test } from "./faulty-app.ts";
import { expect } from "./fixtures.ts";
import { LONG, LONG_PATH, getParagraph } from "./long-story.ts";
import { expectAtTop, expectTracking } from "./reader.ts";
import { openRoom, signInSender } from "./room.ts";
import { signIn, startSession } from "./sign-in.ts";

const SHORT = {
  id: "a-short-sea-0123456789",
  // Shown as it is, although it looks like markup and like a pattern of `replace`.
  title: `<A> Short & "Quoted" Sea`,
  text: "A few words by the sea.",
};
const SHORT_PATH = `/read/${SHORT.id}`;

const BUILT_IN = { path: "/read/the-lamplighters-orchard", title: /^The Lamplighter.s Orchard/ };

const NOTE = /^You seem to be offline\. This page is from /;
const OFFLINE = { name: "You seem to be offline" };

// In one worker, so that the app starts only once.
test.describe.configure({ mode: "default" });

test.use({
  serviceWorkers: "allow",
  contextOptions: { reducedMotion: "reduce" },
});

test.beforeEach(({ allowError }) => {
  allowError(/ERR_(?:EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|FAILED)/);
  // The room of a kept page tries to connect.
  allowError(/Could not reach Cloud Firestore backend/);
  // The server's connections are cut too.
  allowError(/^server: .*Network connection lost\./);
  // The page for addresses that are not kept.
  allowError(/the server responded with a status of 503 \(\) /);
});

test.afterEach(() => network.repair());

test("a story that was read is there at its place without a connection", async ({ page, app }) => {
  await publishStory(app.firebase.hosts, LONG);
  await openStory(page, LONG_PATH);
  await readTo(page, 40);

  cut();
  await page.goto("/about");
  await page.goto(LONG_PATH);
  await expect(page.getByText(NOTE)).toBeVisible();
  await expectAtTop(getParagraph(page, 40));
  await readTo(page, 60);
  await page.reload();
  await expectAtTop(getParagraph(page, 60));
});

test("a visitor without a connection reads the kept pages, and other pages list them", async ({
  page,
  context,
  app,
}) => {
  await publishStory(app.firebase.hosts, SHORT);

  await test.step("a story that is opened at an address of its room is kept", async () => {
    await page.goto(`${SHORT_PATH}?talk=story`);
    await interact(page);
    await expectKept(page, SHORT_PATH);
  });

  await test.step("any other page says that it is offline, with the kept stories", async () => {
    cut();
    const response = await page.goto("/about");
    expect(response?.status()).toBe(503);
    await expect(page.getByRole("heading", OFFLINE)).toBeVisible();
    await expectAccessible(page);
    await page.goto("/create");
    await expect(page.getByText("What you wrote here is kept in this browser")).toBeVisible();
    await page.goto("/home?q=sea");
    await expect(page.getByRole("heading", OFFLINE)).toBeVisible();
    await page.getByRole("link", { name: SHORT.title }).click();
    await expect(page.getByRole("status").filter({ hasText: NOTE })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
    await expect(page).toHaveURL("/login");
    await expect(page.getByRole("heading", OFFLINE)).toBeVisible();

    network.repair();
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "Sign In" })).toBeVisible();
  });

  await test.step("a kept page is shown when the network does not respond within ten seconds", async () => {
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(() => {
      const wait = setTimeout;
      const skip = (run: () => void, ms: number) => wait(run, ms === 10_000 ? 0 : ms);
      Object.assign(globalThis, { setTimeout: skip });
    });
    network.break({ name: "the network", matches: () => true, faults: [], rest: "hung" });
    await page.goto(SHORT_PATH);
    await expect(page.getByText(NOTE)).toBeVisible();
  });
});

test("a user without a connection has the kept stories, the room, and what they typed", async ({
  page,
  app,
  person,
  allowError,
}) => {
  // The room of a page that is left.
  allowError(/^WebSocket connection to .* failed: Connection closed/);
  await publishStory(app.firebase.hosts, SHORT);
  await using sender = await signInSender(app, person);
  await sender.send("Kept in the room.");
  await startSession(page, person);
  await openStory(page, SHORT_PATH);

  const input = page.getByPlaceholder("Type a message…");
  await test.step("a passage that is quoted without a connection waits in the message input", async () => {
    const paragraph = page.getByText(SHORT.text);
    await paragraph.evaluate((element) => getSelection()?.selectAllChildren(element));
    const button = page.getByRole("button", { name: "Quote in the room" });
    // Its code is loaded by the first selection.
    await expect(button).toBeVisible();

    cut();
    await button.click();

    await expect(page.getByText(NOTE)).toBeAttached();
    await expect(input).toHaveValue(
      // The first letter is a drop cap.
      new RegExp(`few words by the sea.”\n${SHORT_PATH}#p-`),
    );
    await input.fill("");
    await page.getByRole("button", { name: "Close the room" }).click();
    network.repair();
  });

  await page.goto("/home");
  await expectKept(page, "/home");
  // Opened by a link, so that its document is loaded only to keep it.
  await page.getByRole("link", { name: BUILT_IN.title }).first().click();
  await expectKept(page, BUILT_IN.path);

  const list = page.getByRole("list", { name: "Stories on this device" });
  await test.step("/home lists the kept stories, and links to them work", async () => {
    cut();
    await page.goto("/home");
    await expect(page.getByText(NOTE)).toBeVisible();
    await expectAccessible(page);
    await expect(list.getByRole("listitem")).toHaveText([
      /^The Lamplighter.s Orchard \d+ KB$/,
      /^<A> Short & "Quoted" Sea \d+ KB$/,
    ]);
    await list.getByRole("link", { name: SHORT.title }).click();
    await expect(page.getByRole("heading", { name: SHORT.title, level: 1 })).toBeVisible();
    await expect(page.getByText(NOTE)).toBeVisible();
  });

  await test.step("/home shows the room as it stood", async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Home" }).click();
    await expect(list).toBeVisible();
    await expect(page.getByRole("progressbar")).toBeHidden();
    await openRoom(page);
    await expect(page.getByRole("log").getByText("Kept in the room.")).toBeVisible();
    await expect(list).toBeVisible();
  });

  await test.step("what is typed on a kept page is there when the connection is back", async () => {
    await input.fill("Written without a connection");
    await page.reload();
    await expect(input).toHaveValue("Written without a connection");

    network.repair();
    await page.reload();
    await expect(page.getByText(NOTE)).toBeHidden();
    await expect(input).toHaveValue("Written without a connection");
  });
});

test("what is kept is for the user who saw it, until they sign out or delete their account", async ({
  page,
  app,
  addPerson,
}) => {
  await publishStory(app.firebase.hosts, SHORT);
  const [ana, tomas] = [await addPerson(), await addPerson()];

  await test.step("signing in removes what a visitor kept", async () => {
    await openStory(page, SHORT_PATH);
    await signIn(page, ana);
    await expect.poll(() => listKept(page)).toEqual([]);
  });

  await test.step("another user's session, as from another tab, removes what is kept", async () => {
    await openStory(page, SHORT_PATH);
    await startSession(page, tomas);
    await page.goto("/about");
    await expect.poll(() => listKept(page)).toEqual([]);
    await expectGone(page);
  });

  await test.step("signing out removes what is kept", async () => {
    await openStory(page, SHORT_PATH);
    await page.goto("/profile");
    await page.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/home");
    expect(await listKept(page)).not.toContain(SHORT_PATH);
    await expectGone(page);
  });

  await test.step("deleting the account removes it, although no later page arrives", async () => {
    await startSession(page, ana);
    await openStory(page, SHORT_PATH);
    await page.goto("/profile?tab=security");
    network.break({
      name: "the next page",
      matches: ({ method, url }) => method === "GET" && /^\/(?:home|profile)/.test(url),
      faults: [],
      rest: "cut",
    });
    const form = page.getByRole("region", { name: "Delete account" });
    await form.getByLabel(/^Type your e-mail/).fill(ana.email);
    await form.getByLabel("Password", { exact: true }).fill(ana.password);
    await form.getByRole("button", { name: "Delete account" }).click();
    await expect.poll(() => listKept(page)).toEqual([]);
  });
});

test("kept stories stay while they are chosen or new, and the service worker is served", async ({
  page,
  app,
}) => {
  await publishStory(app.firebase.hosts, SHORT);
  await openStory(page, SHORT_PATH);
  const more = page.getByText("More", { exact: true });

  await test.step("a chosen story stays, and of the others the newest twenty", async () => {
    const others = Array.from({ length: 22 }, (_, index) => `/read/another-sea-${index + 1e9}`);
    await keepCopies(page, others.slice(0, 20));
    await more.click();
    await page.getByRole("button", { name: /^Keep offline \d+ KB$/ }).click();
    await expect(
      page.getByRole("status").filter({ hasText: /^Kept offline · \d+ KB$/ }),
    ).toBeVisible();
    await expectAccessible(page);
    for (const path of others.slice(20)) {
      await publishStory(app.firebase.hosts, { ...SHORT, id: path.slice("/read/".length) });
      await page.goto(path, { waitUntil: "commit" });
      await expectKept(page, path);
    }
    expect((await listKept(page)).toSorted()).toEqual([SHORT_PATH, ...others.slice(2)]);
  });

  await test.step("a new service worker takes over at once and keeps what is kept", async () => {
    const isReplaced = page.evaluate(
      () =>
        new Promise((resolve) => {
          navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
        }),
    );
    network.workerScript = "changed";
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    await isReplaced;
    cut();
    await page.goto(SHORT_PATH);
    await expect(page.getByText(NOTE)).toBeVisible();
  });

  await test.step("the user removes a story from the device, also offline", async () => {
    await more.click();
    await page.getByRole("button", { name: "Remove from this device" }).click();
    await expect(page.getByRole("button", { name: "Keep offline" })).toBeVisible();
    expect(await listKept(page)).not.toContain(SHORT_PATH);
  });

  await test.step("the service worker removes itself once its script is gone", async () => {
    network.repair();
    network.workerScript = "gone";
    await stopWorker(page);
    await page.goto("/about");
    await expect.poll(() => listKept(page)).toEqual([]);
    await expect.poll(() => countRegistrations(page)).toBe(0);
  });
});

/** Ends all connections of the browser. */
function cut() {
  network.break({ name: "the browser's network", matches: () => true, faults: [], rest: "cut" });
}

/** Opens a story and waits until it is kept. */
async function openStory(page: Page, path: string) {
  await page.goto(path);
  await interact(page);
  await expectKept(page, path);
}

/** Registers the service worker, or lets it add what the page has loaded. */
async function interact(page: Page) {
  await page.keyboard.press("Shift");
}

async function expectKept(page: Page, path: string) {
  await expect.poll(() => listKept(page)).toContain(path);
}

/** Returns the paths of all kept pages, of whichever user. */
async function listKept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("inkglade-pages."));
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
}

/** Keeps copies of the story, as if they had been opened one after another before it. */
async function keepCopies(page: Page, paths: string[]) {
  await page.evaluate(
    async ([kept, copies]) => {
      const name = (await caches.keys()).find((one) => one.startsWith("inkglade-pages.")) ?? "";
      const cache = await caches.open(name);
      for (const [index, path] of copies.entries()) {
        const { headers, body } = (await cache.match(kept)) ?? new Response();
        const info = JSON.parse(decodeURIComponent(headers.get("X-Kept") ?? "")) as {
          time: number;
        };
        const copy = { ...info, path, time: info.time - copies.length + index };
        const given = new Headers(headers);
        given.set("X-Kept", encodeURIComponent(JSON.stringify(copy)));
        await cache.put(path, new Response(body, { headers: given }));
      }
    },
    [SHORT_PATH, paths] as const,
  );
}

/** Expects that the story is not kept. */
async function expectGone(page: Page) {
  cut();
  await page.goto(SHORT_PATH);
  await expect(page.getByRole("heading", OFFLINE)).toBeVisible();
  network.repair();
}

/** Scrolls to a paragraph, and waits until the position is saved. */
async function readTo(page: Page, number: number) {
  await page.mouse.move(200, 400);
  await page.mouse.wheel(0, 10);
  await expectTracking(page);
  await getParagraph(page, number).evaluate((element) => element.scrollIntoView());
  const words = encodeURIComponent(`Paragraph ${number}.`);
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain(words);
}

/** Stops the worker, so that it starts again with the next page. */
async function stopWorker(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
}

async function countRegistrations(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
}
