import type { Page } from "@playwright/test";

import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { changeDocument, clearMessages, readDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { clearRateRecords, setRateRecord } from "#tests/support/rate-records.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import {
  expectLive,
  findLiveFrame,
  openRoomAs,
  ROOM_PATH,
  sendMessage,
  signInSender,
} from "./room.ts";
import { openAs, submitSignIn } from "./sign-in.ts";

const UNDO_MS = 10_000;

/** Opens the menu of the message with this text. */
async function openMenu(page: Page, text: string) {
  const item = page.getByRole("listitem").filter({ hasText: text });
  await item.getByRole("button", { name: /^Actions for / }).click();
  return page.getByRole("menu");
}

async function choose(page: Page, text: string, action: string) {
  await (await openMenu(page, text)).getByRole("menuitem", { name: action }).click();
}

/** Sends a message, and waits until it is stored. */
async function post(page: Page, text: string) {
  await sendMessage(page, text);
  await expect(page.locator("article", { hasText: text }).locator("time")).toBeVisible();
}

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });

  test("deletes a message for everybody after ten seconds, unless the user undoes it", async ({
    page: ana,
    browser,
    app,
    person,
    addPerson,
  }) => {
    const reader = await addPerson({ displayName: "Tomas Lund" });
    await using talk = await openRoomAs(browser, app, reader);
    await ana.clock.install();
    await openAs(ana, person, ROOM_PATH);
    await expectLive(ana);
    await post(ana, "To be or not");

    await choose(ana, "To be or not", "Delete");
    await expect(ana.getByText(/^Deleted\./)).toBeVisible();
    await expect(ana.getByText(/^\d+ s left$/)).toBeVisible();
    await expect(ana.getByRole("log").getByRole("button", { name: "Undo" })).toBeFocused();
    await expect(ana.locator("article")).toHaveCount(0);
    await expect(talk.page.getByText("To be or not", { exact: true })).toBeVisible();
    await ana.keyboard.press("Enter");
    await expect(ana.locator("article")).toHaveText(/To be or not/);
    await expect(ana.locator("article")).toBeFocused();

    await choose(ana, "To be or not", "Delete");
    await expect(ana.getByRole("log").getByRole("button", { name: "Undo" })).toBeFocused();
    await ana.clock.fastForward(UNDO_MS);
    await expect(talk.page.locator("article")).toHaveCount(0, { timeout: 5000 });
    await expect(ana.getByRole("log")).toBeFocused();
    await expect(ana.getByText(/^Deleted\./)).toBeHidden();
    await expect(ana.locator("article")).toHaveCount(0);

    await post(ana, "Gone with the page");
    await expect(talk.page.locator("article")).toHaveCount(1);
    await choose(ana, "Gone with the page", "Delete");
    await ana.goto("about:blank");
    await expect(talk.page.locator("article")).toHaveCount(0, { timeout: 5000 });

    await ana.goto("/home#room");
    await expectLive(ana);
    await post(ana, "Gone with the session");
    await expect(talk.page.locator("article")).toHaveCount(1);
    await choose(ana, "Gone with the session", "Delete");
    await ana.getByRole("button", { name: "Sign out" }).press("Enter");
    await expect(talk.page.locator("article")).toHaveCount(0, { timeout: 5000 });
    await expect(ana.getByRole("region", { name: "The room", exact: true })).toBeFocused();
  });

  test("Undo says what was deleted, and leaves the focus to the next message", async ({
    page,
    app,
    person,
  }) => {
    await fillRoom(app.firebase, person, 3);
    await page.clock.install();
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);

    await choose(page, "Message 2", "Delete");
    const undo = page.getByRole("log").getByRole("button", { name: "Undo" });
    await expect(undo).toBeFocused();
    await expect(undo).toHaveAccessibleDescription("Deleted. Message 2");
    await page.clock.fastForward(UNDO_MS);
    await expect(undo).toBeHidden();
    await expect(page.locator("article", { hasText: "Message 3" })).toBeFocused();

    await choose(page, "Message 1", "Delete");
    await expect(undo).toBeFocused();
    await page.getByPlaceholder("Type a message…").focus();
    await page.clock.fastForward(UNDO_MS);
    await expect(undo).toBeHidden();
    await expect(page.getByPlaceholder("Type a message…")).toBeFocused();
  });

  test("an edit and an operator's removal of a message reach everybody", async ({
    page,
    browser,
    app,
    person,
    addPerson,
  }) => {
    const tomas = await addPerson({ displayName: "Tomas Lund" });
    await using talk = await openRoomAs(browser, app, tomas);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await post(page, "Helo");
    await page.getByPlaceholder("Type a message…").fill("Half-written");

    await choose(page, "Helo", "Edit");
    const field = page.getByRole("textbox", { name: "Edit message" });
    await expect(field).toBeFocused();
    await expect(field).toHaveValue("Helo");
    await expect(page.locator("article")).toHaveText(/ Editing….*Helo/);
    await page.keyboard.press("Escape");
    await expect(page.locator("article")).not.toContainText("Editing…");
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Half-written");

    await choose(page, "Helo", "Edit");
    await field.fill("Hello there");
    const save = page.locator("#room").getByRole("button", { name: "Save", exact: true });
    await setRateRecord(app.firebase.hosts, person.localId, "messages", Array(30).fill(20_000));
    await save.click();
    await expect(page.getByText(/^Try again in \d+ seconds\.$/)).toBeVisible();
    await expect(field).toHaveValue("Hello there");
    await clearRateRecords(app.firebase.hosts, person.localId);
    await save.click();
    for (const shown of [page, talk.page]) {
      await expect(shown.locator("article")).toHaveText(/ edited.*Hello there/, { timeout: 5000 });
    }
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Half-written");
    await expect(page.getByPlaceholder("Type a message…")).toBeFocused();

    await choose(talk.page, "Hello there", "Report");
    const dialog = talk.page.getByRole("dialog", { name: "Report this message" });
    await dialog.getByRole("radio", { name: "Something else" }).check();
    await dialog.getByRole("textbox", { name: "Details (optional)" }).fill("It never burns.");
    await expectAccessible(talk.page);
    await dialog.getByRole("button", { name: "Report", exact: true }).click();
    await expect(talk.page.getByText("Thank you. We look at reports every day.")).toBeVisible();
    await expect(dialog).toBeHidden();
    const actions = talk.page.getByRole("button", { name: /^Actions for Robin Vale's message/ });
    await expect(actions).toBeFocused();
    await choose(talk.page, "Hello there", "Report");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(actions).toBeFocused();
    await choose(talk.page, "Hello there", "Report");
    await expect(dialog).toBeVisible();
    await talk.page.keyboard.press("Escape");
    await expect(actions).toBeFocused();
    const id = await readMessageId(page, app.firebase.hosts);
    expect(await readDocument(app.firebase.hosts, `reports/${id}_${tomas.localId}`)).toMatchObject({
      text: { stringValue: "Hello there" },
      sender: { stringValue: person.localId },
      reason: { stringValue: "Something else: It never burns." },
    });

    // An operator removes the message.
    await clearMessages(app.firebase.hosts);
    for (const shown of [page, talk.page]) await expect(shown.locator("article")).toHaveCount(0);
  });

  test("keeps an unfinished edit after leaving the page or a reload, for its user alone", async ({
    page,
    person,
    addPerson,
  }) => {
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await post(page, "Helo");
    await post(page, "Good bye");
    const field = page.getByRole("textbox", { name: "Edit message" });
    const save = page.locator("#room").getByRole("button", { name: "Save", exact: true });
    await choose(page, "Helo", "Edit");
    await field.fill("Hello, and more");
    await choose(page, "Good bye", "Edit");
    await field.fill("Goodbye");

    await page.getByRole("link", { name: "Home" }).first().click();
    await expect(page).toHaveURL(/\/home/);
    await expect(field).toHaveValue("Goodbye");
    const roomLink = page.getByRole("banner").getByRole("link", { name: /^Room/ });
    await roomLink.click();
    await expect(field).toBeHidden();
    await roomLink.click();
    await expect(field).toHaveValue("Goodbye");
    await field.fill("Goodbye, all");
    await page.reload();
    await expectLive(page);
    await choose(page, "Good bye", "Edit");
    await expect(field).toHaveValue("Goodbye, all");
    await page.keyboard.press("Escape");
    await choose(page, "Good bye", "Edit");
    await expect(field).toHaveValue("Good bye");
    await choose(page, "Helo", "Edit");
    await expect(field).toHaveValue("Hello, and more");

    await openAs(page, await addPerson({ displayName: "Tomas Lund" }), ROOM_PATH);
    await expectLive(page);
    await expect(page.getByText("Helo", { exact: true })).toBeVisible();
    await expect(field).toBeHidden();
    const menu = await openMenu(page, "Helo");
    await expect(menu.getByRole("menuitem", { name: "Edit" })).toBeHidden();

    await openAs(page, person, "/home#room");
    await expectLive(page);
    await choose(page, "Helo", "Edit");
    await expect(field).toHaveValue("Hello, and more");
    await save.click();
    await expect(page.locator("article").first()).toHaveText(/ edited.*Hello, and more/);
    await choose(page, "Hello, and more", "Edit");
    await expect(field).toHaveValue("Hello, and more");
    await field.fill("Hello");
    await page.reload();
    await expectLive(page);
    await choose(page, "Hello, and more", "Edit");
    await expect(field).toHaveValue("Hello");
  });

  test("hides a person, and shows them again from the feed and from the profile", async ({
    page: ana,
    app,
    person,
    addPerson,
  }) => {
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
    await openAs(ana, person, ROOM_PATH);
    await expectLive(ana);
    await tomas.send("Noise");
    await post(ana, "Please stop");

    const menu = await openMenu(ana, "Noise");
    await expect(menu.getByRole("menuitem")).toHaveText([
      "Reply",
      "Copy",
      "Hide this person",
      "Report",
    ]);
    await menu.getByRole("menuitem", { name: "Hide this person" }).click();
    await expect(ana.getByText("1 hidden message")).toBeVisible();
    await expect(ana.getByRole("log")).toBeFocused();
    await expect(ana.locator("article")).toHaveText([/Please stop/]);
    await ana.getByRole("button", { name: "Close", exact: true }).click();
    await expect(ana.getByText("You won't see Tomas Lund's messages any more.")).toBeHidden();
    await expect(ana.locator("article", { hasText: "Please stop" })).toBeFocused();
    await tomas.send("More noise");
    await expect(ana.getByText("1 hidden message")).toHaveCount(2);
    await expectAccessible(ana);

    await ana.getByRole("button", { name: "Show" }).first().click();
    await expect(ana.locator("article")).toHaveText([/Noise/, /Please stop/]);
    await ana.goto("/profile?tab=hidden#room");
    await expectLive(ana);
    await expect(ana.getByText("1 hidden message")).toHaveCount(2);

    await ana.getByRole("button", { name: "Show again Tomas Lund" }).click();
    await expect(ana.getByText("You'll see their messages again.")).toBeVisible();
    await expect(ana.getByText("You haven't hidden anyone.")).toBeVisible();
    await expectAccessible(ana);
    await ana.reload();
    await expect(ana.locator("article")).toHaveCount(3);
  });

  test("does not say that a hidden person is typing", async ({
    page: ana,
    browser,
    app,
    person,
    addPerson,
  }) => {
    const tomas = await addPerson({ displayName: "Tomas Lund" });
    await using talk = await openRoomAs(browser, app, tomas);
    const mira = await addPerson({ displayName: "Mira Okafor" });
    await using other = await openRoomAs(browser, app, mira);
    await openAs(ana, person, ROOM_PATH);
    await expectLive(ana);
    await post(talk.page, "Noise");
    const menu = await openMenu(ana, "Noise");
    await menu.getByRole("menuitem", { name: "Hide this person" }).click();
    await expect(ana.getByText("1 hidden message")).toBeVisible();

    await expect(async () => {
      for (const { page } of [talk, other]) {
        await page.getByPlaceholder("Type a message…").pressSequentially("Well");
      }
      await expect(ana.getByText(/typing…$/)).toHaveText("Mira Okafor is typing…", {
        timeout: 1000,
      });
    }).toPass();
  });

  test("a message's menu opens with the keyboard, and offers only what the user may do", async ({
    page,
    context,
    app,
    person,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await post(page, "Say it again");
    const button = page.getByRole("button", { name: /^Actions for your message of / });
    const box = await button.boundingBox();
    expect([box?.width, box?.height]).toEqual([44, 44]);

    await button.press("ArrowDown");
    await expect(page.getByRole("menuitem", { name: "Reply" })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    await button.press("Enter");
    await page.getByRole("menuitem", { name: "Reply" }).press("Enter");
    await expect(page.getByText("Replying to Robin Vale")).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toBeFocused();

    await choose(page, "Say it again", "Edit");
    const id = await readMessageId(page, app.firebase.hosts);
    const createdAt = { timestampValue: new Date(Date.now() - 16 * 60_000).toISOString() };
    await changeDocument(app.firebase.hosts, `rooms/general/messages/${id}`, { createdAt });
    await page.getByRole("textbox", { name: "Edit message" }).fill("Too late");
    await page.locator("#room").getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("This message can't be edited any more.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Edit message" })).toHaveValue("Too late");
    await page.getByRole("button", { name: "Cancel" }).click();
    const menu = await openMenu(page, "Say it again");
    await expect(menu.getByRole("menuitem")).toHaveText(["Reply", "Copy", "Delete"]);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByText("Please sign in to chat.")).toBeVisible();
    await openMenu(page, "Say it again");
    await expect(menu.getByRole("menuitem")).toHaveText(["Copy", "Sign in to report"]);
    await menu.getByRole("menuitem", { name: "Copy" }).click();
    await expect(page.getByText("Copied.")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("Say it again");
  });

  test("the buttons of all menus are in one column, and show with their row or the focus", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    await fillRoom(app.firebase, await addPerson({ displayName: "Tomas Lund" }), 3);
    await page.setViewportSize({ width: 1280, height: 800 });
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await post(page, "Mine");
    await page.mouse.move(0, 0);
    const buttons = page.getByRole("button", { name: /^Actions for / });
    await expect(buttons).toHaveCount(4);
    const boxes = await Promise.all((await buttons.all()).map((button) => button.boundingBox()));
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(1);
    const bubbles = await page
      .locator("article")
      .evaluateAll((articles) => articles.map((article) => article.getBoundingClientRect().right));
    expect(Math.max(...bubbles)).toBeLessThanOrEqual(boxes[0]?.x ?? 0);

    await expect(buttons.first()).toHaveCSS("opacity", "0");
    await page.locator("article").first().hover();
    await expect(buttons.first()).toHaveCSS("opacity", "1");
    await page.locator("article").last().focus();
    await expect(buttons.last()).toHaveCSS("opacity", "1");
  });

  test("a message's page of forms is accessible, and works with scripts, too", async ({
    page,
    person,
    addPerson,
    app,
  }) => {
    await fillRoom(app.firebase, await addPerson({ displayName: "Tomas Lund" }), 1);
    await openAs(page, person, "/rooms/general/messages/filled-0000/actions");
    await expectAccessible(page);

    await page.getByLabel("Something else").check();
    await page.getByRole("button", { name: "Report" }).click();

    await expect(page).toHaveURL("/home#room");
    await expect(page.getByText("Thank you. We look at reports every day.")).toBeVisible();
  });
});

