import type { Page } from "@playwright/test";

import { formatQuote } from "#app/chat/quotes/quote.ts";
import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { LONG, LONG_PATH, getParagraphPath } from "./long-story.ts";
import {
  expectLive,
  findLiveFrame,
  findSmallControls,
  openRoomAs,
  ROOM_PATH,
  sendMessage,
  signInSender,
} from "./room.ts";
import { openAs } from "./sign-in.ts";

const CARD = { name: "Reply to Tomas Lund: Where is the ferry? Go to that message" };

const findComposer = (page: Page) => page.getByPlaceholder("Type a message…");

async function choose(page: Page, text: string, action: string) {
  const item = page.getByRole("listitem").filter({ hasText: text }).first();
  await item.getByRole("button", { name: /^Actions for / }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });

  test("a reply is a card in both browsers that leads to its original", async ({
    page: ana,
    browser,
    app,
    person,
    addPerson,
  }) => {
    await using talk = await openRoomAs(
      browser,
      app,
      await addPerson({ displayName: "Tomas Lund" }),
    );
    await sendMessage(talk.page, "Where is the ferry?\nIt is late.");
    await openAs(ana, person, ROOM_PATH);
    await expectLive(ana);

    await choose(ana, "Where is the ferry?", "Reply");
    await expect(ana.getByText("Replying to Tomas Lund")).toBeVisible();
    await expect(findComposer(ana)).toBeFocused();
    await expectAccessible(ana, { within: "#room" });
    expect(await findSmallControls(ana)).toEqual([]);
    await sendMessage(ana, "In the fog.");

    await expect(ana.getByText("Replying to Tomas Lund")).toBeHidden();
    await expect(ana.locator("article time")).toHaveCount(2);
    for (const page of [ana, talk.page]) {
      const reply = page.locator("article").last();
      await expect(reply.getByRole("link", CARD)).toBeVisible();
      await expect(reply).toContainText("In the fog.");
      await expect(reply).not.toContainText(">");
      const box = await reply.getByRole("link", CARD).boundingBox();
      expect(box?.height).toBe(44);
    }
    // Tomas sees and hears that it is to him, and only he.
    await expect(talk.page.locator("article").last()).toContainText(/^Robin Vale replied to you /);
    await expect(ana.getByText("replied to you")).toHaveCount(0);
    await expect(talk.page.locator("[data-arrivals]")).toContainText(
      "Robin Vale replied to you, In the fog.",
    );
    await expectAccessible(ana, { within: "#room" });

    const original = ana.locator("article").first();
    await ana.getByRole("link", CARD).click();
    await expect(original).toBeFocused();
    await expect(ana).toHaveURL(ROOM_PATH);
    expect(await original.evaluate((element) => element.getAnimations().length)).toBe(1);
    await expect.poll(() => original.evaluate((element) => element.getAnimations().length)).toBe(0);

    // The name and the words are those of the original.
    await choose(talk.page, "Where is the ferry?\nIt is late.", "Edit");
    await talk.page.getByRole("textbox", { name: "Edit message" }).fill("Where is the boat?");
    await talk.page.keyboard.press("Enter");
    await expect(
      ana.getByRole("link", { name: "Reply to Tomas Lund: Where is the boat? Go to that message" }),
    ).toBeVisible();

    await choose(ana, "Where is the boat?", "Hide this person");
    await expect(
      ana.getByRole("link", {
        name: "A message from a person you hid. Go to that message",
      }),
    ).toBeVisible();
    await expect(ana.locator("#room")).not.toContainText("boat");
  });

  test("R replies to the focused message, and Escape takes it away", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await tomas.send("Where is the ferry?");
    const room = page.getByRole("region", { name: "The room", exact: true });
    const message = page.locator("article").first();
    await expect(message).toBeVisible();

    await findComposer(page).press("Shift+Tab");
    await expect(message).toBeFocused();
    await page.keyboard.press("r");
    await expect(page.getByText("Replying to Tomas Lund")).toBeVisible();
    await expect(findComposer(page)).toBeFocused();
    await page.keyboard.type("No");
    await page.keyboard.press("Backspace");
    await expect(page.getByText("Replying to Tomas Lund")).toBeVisible();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Escape");
    await expect(page.getByText("Replying to Tomas Lund")).toBeHidden();
    await expect(room).toBeVisible();
    await expect(findComposer(page)).toBeFocused();

    await choose(page, "Where is the ferry?", "Reply");
    await page.getByRole("button", { name: "Don't reply to Tomas Lund" }).click();
    await expect(page.getByText("Replying to Tomas Lund")).toBeHidden();
    await expect(findComposer(page)).toBeFocused();
  });

  test("a reply never shows the words of a later part", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    await publishStory(app.firebase.hosts, LONG);
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
    const quote = formatQuote({ words: "Paragraph 60.", path: getParagraphPath(60) });
    await tomas.send(`${quote}The ferry sinks.`);
    await openAs(page, person, `${LONG_PATH}?talk=everyone#room`);
    await expectLive(page);
    const message = page.locator("#room article").first();

    await message.focus();
    await page.keyboard.press("r");
    await expect(page.getByText("Replying to")).toBeHidden();
    await page.locator("#room summary").first().click();
    await choose(page, "The ferry sinks.", "Reply");
    await sendMessage(page, "Oh no.");

    const card = { name: "Reply to Tomas Lund: A message about a later part. Go to that message" };
    await expect(page.getByRole("link", card)).toBeVisible();
    const visitor = await page.context().browser()?.newContext({ baseURL: app.url });
    const other = await visitor?.newPage();
    if (!visitor || !other) throw new Error("There is no browser");
    await other.goto("/home#room");
    await expect(other.getByText("Wrote about a later part.")).toHaveCount(2);
    await expect(other.getByText("sinks").first()).toBeHidden();
    await expect(other.getByText("Oh no.")).toBeHidden();
    await visitor.close();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a reply is sent from the page of the message, which its card leads to", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
    await openAs(page, person, "/home");
    await page.goto("/home#room");
    await tomas.send("Where is the ferry?");
    const live = await findLiveFrame(page);
    await live.getByRole("link", { name: /^Actions for Tomas Lund's message of / }).click();
    await page.getByRole("textbox", { name: "Reply" }).fill("In the fog.");
    await page.getByRole("button", { name: "Reply", exact: true }).click();

    await expect(page).toHaveURL("/home#newest");
    const reply = page.locator("#room article").last();
    await expect(reply).toHaveText(/Robin Vale.*Tomas Lund.*Where is the ferry\?.*In the fog\.$/);
    await reply.getByRole("link", CARD).click();
    await expect(page.getByRole("heading", { name: "A message in the room" })).toBeVisible();
    await expect(page.locator("article")).toContainText("Where is the ferry?");
  });
});
