import type { Page, WebSocket } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { expectHydrated } from "./hydration.ts";
import { expectLive, openRoom, ROOM_PATH } from "./room.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { openAs, signIn, startSession, submitSignIn } from "./sign-in.ts";
import { expectStory, findRichEditor, findStory } from "./story.ts";

test.describe("with JavaScript", () => {
  test("the room's sign-in link leads back to the room, after Google and after a password", async ({
    page,
    person,
  }) => {
    await page.goto("/home");
    await openRoom(page);
    await followSignInLink(page);
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Continue with google" }).click();
    await (await opened).getByRole("button", { name: "Joon Park" }).click();
    await expectOwnRoom(page);

    await page.getByRole("button", { name: "Sign out" }).click();
    await followSignInLink(page);
    await submitSignIn(page, person);
    await expectOwnRoom(page);
  });

  // tests/browser/profile.spec.ts has another tab with the profile.
  test("signing out in one tab signs the others out and keeps unsaved text", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/profile");
    const home = await context.newPage();
    await home.goto("/home");
    const create = await context.newPage();
    await create.goto("/create");
    await (await findRichEditor(create)).fill("Once upon a time");

    await page.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/home");

    await expect(home.getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
    await expect(create.getByRole("button", { name: "Sign in with Google" })).toBeVisible();
    await expectStory(create, "Once upon a time");
    await expect(create).toHaveURL(/\/create(\?draft=\w+)?$/);
  });

  test("a page whose session has ended keeps its message and story until the next sign-in", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/create");
    await findRichEditor(page);
    const save = page.getByRole("button", { name: "Save draft" });
    await findStory(page).fill("One");
    await save.click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await expect(page).toHaveURL(/\?draft=/);
    // The first save loads the page's data again, which would find that the session has ended.
    await page.reload();
    await findRichEditor(page);
    await context.clearCookies({ name: "__session" });
    const message = page.getByPlaceholder("Type a message…");
    await message.fill("Do not lose me");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByText("Not authenticated")).toBeVisible();
    await findStory(page).fill("One, two");
    await save.click();
    await expect(
      page.getByText("You were signed out. Your text is safe. Sign in from another tab, then save"),
    ).toBeVisible();

    await signIn(await context.newPage(), person);

    await expect(message).toHaveValue("Do not lose me");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("log")).toContainText("Do not lose me");
    await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
    await save.click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await expectStory(page, "One, two");
  });

  test("a page that a form has opened after its session ended saves again at the next sign-in", async ({
    page,
    context,
    person,
    allowError,
  }) => {
    allowError(/ERR_FAILED|status of 401/);
    const scripts = "**/*.js";
    await page.route(scripts, (route) => route.abort());
    await startSession(page, person);
    // Does not wait for scripts.
    await page.goto("/create", { waitUntil: "load" });
    await page.getByLabel("Your story").fill("One");
    await context.clearCookies({ name: "__session" });
    await page.unroute(scripts);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectHydrated(page);
    const signedOut = page.getByText("You were signed out. Your text is safe.");
    await expect(signedOut).toBeVisible();

    await signIn(await context.newPage(), person);
    await page.bringToFront();
    await (await findRichEditor(page)).fill("One, two");

    await expect(page.getByText("Saved to your account")).toBeVisible();
    await expect(signedOut).toBeHidden();
    await expect(page.getByText("changed in another tab")).toBeHidden();
  });

  test("a sign-out whose request fails says so, and can be tried again", async ({
    page,
    person,
    allowError,
  }) => {
    // Remix logs the error that its page is about.
    allowError(/ERR_FAILED|Failed to fetch/);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await page.route("**/logout.data", (route) => route.abort(), { times: 2 });
    const logOut = page.getByRole("button", { name: "LogOut" });
    const signOut = page.getByRole("button", { name: "Sign out" });

    await test.step("LogOut shows an error page, and Back shows the profile again", async () => {
      await logOut.click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Something went wrong");
      await page.goBack();
      await expect(logOut).toBeEnabled();
    });

    await test.step("“Sign out” in the room says it there", async () => {
      await signOut.click();
      const error = page.getByText("You seem to be offline. Nothing was lost; try again.");
      await expect(error).toBeVisible();
      await signOut.click();
      await expect(page.getByRole("button", { name: "Sign in with Google" })).toBeVisible();
      await expect(error).toBeHidden();
    });
  });

  test("a tab works without BroadcastChannel, and revalidates when it is restored by Back", async ({
    page,
    person,
  }) => {
    await page.addInitScript(() => {
      window.BroadcastChannel = class extends BroadcastChannel {
        constructor(name: string) {
          super(name);
          throw new DOMException("The operation is insecure.", "SecurityError");
        }
      };
    });

    await signIn(page, person);
    await page.getByRole("button", { name: "LogOut" }).click();

    await expect(page).toHaveURL("/home");
    await expectHydrated(page);

    await openAs(page, person, "/profile");
    await expect(page.getByText(person.email)).toBeVisible();
    await expectHydrated(page);
    await page.context().clearCookies({ name: "__session" });

    await page.evaluate(() =>
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
    );

    await expect(page).toHaveURL("/login");
  });

  test("a page that Back restores shows its user in the room, who has signed in again", async ({
    page,
    app,
    person,
  }) => {
    // Pages that Safari restores have had no messages from other tabs.
    await page.addInitScript(() => Reflect.deleteProperty(window, "BroadcastChannel"));
    const getState = () => readDatabase(app, `status/${person.localId}/state`);
    const fire = (type: string) =>
      page.evaluate((name) => {
        window.dispatchEvent(new PageTransitionEvent(name, { persisted: true }));
      }, type);
    await openAs(page, person, ROOM_PATH);
    await expect.poll(getState).toBe("online");
    await fire("pagehide");
    await expect.poll(getState).toBe("offline");
    const headers = { "Sec-Fetch-Site": "same-origin" };
    await page.request.post("/logout", { headers, maxRedirects: 0 });
    await startSession(page, person);

    await fire("pageshow");

    await expect.poll(getState).toBe("online");
  });

  test("LogOut on the profile ends the browser's Firebase sign-in", async ({
    page,
    person,
    app,
  }) => {
    const readState = () => readDatabase(app, `status/${person.localId}/state`);
    const [listens, sockets]: [string[], WebSocket[]] = [[], []];
    page.on("websocket", (socket) => void sockets.push(socket));
    page.on("request", (request) => {
      if (!request.url().includes("/Listen/channel")) return;
      listens.push(decodeURIComponent(`${request.url()} ${request.postData() ?? ""}`));
    });
    await openAs(page, person, ROOM_PATH);
    await expect.poll(readState).toBe("online");
    // Everybody may read the room.
    await expectLive(page);
    expect(listens).not.toEqual([]);
    expect(listens.join("\n")).not.toContain("Authorization");

    // The SDK's persistence is in memory, and set before the sign-in, so nothing is stored.
    const stored = await page.evaluate(async () => [
      ...(await indexedDB.databases()).map(({ name }) => name),
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
    ]);
    expect(stored.filter((name) => /^firebase(LocalStorageDb|:)/.test(name ?? ""))).toEqual([]);

    await page.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/home");
    await expect.poll(readState).toBe("offline");
    await expect.poll(() => sockets.map((socket) => socket.isClosed())).toEqual([true]);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  // tests/session/guard.test.ts tests the same after Google.
  test("the room's sign-in link leads back to the room, and only the next sign-in does", async ({
    page,
    person,
  }) => {
    await page.goto("/home");
    await openRoom(page);
    await followSignInLink(page);
    await submitSignIn(page, person);
    await expectOwnRoom(page);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("navigation").getByRole("link", { name: "Sign in" }).click();
    await expect(page).toHaveURL("/login");
    await submitSignIn(page, person);
    await expect(page).toHaveURL("/profile");
  });
});

async function followSignInLink(page: Page) {
  await page.getByRole("link", { name: "sign in", exact: true }).click();
  await expect(page).toHaveURL("/login");
}

/** Expects Home with the room of a signed-in user. */
async function expectOwnRoom(page: Page) {
  await expect(page).toHaveURL("/home#room");
  await expect(page.getByPlaceholder("Type a message…")).toBeVisible();
}