test.describe("on a phone", () => {
  test.use({ javaScriptEnabled: true, viewport: { width: 360, height: 740 }, hasTouch: true });

  test("the menu of the newest message opens above it, and the feed stays where it is", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    await fillRoom(app.firebase, person, 12);
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    const message = page.locator("article").last();

    for (const text of ["Short", "So long. ".repeat(40)]) {
      await tomas.send(text);
      await expect(message).toContainText(text.trim());
      await expect(message).toBeInViewport({ ratio: 1 });
      const before = await message.boundingBox();
      const menu = await openMenu(page, text.trim());

      const box = await menu.boundingBox();
      expect(await message.boundingBox()).toEqual(before);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(before?.y ?? 0);
      expect(box?.y).toBeGreaterThanOrEqual(0);
      await page.keyboard.press("Escape");
      await expect(menu).toBeHidden();
    }
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("shows a hidden person again from the profile", async ({ page, person, app }) => {
    await changeDocument(app.firebase.hosts, `users/${person.localId}/hidden/tomas`, {
      name: { stringValue: "Tomas Lund" },
    });
    await openAs(page, person, "/profile");
    await page.getByRole("link", { name: "Hidden", exact: true }).click();

    await page.getByRole("button", { name: "Show again Tomas Lund" }).click();

    await expect(page.getByText("You'll see their messages again.")).toBeVisible();
    await expect(page.getByText("You haven't hidden anyone.")).toBeVisible();
  });

  test("edits, deletes, hides and reports messages on a page of forms", async ({
    page,
    person,
    addPerson,
    app,
    browser,
  }) => {
    const story = "/read/the-lamplighters-orchard?x=1";
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
    await tomas.send("Buy my lamp oil");
    await openAs(page, person, story);
    await page.getByText("The room", { exact: true }).click();
    await post(page, "Helo");

    await page.getByRole("link", { name: /^Actions for your message of / }).click();
    await expect(page.getByRole("heading", { name: "Your message" })).toBeVisible();
    await page.getByLabel("Edit message").fill("Hello");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page).toHaveURL(`${story}#room`);
    await expect(page.getByText("Your message was changed.")).toBeInViewport();
    await expect(page.locator("#room article")).toHaveText([/Buy my lamp oil/, /edited.*Hello$/]);

    await page.getByRole("link", { name: /^Actions for your message of / }).click();
    await page.getByRole("link", { name: "Delete this message" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(page.getByText("Your message was deleted.")).toBeInViewport();
    await expect(page.locator("#room article")).toHaveText([/Buy my lamp oil/]);

    await page.getByRole("link", { name: /^Actions for Tomas Lund's message of / }).click();
    await page.getByLabel("Something else").check();
    await page.getByLabel("Details (optional)").fill("It never burns.");
    await page.getByRole("button", { name: "Report" }).click();
    await expect(page.getByText("Thank you. We look at reports every day.")).toBeInViewport();

    await tomas.send("Still for sale");
    const live = await findLiveFrame(page);
    await page.getByTitle("New messages").scrollIntoViewIfNeeded();
    await live.getByRole("link", { name: /^Actions for Tomas Lund's message of / }).click();
    await page.getByRole("button", { name: "Hide this person" }).click();
    await expect(page).toHaveURL(`${story}#room`);
    await expect(page.getByText("You won't see their messages any more.")).toBeInViewport();
    await expect(page.getByText("2 hidden messages")).toBeVisible();
    await expect(page.locator("#room article")).toHaveCount(0);

    await using context = await browser.newContext({
      baseURL: app.url,
      javaScriptEnabled: false,
    });
    const visitor = await context.newPage();
    await visitor.goto("/home#room");
    await visitor
      .getByRole("link", { name: /^Actions for / })
      .first()
      .click();
    await visitor.getByRole("link", { name: "sign in", exact: true }).click();
    await submitSignIn(visitor, person);
    await expect(visitor.getByText("Buy my lamp oil")).toBeVisible();
    await visitor.getByRole("button", { name: "Report" }).click();
    await expect(visitor).toHaveURL("/home#room");
  });
});

/** Returns the id of the only message. */
async function readMessageId(page: Page, hosts: { FIRESTORE_EMULATOR_HOST: string }) {
  const root = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;
  const url = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${root}/rooms/general/messages?pageSize=1`;
  const response = await page.request.get(url);
  return /messages\/([\w-]+)"/.exec(await response.text())?.[1] ?? "";
}
