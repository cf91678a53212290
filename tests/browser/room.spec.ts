import type { Page } from "@playwright/test";

import { clearMessages } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, openRoom, ROOM_PATH, sendMessage, signInSender } from "./room.ts";
import { openAs, signIn } from "./sign-in.ts";

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeRoom();
  describeSentMessage();

  test("shows the newest message of a room with more than 50", async ({ page, person, app }) => {
    await fillRoom(app.firebase, person, 55);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);

    await sendMessage(page, "The newest of all");

    await expect(page.getByText("The newest of all", { exact: true })).toBeVisible();
    await expect(page.locator("article")).toHaveCount(50);
  });

  test("fetches no Firebase code until the room is opened", async ({ page }) => {
    const scripts: string[] = [];
    page.on("request", (request) => scripts.push(request.url()));
    const isFirebase = (url: string) => /firestore|firebase/i.test(url);
    await page.goto("/home");
    await page.waitForLoadState("networkidle");
    expect(scripts.filter(isFirebase)).toEqual([]);

    await openRoom(page);

    await expectLive(page);
    expect(scripts.some(isFirebase)).toBe(true);
  });

  test("shows new messages to a visitor", async ({ page, app, person }) => {
    await using sender = await signInSender(app, person);
    await page.goto("/read/anything");
    await openRoom(page);
    await expectLive(page);

    await sender.send("Can you hear me?");

    await expect(page.getByText("Can you hear me?", { exact: true })).toBeVisible({
      timeout: 1000,
    });
  });

  test("replaces the server's messages with the live ones without removing any", async ({
    page,
    app,
    person,
  }) => {
    await fillRoom(app.firebase, person, 8);
    await page.addInitScript(() => {
      const counts: number[] = [];
      Object.assign(window, { counts });
      document.addEventListener("DOMContentLoaded", () => {
        // The room at the end of the page is for browsers without scripts.
        const count = () => {
          const feed = document.querySelector("[role=log]:not(details *)");
          if (feed) counts.push(feed.querySelectorAll("article").length);
        };
        new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
      });
    });
    // The second visit starts with the cache of the first, and the room is still open.
    for (const visit of ["first", "second"]) {
      await page.goto("/home");
      if (visit === "first") await openRoom(page);
      await expectLive(page);
      const counts = await page.evaluate(() => Reflect.get(window, "counts"));
      expect(new Set(counts)).toEqual(new Set([8]));
    }
  });

  test("shows new messages in a browser without storage", async ({ page, person }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, "indexedDB", { value: undefined });
    });
    await openAs(page, person, ROOM_PATH);

    await expectLive(page);
    await sendMessage(page, "From memory");
    await expect(page.locator("article time")).toHaveCount(1);
  });

  test("does not show a deleted message again on its sender's page", async ({
    page,
    person,
    app,
  }) => {
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await sendMessage(page, "A slip of the tongue");
    await expect(page.locator("article time")).toHaveCount(1);

    await clearMessages(app.firebase.hosts);

    await expect(page.locator("article")).toHaveCount(0);
    await sendMessage(page, "Better so");
    await expect(page.locator("article")).toHaveText([/Better so/]);
  });

  test("keeps what a user has typed for them when another user signs in", async ({
    page,
    person,
    addPerson,
    context,
  }) => {
    await openAs(page, person, ROOM_PATH);
    const box = page.getByPlaceholder("Type a message…");
    await box.fill("Mine alone");
    const header = page.getByRole("region", { name: "The room", exact: true }).locator("header");

    const tab = await context.newPage();
    await signIn(tab, await addPerson({ displayName: "Tomas Lund" }));
    await expect(header).toContainText("Tomas Lund");
    await expect(box).toHaveValue("");
    await signIn(tab, person);

    await expect(header).toContainText(person.displayName);
    await expect(box).toHaveValue("Mine alone");
  });

  test("does not send what a user typed as another user, and keeps it", async ({
    page,
    person,
    addPerson,
    app,
  }) => {
    const { email, password } = await addPerson({ displayName: "Tomas Lund" });
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    const form = { email, password };
    await page.request.post("/login", { form, headers: { Origin: app.url }, maxRedirects: 0 });

    await sendMessage(page, "Mine alone");

    await expect(page.getByText("Someone else is signed in now.")).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Mine alone");
    await openAs(page, person, "/home#room");
    await expect(page.getByText("Nobody has spoken yet.")).toBeVisible();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeSentMessage();

  test("on a phone, the form for messages is above the links at the bottom", async ({
    page,
    person,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openAs(page, person, "/home#room");

    const send = await page.getByRole("button", { name: "Send", exact: true }).boundingBox();
    const links = await page.getByRole("banner").getByRole("list").boundingBox();
    expect(links?.y).toBeGreaterThan((send?.y ?? Infinity) + (send?.height ?? 0));
  });
});

/** Tests with JavaScript; tests/chat/room-without-scripts.test.ts tests the same without it. */
function describeRoom() {
  test("shows the room to a visitor, and asks them to sign in", async ({ page, app, person }) => {
    await fillRoom(app.firebase, person, 2);
    await openRoomOn(page, "/home");

    await expect(page.locator("article")).toHaveText([/Robin Vale.+Message 1/, /Message 2/]);
    await expect(page.getByText("Please sign in to chat.")).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toBeHidden();
  });

  for (const path of ["/home", "/create"]) {
    test(`returns the text on ${path} once the session has ended`, async ({ page, person }) => {
      await openAs(page, person, "/profile");
      await openRoomOn(page, path);
      await page.context().clearCookies();

      await sendMessage(page, "Do not lose me");

      await expect(page.getByText("Not authenticated", { exact: true })).toBeVisible();
      await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Do not lose me");
      await expect(page).toHaveURL(new RegExp(`${path}(?:#room)?$`));
    });
  }
}

/** Tests that run with and without JavaScript. */
function describeSentMessage() {
  test("shows a sent message last and on the right", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    await openRoomOn(page, "/home");

    await sendMessage(page, "<b>Hello</b> & welcome");

    const message = page.locator("article").last();
    await expect(message).toContainText("<b>Hello</b> & welcome");
    await expect(message).toContainText(person.displayName);
    await expect(message.locator("time")).toBeVisible();
    await expect(message).toHaveAttribute("data-own");
  });
}

async function openRoomOn(page: Page, path: string) {
  await page.goto(path);
  if (path !== "/create") await openRoom(page);
}
