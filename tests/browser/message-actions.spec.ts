import type { Locator, Page } from "@playwright/test";

import { toMessagePagePath } from "#app/chat/message-intents.ts";
import { writeDatabase } from "#tests/support/database-values.ts";
import {
  changeDocument,
  clearMessages,
  readDocument,
  setDocuments,
} from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { clearRateRecords, setRateRecord } from "#tests/support/rate-records.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import {
  expectLive,
  findLiveFrame,
  openRoomAs,
  ROOM_PATH,
  sendMessage,
  signInSender,
} from "./room.ts";
import { openAs } from "./sign-in.ts";

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
  test("keeps a change to a message that was typed before scripts ran", async ({
    page,
    person,
    app,
  }) => {
    await using sender = await signInSender(app, person);
    const id = await sender.send("Good evening");
    await page.addInitScript(() => {
      document.addEventListener("readystatechange", () => {
        const field = document.querySelector<HTMLTextAreaElement>("[name=text]");
        if (field && document.readyState === "interactive") field.value += ", all";
      });
    });
    await openAs(page, person, toMessagePagePath(id));
    await expect(page.getByLabel("Edit message")).toHaveValue("Good evening, all");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.locator("article", { hasText: "Good evening, all" })).toBeVisible();
  });

  test("deletes a message for everybody after ten seconds, unless the user undoes it", async ({
    page: ana,
    browser,
    app,
    person,
    addPerson,
  }) => {
    await fillRoom(app.firebase, person, 3);
    const reader = await addPerson({ displayName: "Tomas Lund" });
    await using talk = await openRoomAs(browser, app, reader);
    await ana.clock.install();
    await openAs(ana, person, ROOM_PATH);
    await expectLive(ana);
    const articles = ana.locator("article");
    const undo = ana.getByRole("log").getByRole("button", { name: "Undo" });
    const field = ana.getByPlaceholder("Type a message…");

    await test.step("Undo says what was deleted, and leaves the focus to the next message", async () => {
      await choose(ana, "Message 2", "Delete");
      await expect(undo).toBeFocused();
      await expect(undo).toHaveAccessibleDescription("Deleted. Message 2");
      await ana.clock.fastForward(UNDO_MS);
      await expect(undo).toBeHidden();
      await expect(ana.locator("article", { hasText: "Message 3" })).toBeFocused();

      await choose(ana, "Message 1", "Delete");
      await expect(undo).toBeFocused();
      await field.focus();
      await ana.clock.fastForward(UNDO_MS);
      await expect(undo).toBeHidden();
      await expect(field).toBeFocused();
    });

    await test.step("others see the message until then, and Undo brings it back", async () => {
      await expect(talk.page.locator("article")).toHaveText([/Message 3/]);
      await choose(ana, "Message 3", "Delete");
      await expect(ana.getByText(/^Deleted\./)).toBeVisible();
      await expect(ana.getByText(/^\d+ s left$/)).toBeVisible();
      await expect(undo).toBeFocused();
      await expect(articles).toHaveCount(0);
      await expect(talk.page.getByText("Message 3", { exact: true })).toBeVisible();
      await ana.keyboard.press("Enter");
      await expect(articles).toHaveText(/Message 3/);
      await expect(articles).toBeFocused();

      await choose(ana, "Message 3", "Delete");
      await expect(undo).toBeFocused();
      await ana.clock.fastForward(UNDO_MS);
      await expect(talk.page.locator("article")).toHaveCount(0);
      await expect(ana.getByRole("log")).toBeFocused();
      await expect(ana.getByText(/^Deleted\./)).toBeHidden();
      await expect(articles).toHaveCount(0);
    });

    await test.step("leaving the page and signing out delete it at once", async () => {
      await post(ana, "Gone with the page");
      await expect(talk.page.locator("article")).toHaveCount(1);
      await choose(ana, "Gone with the page", "Delete");
      await ana.goto("about:blank");
      await expect(talk.page.locator("article")).toHaveCount(0);

      await ana.goto("/home#room");
      await expectLive(ana);
      await post(ana, "Gone with the session");
      await expect(talk.page.locator("article")).toHaveCount(1);
      await choose(ana, "Gone with the session", "Delete");
      await ana.getByRole("button", { name: "Sign out" }).press("Enter");
      await expect(talk.page.locator("article")).toHaveCount(0);
      await expect(ana.getByRole("region", { name: "The room", exact: true })).toBeFocused();
    });
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
      await expect(shown.locator("article")).toHaveText(/ edited.*Hello there/);
    }
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Half-written");
    await expect(page.getByPlaceholder("Type a message…")).toBeFocused();

    await choose(talk.page, "Hello there", "Report");
    const dialog = talk.page.getByRole("dialog", { name: "Report this message" });
    await dialog.getByRole("radio", { name: "Something else" }).check();
    await dialog.getByRole("textbox", { name: "Details (optional)" }).fill("It never burns.");
    await expectAccessible(talk.page, { within: "[role=dialog]" });
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
    const id = await readMessageId(page.locator("article"));
    expect(await readDocument(app.firebase.hosts, `reports/${id}_${tomas.localId}`)).toMatchObject({
      text: { stringValue: "Hello there" },
      sender: { stringValue: person.localId },
      reason: { stringValue: "Something else: It never burns." },
    });

    // An operator removes the message.
    await clearMessages(app.firebase.hosts);
    for (const shown of [page, talk.page]) await expect(shown.locator("article")).toHaveCount(0);
  });

  test("a message stays marked as edited after a hundred newer edits", async ({
    page,
    app,
    person,
  }) => {
    const { hosts } = app.firebase;
    const uid = { stringValue: person.localId };
    const toEdit = (id: string, hoursFromNow: number) => {
      const time = new Date(Date.now() + hoursFromNow * 3_600_000);
      const editedAt = { timestampValue: time.toISOString() };
      return { path: `rooms/general/edits/${id}`, fields: { uid, editedAt } };
    };
    await fillRoom(app.firebase, person, 2);
    // The page gets the newest hundred edits. 99 newer ones leave room for that of the first message.
    const newer = Array.from({ length: 99 }, (_, index) => toEdit(`newer-${index}`, 1));
    await setDocuments(hosts, newer);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    const articles = page.locator("article");
    await setDocuments(hosts, [toEdit("filled-0000", 0)]);
    await expect(articles.first()).toContainText("edited");

    await setDocuments(hosts, [toEdit("filled-0001", 2)]);

    await expect(articles.last()).toContainText("edited");
    await expect(articles.first()).toContainText("edited");
  });

  test("keeps an unfinished edit after leaving the page or a reload, for its user alone", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    await fillRoom(app.firebase, person, 2);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    const field = page.getByRole("textbox", { name: "Edit message" });
    const save = page.locator("#room").getByRole("button", { name: "Save", exact: true });
    await choose(page, "Message 1", "Edit");
    await field.fill("Hello");
    await save.click();
    await expect(page.locator("article").first()).toHaveText(/ edited.*Hello/);
    await choose(page, "Hello", "Edit");
    await expect(field).toHaveValue("Hello");
    await field.fill("Hello, and more");
    await choose(page, "Message 2", "Edit");
    await field.fill("Goodbye");

    await test.step("while a reply takes its place", async () => {
      await choose(page, "Hello", "Reply");
      await expect(page.getByText("Replying to Robin Vale")).toBeVisible();
      await expect(page.getByPlaceholder("Type a message…")).toBeFocused();
      await page.getByRole("button", { name: "Don't reply to Robin Vale" }).click();
      await choose(page, "Message 2", "Edit");
      await expect(field).toHaveValue("Goodbye");
    });

    await test.step("on another page, and in the room that is closed and opened", async () => {
      await page.getByRole("link", { name: "Home" }).first().click();
      await expect(page).toHaveURL(/\/home/);
      await expect(field).toHaveValue("Goodbye");
      const roomLink = page.getByRole("banner").getByRole("link", { name: /^Room/ });
      await roomLink.click();
      await expect(field).toBeHidden();
      await roomLink.click();
      await expect(field).toHaveValue("Goodbye");
    });

    await test.step("after a reload, until Escape", async () => {
      await field.fill("Goodbye, all");
      await page.reload();
      await expectLive(page);
      await choose(page, "Message 2", "Edit");
      await expect(field).toHaveValue("Goodbye, all");
      await page.keyboard.press("Escape");
      await choose(page, "Message 2", "Edit");
      await expect(field).toHaveValue("Message 2");
    });

    await test.step("not for another user, and for its user again", async () => {
      await openAs(page, await addPerson({ displayName: "Tomas Lund" }), ROOM_PATH);
      await expectLive(page);
      await expect(page.getByText("Hello", { exact: true })).toBeVisible();
      await expect(field).toBeHidden();
      const menu = await openMenu(page, "Hello");
      await expect(menu.getByRole("menuitem", { name: "Edit" })).toBeHidden();

      await openAs(page, person, "/home#room");
      await expectLive(page);
      await choose(page, "Hello", "Edit");
      await expect(field).toHaveValue("Hello, and more");
      await save.click();
      await expect(page.locator("article").first()).toHaveText(/ edited.*Hello, and more/);
      await choose(page, "Hello, and more", "Edit");
      await expect(field).toHaveValue("Hello, and more");
    });
  });

  test("an edit does not change while it is saved, and one that is too long stays with the reason", async ({
    page,
    person,
    allowError,
  }) => {
    allowError(/status of 400/);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await post(page, "Good evening");
    await choose(page, "Good evening", "Edit");
    const field = page.getByRole("textbox", { name: "Edit message" });
    await field.fill("x".repeat(4001));
    await field.press("Enter");
    await expect(page.getByText("A message can have up to 4,000 characters.")).toBeVisible();
    await expect(field).toHaveValue("x".repeat(4001));

    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/rooms/general/messages/*", async (route) => {
      await held;
      await route.continue();
    });
    await field.fill("Good night");
    await page.keyboard.press("Enter");

    await page.keyboard.type("!");

    await expect(field).toHaveValue("Good night");
    await page.keyboard.press("Escape");
    await expect(field).toBeVisible();
    const search = page.getByRole("searchbox");
    await search.focus();
    release();
    await expect(page.locator("article", { hasText: "Good night" })).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toBeVisible();
    await page.keyboard.type("heron");
    await expect(search).toHaveValue("heron");
  });

  test("hides a person, and shows them again from the feed and from the profile", async ({
    page: ana,
    app,
    person,
    addPerson,
  }) => {
    const tomas = await addPerson({ displayName: "Tomas Lund" });
    await using talk = await signInSender(app, tomas);
    await openAs(ana, person, ROOM_PATH);
    await expectLive(ana);
    await talk.send("Noise");
    await post(ana, "Please stop");
    const articles = ana.locator("article");

    await test.step("from the menu of a message", async () => {
      await choose(ana, "Noise", "Hide this person");
      await expect(ana.getByText("1 hidden message")).toBeVisible();
      await expect(ana.getByRole("log")).toBeFocused();
      await expect(articles).toHaveText([/Please stop/]);
      await ana.getByRole("button", { name: "Close", exact: true }).click();
      await expect(ana.getByText("You won't see Tomas Lund's messages any more.")).toBeHidden();
      await expect(ana.locator("article", { hasText: "Please stop" })).toBeFocused();
      await talk.send("More noise");
      await expect(ana.getByText("1 hidden message")).toHaveCount(2);
      await expectAccessible(ana, { within: "#room" });
    });

    await test.step("the room does not say that they are typing", async () => {
      await showTyping(app, tomas);
      await showTyping(app, await addPerson({ displayName: "Mira Okafor" }));
      await expect(ana.getByText(/typing…$/)).toHaveText("Mira Okafor is typing…");
    });

    await test.step("the feed shows them on request", async () => {
      await ana.getByRole("button", { name: "Show" }).first().click();
      await expect(articles).toHaveText([/Noise/, /Please stop/]);
    });

    await test.step("the profile shows them again", async () => {
      await ana.goto("/profile?tab=hidden#room");
      await expectLive(ana);
      await expect(ana.getByText("1 hidden message")).toHaveCount(2);
      await ana.getByRole("button", { name: "Show again Tomas Lund" }).click();
      await expect(ana.getByText("You'll see their messages again.")).toBeVisible();
      await expect(ana.getByText("You haven't hidden anyone.")).toBeVisible();
      await expectAccessible(ana, { within: "main" });
      await expect(articles).toHaveCount(3);
    });
  });

  test("the menus of messages work with pointer and keyboard, and offer what the user may do", async ({
    page,
    context,
    app,
    person,
    addPerson,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await fillRoom(app.firebase, await addPerson({ displayName: "Tomas Lund" }), 3);
    await page.setViewportSize({ width: 1280, height: 800 });
    await openAs(page, person, "/rooms/general/messages/filled-0000/actions");
    const thanks = page.getByText("Thank you. We look at reports every day.");

    await test.step("a message's page of forms is accessible, and works with scripts, too", async () => {
      await expectAccessible(page);
      await page.getByLabel("Something else").check();
      await page.getByRole("button", { name: "Report" }).click();
      await expect(page).toHaveURL("/home#room");
      await expect(thanks).toBeVisible();
    });

    await test.step("a notice that another one has replaced does not appear again", async () => {
      await choose(page, "Message 1", "Copy");
      await expect(page.getByText("Copied.")).toBeVisible();
      await page.getByRole("button", { name: "Close", exact: true }).click();
      await expect(page.getByText("Copied.")).toBeHidden();
      await expect(thanks).toBeHidden();
    });

    await page.goto(ROOM_PATH);
    await expectLive(page);
    await post(page, "Say it again");
    const own = page.locator("article", { hasText: "Say it again" });
    const button = page.getByRole("button", { name: /^Actions for your message of / });

    await test.step("the buttons are in one column, and show with their row or the focus", async () => {
      await page.mouse.move(0, 0);
      const buttons = page.getByRole("button", { name: /^Actions for / });
      await expect(buttons).toHaveCount(4);
      const boxes = await Promise.all((await buttons.all()).map((one) => one.boundingBox()));
      expect(new Set(boxes.map((box) => box?.x)).size).toBe(1);
      for (const box of boxes) expect([box?.width, box?.height]).toEqual([44, 44]);
      const bubbles = await page
        .locator("article")
        .evaluateAll((articles) =>
          articles.map((article) => article.getBoundingClientRect().right),
        );
      expect(Math.max(...bubbles)).toBeLessThanOrEqual(boxes[0]?.x ?? 0);

      await expect(buttons.first()).toHaveCSS("opacity", "0");
      await page.locator("article").first().hover();
      await expect(buttons.first()).toHaveCSS("opacity", "1");
      await own.focus();
      await expect(buttons.last()).toHaveCSS("opacity", "1");
    });

    await test.step("a menu opens with the keyboard", async () => {
      await button.press("ArrowDown");
      await expect(page.getByRole("menuitem", { name: "Reply" })).toBeFocused();
      await expectAccessible(page, { within: "#room, [role=menu]" });
      await page.keyboard.press("Escape");
      await expect(button).toBeFocused();
      await button.press("Enter");
      await page.getByRole("menuitem", { name: "Reply" }).press("Enter");
      await expect(page.getByText("Replying to Robin Vale")).toBeVisible();
      await expect(page.getByPlaceholder("Type a message…")).toBeFocused();
    });

    const menu = page.getByRole("menu");
    await test.step("a user can edit and delete their own message, and hide and report others", async () => {
      await openMenu(page, "Say it again");
      const items = menu.getByRole("menuitem");
      await expect(items).toHaveText(["Reply", "Copy", "Edit", "Delete"]);
      await page.keyboard.press("Escape");
      await openMenu(page, "Message 2");
      await expect(items).toHaveText(["Reply", "Copy", "Hide this person", "Report"]);
      await page.keyboard.press("Escape");
    });

    await test.step("a message is edited for 15 minutes", async () => {
      await choose(page, "Say it again", "Edit");
      const createdAt = { timestampValue: new Date(Date.now() - 16 * 60_000).toISOString() };
      const path = `rooms/general/messages/${await readMessageId(own)}`;
      await changeDocument(app.firebase.hosts, path, { createdAt });
      await page.getByRole("textbox", { name: "Edit message" }).fill("Too late");
      await page.locator("#room").getByRole("button", { name: "Save", exact: true }).click();
      await expect(page.getByText("This message can't be edited any more.")).toBeVisible();
      await expect(page.getByRole("textbox", { name: "Edit message" })).toHaveValue("Too late");
      await page.getByRole("button", { name: "Cancel" }).click();
      await openMenu(page, "Say it again");
      await expect(menu.getByRole("menuitem", { name: "Delete" })).toBeVisible();
      await expect(menu.getByRole("menuitem", { name: "Edit" })).toBeHidden();
      await page.keyboard.press("Escape");
    });

    await test.step("visitors can copy it", async () => {
      await page.getByRole("button", { name: "Sign out" }).click();
      await expect(page.getByText("Please sign in to chat.")).toBeVisible();
      await openMenu(page, "Say it again");
      await expect(menu.getByRole("menuitem")).toHaveText(["Copy", "Sign in to report"]);
      await menu.getByRole("menuitem", { name: "Copy" }).click();
      await expect(page.getByText("Copied.")).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("Say it again");
    });
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

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

  test("edits, deletes, hides and reports messages on a page of forms", async ({
    page,
    person,
    addPerson,
    app,
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
  });
});

/** Returns the id of a message in the feed. */
async function readMessageId(article: Locator): Promise<string> {
  return ((await article.getAttribute("id")) ?? "").replace(/^m-/, "");
}

/** Makes the room say that another user is here and typing. */
async function showTyping(app: TestApp, { localId, displayName }: TestAccount) {
  const connection = { name: displayName, time: Date.now() };
  await writeDatabase(app, `connections/${localId}/1`, connection);
  await writeDatabase(app, `typing/general/${localId}`, true);
}
