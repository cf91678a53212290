import type { Page } from "@playwright/test";

import { formatQuote, formatStoryLine } from "#app/chat/quotes/quote.ts";
import { toMessageInRoomPath } from "#app/chat/room-address.ts";
import { deleteDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { LONG, LONG_PATH, getParagraphPath } from "./long-story.ts";
import {
  expectLive,
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
    const original = ana.locator("article").first();
    const room = ana.getByRole("region", { name: "The room", exact: true });
    const replying = ana.getByText("Replying to Tomas Lund");

    await test.step("R replies to the focused message, and Escape takes it away", async () => {
      await expect(original).toBeVisible();
      await findComposer(ana).press("Shift+Tab");
      await expect(original).toBeFocused();
      await expect(ana.getByRole("log")).toHaveAccessibleDescription(/ R replies\.$/);
      // As Caps Lock sends it.
      await ana.keyboard.press("R");
      await expect(replying).toBeVisible();
      await expect(findComposer(ana)).toBeFocused();
      await ana.keyboard.type("No");
      await ana.keyboard.press("Backspace");
      await expect(replying).toBeVisible();
      await ana.keyboard.press("Backspace");
      await ana.keyboard.press("Escape");
      await expect(replying).toBeHidden();
      await expect(room).toBeVisible();
      await expect(findComposer(ana)).toBeFocused();
    });

    await test.step("so does the menu, and a button", async () => {
      await choose(ana, "Where is the ferry?", "Reply");
      await expect(replying).toBeVisible();
      await expect(findComposer(ana)).toBeFocused();
      await ana.getByRole("button", { name: "Don't reply to Tomas Lund" }).click();
      await expect(replying).toBeHidden();
      await expect(findComposer(ana)).toBeFocused();
      await choose(ana, "Where is the ferry?", "Reply");
      expect(await findSmallControls(ana)).toEqual([]);
    });

    await test.step("both see the card, and only Tomas that it is to him", async () => {
      await sendMessage(ana, "In the fog.");
      await expect(replying).toBeHidden();
      await expect(ana.locator("article time")).toHaveCount(2);
      for (const page of [ana, talk.page]) {
        const reply = page.locator("article").last();
        await expect(reply.getByRole("link", CARD)).toBeVisible();
        await expect(reply).toContainText("In the fog.");
        await expect(reply).not.toContainText(">");
        const box = await reply.getByRole("link", CARD).boundingBox();
        expect(box?.height).toBe(44);
      }
      const toTomas = /^Robin Vale replied to you /;
      await expect(talk.page.locator("article").last()).toContainText(toTomas);
      await expect(ana.getByText("replied to you")).toHaveCount(0);
      await expect(talk.page.locator("[data-arrivals]")).toContainText(
        "Robin Vale replied to you, In the fog.",
      );
      // With the next reply, so that the composer's state is checked, too.
      await choose(ana, "Where is the ferry?", "Reply");
      await expect(replying).toBeVisible();
      await expectAccessible(ana, { within: "#room" });
      await ana.getByRole("button", { name: "Don't reply to Tomas Lund" }).click();
    });

    await test.step("the card leads to the original", async () => {
      await ana.getByRole("link", CARD).click();
      await expect(original).toBeFocused();
      await expect(ana).toHaveURL(ROOM_PATH);
      const countAnimations = () => original.evaluate((one) => one.getAnimations().length);
      expect(await countAnimations()).toBe(1);
      await expect.poll(countAnimations).toBe(0);
    });

    await test.step("the name and the words are those of the original", async () => {
      await choose(talk.page, "Where is the ferry?\nIt is late.", "Edit");
      await talk.page.getByRole("textbox", { name: "Edit message" }).fill("Where is the boat?");
      await talk.page.keyboard.press("Enter");
      const card = { name: "Reply to Tomas Lund: Where is the boat? Go to that message" };
      await expect(ana.getByRole("link", card)).toBeVisible();
      await choose(ana, "Where is the boat?", "Hide this person");
      const hidden = { name: "A message from a person you hid. Go to that message" };
      await expect(ana.getByRole("link", hidden)).toBeVisible();
      await expect(ana.locator("#room")).not.toContainText("boat");
    });
  });

  test("a reply from an earlier page of a story's messages leads to the newest of them", async ({
    page,
    app,
    person,
  }) => {
    await publishStory(app.firebase.hosts, LONG);
    await using sender = await signInSender(app, person);
    const id = await sender.send(`${formatStoryLine(LONG.id)}Where is the ferry?`);
    const sentAt = Date.now();
    await openAs(page, person, toMessageInRoomPath(id, { story: LONG.id, sentAt }));

    await choose(page, "Where is the ferry?", "Reply");
    await sendMessage(page, "Yes.");

    await expect(page).toHaveURL(`${LONG_PATH}?talk=story#newest`);
    await expect(page.getByRole("link", { name: /^This story/ })).toHaveAttribute(
      "aria-current",
      "true",
    );
    await expect(page.locator("#room article")).toHaveCount(2);
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

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("the card of a reply says when the original was deleted, and only then", async ({
      page,
      app,
      person,
      addPerson,
    }) => {
      const account = await addPerson({ displayName: "Tomas Lund" });
      await publishStory(app.firebase.hosts, LONG);
      const about = formatStoryLine(LONG.id);
      await using tomas = await signInSender(app, account);
      const ferry = await tomas.send(`${about}Where is the ferry?`);
      await tomas.send(`${about}> Tomas Lund: Where is the ferry?\nIn the fog.`, ferry);
      const evening = await tomas.send("Good evening");
      await tomas.send("> Tomas Lund: Good evening\nAnd to you.", evening);
      await openAs(page, person, `${LONG_PATH}?talk=everyone#room`);
      if (javaScriptEnabled) await expectLive(page);
      const reply = page.locator("#room article").filter({ hasText: "In the fog." });
      await expect(page.getByRole("link", CARD)).toHaveCount(1);

      await test.step("among all messages and about a story", async () => {
        await deleteDocument(app.firebase.hosts, `rooms/general/messages/${ferry}`);
        if (!javaScriptEnabled) await page.reload();
        await expect(reply).toContainText("The original was deleted.");
        await expect(reply).not.toContainText("ferry");
        await expect(reply.getByText("The original was deleted.")).toHaveCSS("height", "32px");
        await expect(page.getByRole("link", CARD)).toHaveCount(0);
        await expect(page.locator("#room").getByText("Good evening")).toHaveCount(2);
        if (javaScriptEnabled) await expectAccessible(page, { within: "#room" });

        await page.goto(`${LONG_PATH}?talk=story#room`);
        await expect(page.locator("#room article")).toHaveCount(1);
        await expect(reply).toContainText("The original was deleted.");
      });

      await test.step("not when the original is before the messages of the page", async () => {
        await fillRoom(app.firebase, account, 60);
        await clearRateRecords(app.firebase.hosts, account.localId);
        await tomas.send("> Tomas Lund: Message 1\nLong ago.", "filled-0000");
        await tomas.send("> Tomas Lund: Message 60\nAnd to you.", "filled-0059");
        await page.goto("/home#room");
        if (javaScriptEnabled) await expectLive(page);
        const card = (number: number) => ({
          name: `Reply to Tomas Lund: Message ${number}. Go to that message`,
        });
        await expect(page.getByRole("link", card(60))).toHaveCount(1);

        await deleteDocument(app.firebase.hosts, "rooms/general/messages/filled-0059");
        await expect(page.getByRole("link", card(60))).toHaveCount(javaScriptEnabled ? 0 : 1);
        await expect(page.getByRole("link", card(1))).toHaveCount(1);
        const deleted = page.getByText("The original was deleted.");
        await expect(deleted).toHaveCount(javaScriptEnabled ? 1 : 0);
        // What is written later moves the first messages of the page out of the newest 50.
        await tomas.send("Is anyone here?");
        if (!javaScriptEnabled) return;
        await expect(page.locator("#room article").last()).toContainText("Is anyone here?");
        await expect(page.getByRole("link", card(1))).toHaveCount(1);
      });
    });
  });
}

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 800 } });

  test("a message that is dragged to the side is replied to, and everything else stays as it is", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    const tomas = await addPerson({ displayName: "Tomas Lund" });
    await fillRoom(app.firebase, tomas, 40, ["See https://example.org/ferry for the ferry."]);
    await openAs(page, person, "/home#room");
    await expectLive(page);
    const message = page.locator("#room article").last();
    const replying = page.getByText("Replying to Tomas Lund");
    const sign = page.locator("#room li > svg");
    const finger = await startFinger(page);
    const box = await message.boundingBox();
    if (!box) throw new Error("There is no message");
    // On the link in its text.
    const [x, y] = [box.x + 60, box.y + 30];

    await test.step("a long way", async () => {
      await finger.move([x, y], [x + 30, y + 4]);
      await expect(sign).toBeVisible();
      await expect.poll(async () => (await message.boundingBox())?.x).toBe(box.x + 30);
      await finger.move([x + 45, y + 4], [x + 60, y + 4]);
      await expect(sign).toHaveCSS("opacity", "1");
      await finger.lift();
      await expect(replying).toBeVisible();
      await expect(findComposer(page)).toBeFocused();
      await expect(sign).toBeHidden();
      expect((await message.boundingBox())?.x).toBe(box.x);
      await expect(page).toHaveURL("/home#room");
      await page.getByRole("button", { name: "Don't reply to Tomas Lund" }).click();
    });

    const log = page.getByRole("log");
    const nothing: Record<string, [number, number][]> = {
      "a short way": [
        [x, y],
        [x + 20, y],
        [x + 50, y],
      ],
      "there and back": [
        [x, y],
        [x + 30, y],
        [x + 70, y],
        [x + 5, y],
      ],
      "the other way": [
        [x + 100, y],
        [x + 80, y],
        [x + 20, y],
      ],
      "from the edge of the window": [
        [10, y],
        [40, y],
        [90, y],
      ],
    };
    for (const [what, path] of Object.entries(nothing)) {
      await test.step(what, async () => {
        const before = await log.evaluate((element) => element.scrollTop);
        await finger.move(...path);
        await finger.lift();
        await expect(sign).toBeHidden();
        await expect(replying).toBeHidden();
        expect((await message.boundingBox())?.x).toBe(box.x);
        expect(await log.evaluate((element) => element.scrollTop)).toBe(before);
      });
    }

    await test.step("downwards, and then to the side", async () => {
      const before = await log.evaluate((element) => element.scrollTop);
      await finger.move([x, y - 200], [x, y - 180], [x, y - 140], [x + 40, y - 60], [x + 80, y]);
      await finger.lift();
      await expect
        .poll(() => log.evaluate((element) => element.scrollTop))
        .toBeLessThan(before - 50);
      await expect(replying).toBeHidden();
      await expect(page).toHaveURL("/home#room");
    });

    await test.step("the other way in a page that a translator has turned around", async () => {
      await page.evaluate(() => (document.documentElement.dir = "rtl"));
      await message.scrollIntoViewIfNeeded();
      const turned = await message.boundingBox();
      if (!turned) throw new Error("There is no message");
      const [start, top] = [turned.x + turned.width / 2, turned.y + 30];
      await finger.move([start, top], [start + 30, top], [start + 80, top]);
      await finger.lift();
      await expect(replying).toBeHidden();
      await finger.move([start, top], [start - 30, top], [start - 80, top]);
      await finger.lift();
      await expect(replying).toBeVisible();
    });
  });
});

/** Touches the screen as the browser's own input does, which scrolls and selects. */
async function startFinger(page: Page) {
  const client = await page.context().newCDPSession(page);
  let isDown = false;
  return {
    /** Moves the finger along points, in pixels from the top left corner of the window. */
    async move(...points: [number, number][]) {
      for (const [x, y] of points) {
        const type = isDown ? ("touchMove" as const) : ("touchStart" as const);
        await client.send("Input.dispatchTouchEvent", { type, touchPoints: [{ x, y }] });
        isDown = true;
      }
    },
    async lift() {
      await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      isDown = false;
    },
  };
}
