import type { Page } from "@playwright/test";

import { clearMessages } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { toMessageForm } from "#tests/support/message-form.ts";
import { clearRateRecords, setRateRecord } from "#tests/support/rate-records.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectHydrated, openHydrated } from "./hydration.ts";
import { expectLive, openRoomAs, sendMessage } from "./room.ts";
import { openAs, signIn } from "./sign-in.ts";

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeRoom();

  test("after sending, the box is empty, Send rests, and the message is in view", async ({
    page,
    person,
    app,
  }) => {
    await fillRoom(app.firebase, person, 9);
    await openAs(page, person, "/create");
    await expectLive(page);
    const send = page.getByRole("button", { name: "Send" });
    await expect(send).toBeDisabled();
    for (const nothing of ["   ", "\u200B\u2060\uFEFF", "\u3164\u2800"]) {
      await page.getByPlaceholder("Type a message…").fill(nothing);
      await expect(send).toBeDisabled();
    }

    for (let count = 10; count <= 12; count += 1) await sendMessage(page, `Line ${count}`);

    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("");
    await expect(page.getByText("Line 12", { exact: true })).toBeInViewport();
    await expect(page.locator("article time")).toHaveCount(12);
    await expect(page.locator("article").last()).toContainText("Line 12");
  });

  test("Enter sends, Shift+Enter begins a line", async ({ page, person }) => {
    await openAs(page, person, "/create");
    await expectHydrated(page);
    const box = page.getByPlaceholder("Type a message…");

    await box.pressSequentially("One");
    await box.press("Shift+Enter");
    await box.pressSequentially("Two");
    await box.press("Enter");

    await expect(page.locator("article")).toContainText("One\nTwo", { useInnerText: true });
  });

  test("a room of more than 50 messages still shows the newest", async ({ page, person, app }) => {
    await fillRoom(app.firebase, person, 55);
    await openAs(page, person, "/create");
    await expectLive(page);

    await sendMessage(page, "The newest of all");

    await expect(page.getByText("The newest of all")).toBeVisible();
    await expect(page.locator("article")).toHaveCount(50);
  });

  test("no Firebase is fetched until somebody opens the room", async ({ page }) => {
    const scripts: string[] = [];
    page.on("request", (request) => scripts.push(request.url()));
    const isFirebase = (url: string) =>
      /firestore|\/(messages|presence)\.client-[\w-]+\.js/i.test(url);
    await openHydrated(page, "/home");
    await page.waitForLoadState("networkidle");
    expect(scripts.filter(isFirebase)).toEqual([]);

    await page.getByText("The room", { exact: true }).click();

    await expectLive(page);
    expect(scripts.some(isFirebase)).toBe(true);
  });

  test("a visitor follows the room live", async ({ page, browser, app, person }) => {
    await using talk = await openRoomAs(browser, app, person);
    await page.goto("/read/anything");
    await page.getByText("The room", { exact: true }).click();
    await expectLive(page);

    await sendMessage(talk.page, "Can you hear me?");

    await expect(page.getByText("Can you hear me?")).toBeVisible({ timeout: 1000 });
  });

  test("the listener takes the server's list over without taking a line away", async ({
    page,
    app,
    person,
  }) => {
    await fillRoom(app.firebase, person, 8);
    await page.addInitScript(() => {
      const counts: number[] = [];
      Object.assign(window, { counts });
      document.addEventListener("DOMContentLoaded", () => {
        const count = () => counts.push(document.querySelectorAll("article").length);
        count();
        new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
      });
    });
    // Twice: the second time the cache holds what the first left.
    for (const _visit of ["first", "second"]) {
      await page.goto("/home");
      await page.getByText("The room", { exact: true }).click();
      await expectLive(page);
      const counts = await page.evaluate(() => Reflect.get(window, "counts"));
      expect(new Set(counts)).toEqual(new Set([8]));
    }
  });

  test("without a place to store things the room is live all the same", async ({
    page,
    person,
  }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, "indexedDB", { value: undefined });
    });
    await openAs(page, person, "/create");

    await expectLive(page);
    await sendMessage(page, "From memory");
    await expect(page.locator("article time")).toHaveCount(1);
  });

  test("offline, a message comes back to its box and is sent once when tried again", async ({
    page,
    person,
    allowError,
  }) => {
    allowError(/ERR_INTERNET_DISCONNECTED|WebChannelConnection|WebSocket|Could not reach/);
    // To learn whether it is offline, the SDK asks for a picture of google.com.
    allowError(/ERR_NAME_NOT_RESOLVED/);
    await openAs(page, person, "/create");
    await expectLive(page);
    await page.context().setOffline(true);

    await sendMessage(page, "Into the dark");
    await expect(page.getByText("You seem to be offline.")).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Into the dark");

    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.locator("article", { hasText: "Into the dark" })).toHaveCount(1);
    await expect(page.locator("article time")).toHaveCount(1);
  });

  test("a message that is taken away stays away, though its author's page is open", async ({
    page,
    person,
    app,
  }) => {
    await openAs(page, person, "/create");
    await expectLive(page);
    await sendMessage(page, "A slip of the tongue");
    await expect(page.locator("article time")).toHaveCount(1);

    await clearMessages(app.firebase.hosts);

    await expect(page.locator("article")).toHaveCount(0);
    await sendMessage(page, "Better so");
    await expect(page.locator("article")).toHaveText([/Better so/]);
  });

  test("a message that fails while its author goes on is found on the next page", async ({
    page,
    person,
    allowError,
  }) => {
    allowError(/ERR_FAILED/);
    await openAs(page, person, "/create");
    await expectLive(page);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/rooms/general/messages", async (route) => {
      await held;
      await route.abort();
    });
    await sendMessage(page, "Do not lose me");

    await page.getByRole("link", { name: "Home" }).click();
    await expect(page).toHaveURL("/home");
    release();
    await page.getByText("The room", { exact: true }).click();

    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Do not lose me");
  });

  test("a message whose answer is lost has one bubble, and does not stay in its box", async ({
    page,
    person,
    allowError,
  }) => {
    allowError(/ERR_FAILED/);
    await openAs(page, person, "/create");
    await expectLive(page);
    let isStored = false;
    await page.route("**/rooms/general/messages", async (route) => {
      if (!isStored) await route.fetch();
      isStored = true;
      await route.abort();
    });

    await sendMessage(page, "Only once");

    await expect(page.locator("article time")).toHaveCount(1);
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("");
    await expect(page.locator("article", { hasText: "Only once" })).toHaveCount(1);
    await expect(page.getByText("Not sent.", { exact: true })).toBeHidden();
  });

  test("messages behind one that failed wait for it, and are sent after it or without it", async ({
    page,
    person,
    allowError,
  }) => {
    allowError(/ERR_FAILED/);
    await openAs(page, person, "/create");
    await expectLive(page);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/rooms/general/messages", async (route) => {
      await held;
      await route.abort();
    });
    for (const text of ["One", "Two", "Three"]) await sendMessage(page, text);
    release();
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("One");
    await expect(page.locator("article")).toHaveText([/Waiting.*Two/, /Waiting.*Three/]);
    await page.unroute("**/rooms/general/messages");

    await page.getByPlaceholder("Type a message…").fill("");
    await page.getByRole("button", { name: "Send again" }).click();

    await expect(page.locator("article time")).toHaveCount(2);
    await expect(page.locator("article")).toHaveText([/Two/, /Three/]);
    await expect(page.getByText("Not sent.", { exact: true })).toBeHidden();
  });

  test("one person's words are not shown to another in the same browser, and wait for their writer", async ({
    page,
    person,
    addPerson,
    context,
  }) => {
    await openAs(page, person, "/create");
    await expectHydrated(page);
    const box = page.getByPlaceholder("Type a message…");
    await box.fill("Mine alone");
    const header = page.getByRole("region", { name: "The room" }).locator("header");

    const tab = await context.newPage();
    await signIn(tab, await addPerson({ displayName: "Tomas Lund" }));
    await expect(header).toContainText("Tomas Lund");
    await expect(box).toHaveValue("");
    await signIn(tab, person);

    await expect(header).toContainText(person.displayName);
    await expect(box).toHaveValue("Mine alone");
  });

  test("what was written before somebody else signed in is not said by them, and is not lost", async ({
    page,
    person,
    addPerson,
    app,
  }) => {
    const { email, password } = await addPerson({ displayName: "Tomas Lund" });
    await openAs(page, person, "/create");
    await expectLive(page);
    const form = { email, password };
    await page.request.post("/login", { form, headers: { Origin: app.url }, maxRedirects: 0 });

    await sendMessage(page, "Mine alone");

    await expect(page.getByText("Someone else is signed in now.")).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Mine alone");
    await openAs(page, person, "/home#room");
    await expect(page.getByText("Nobody has spoken yet.")).toBeVisible();
  });

  test("the room is accessible, to visitors and to those who talk", async ({ page, person }) => {
    await page.goto("/home#room");
    await expectLive(page);
    await expectAccessible(page);

    await openAs(page, person, "/create");
    await sendMessage(page, "Hello");
    await expect(page.locator("article time")).toHaveCount(1);
    await expectAccessible(page);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeRoom();

  test("sending the same form again makes no second message", async ({ page, person, app }) => {
    await openAs(page, person, "/profile");
    await openRoom(page);
    const id = await page.locator("input[name=messageId]").inputValue();
    await sendMessage(page, "Only once");
    await expect(page.getByText("Only once")).toBeVisible();

    // As a browser does when somebody presses Send twice, or goes back and presses it again.
    const headers = { Origin: app.url };
    const again = await page.request.post("/home", {
      form: toMessageForm({ id, text: "Only once" }),
      headers,
    });

    expect(again.status()).toBe(200);
    await page.reload();
    await expect(page.getByText("Only once")).toHaveCount(1);
  });

  for (const path of ["/home", "/create"]) {
    test(`what was written on ${path} is not said by another who signed in meanwhile`, async ({
      page,
      person,
      addPerson,
      context,
    }) => {
      const tomas = await addPerson({ displayName: "Tomas Lund" });
      await openAs(page, person, "/profile");
      await openRoom(page, path);
      const tab = await context.newPage();
      await openAs(tab, tomas, "/profile");

      // Pressed twice: it goes on being the first person's.
      await sendMessage(page, "Mine alone");
      await page.getByRole("button", { name: "Send" }).click();

      await expect(page.getByText("Someone else is signed in now.")).toBeVisible();
      await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Mine alone");
      await openAs(tab, person, "/profile");
      await page.getByRole("button", { name: "Send" }).click();
      await expect(page.locator("article")).toHaveText([/Robin Vale.*Mine alone/]);
    });
  }
});

/** What the room promises with and without JavaScript. */
function describeRoom() {
  test("a visitor reads the room and is asked to sign in", async ({ page, app, person }) => {
    await fillRoom(app.firebase, person, 2);
    await openRoom(page);

    await expect(page.locator("article")).toHaveText([/Robin Vale.+Message 1/, /Message 2/]);
    await expect(page.getByText("Please sign in to chat.")).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toBeHidden();
  });

  test("a message that was sent is the last one, and on the right", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    await openRoom(page);

    await sendMessage(page, "<b>Hello</b> & welcome");

    const message = page.locator("article").last();
    await expect(message).toContainText("<b>Hello</b> & welcome");
    await expect(message).toContainText(person.displayName);
    await expect(message.locator("time")).toBeVisible();
    await expect(message).toHaveAttribute("data-own");
  });

  for (const path of ["/home", "/create"]) {
    test(`a message too many on ${path} comes back, with the time when it can be sent`, async ({
      page,
      person,
      app,
    }) => {
      await openAs(page, person, "/profile");
      await openRoom(page, path);
      const { hosts } = app.firebase;
      await setRateRecord(hosts, person.localId, "messages", [4, 3, 2, 1, 0]);

      await sendMessage(page, "One too many");

      await expect(
        page.getByText(/^You can send another message in \d+ seconds?\.$/),
      ).toBeVisible();
      await expect(page.getByPlaceholder("Type a message…")).toHaveValue("One too many");
      await clearRateRecords(hosts, person.localId);
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await expect(page.locator("article time")).toHaveCount(1);
      await expect(page.locator("article")).toHaveText(/One too many/);
    });

    test(`once the session is gone, ${path} gives the text back`, async ({ page, person }) => {
      await openAs(page, person, "/profile");
      await openRoom(page, path);
      await page.context().clearCookies();

      await sendMessage(page, "Do not lose me");

      await expect(page.getByText("Not authenticated", { exact: true })).toBeVisible();
      await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Do not lose me");
      await expect(page).toHaveURL(path);
    });
  }
}

async function openRoom(page: Page, path = "/home") {
  await page.goto(path);
  if (path !== "/create") await page.getByText("The room", { exact: true }).click();
}
