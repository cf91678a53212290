import type { Page } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import { expectAccessible } from "./axe.ts";
import { countMessages, recordAnnouncements } from "./announcements.ts";
import { expect, OFFLINE, test } from "./fixtures.ts";
import { expectLive, openRoom, ROOM_PATH, sendMessage, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

test.describe("with JavaScript", () => {
  test("shows 50 earlier messages at a time, without moving what is being read", async ({
    page,
    person,
    addPerson,
    app,
    allowError,
  }) => {
    allowError(/status of 503/);
    await fillRoom(app.firebase, person, 119);
    await using sender = await signInSender(app, await addPerson({ displayName: "Tomas" }));
    const getAnnounced = await recordAnnouncements(page);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    const feed = page.getByRole("log");
    const messages = page.locator("article");
    const button = page.getByRole("button", { name: "Show earlier messages" });
    await expect(feed).toHaveAttribute("aria-live", "off");
    await sendMessage(page, "The newest of all");
    await expect(page.getByText("The newest of all", { exact: true })).toBeVisible();
    await expect(messages).toHaveCount(50);
    // A user's own scrolling ends the feed's return to its end, which a script's does not.
    await feed.hover();
    await page.mouse.wheel(0, -100_000);
    await expect.poll(() => feed.evaluate((element) => element.scrollTop)).toBe(0);
    const topBefore = await getTop(page, "Message 71");

    await button.press("Enter");

    await expect(messages).toHaveCount(100);
    expect(Math.abs((await getTop(page, "Message 71")) - topBefore)).toBeLessThan(2);
    await expect(messages.first()).toContainText("Message 21");
    await expect(button).toBeFocused();
    await sendMessage(page, "From below");
    await expect(page.getByText("From below", { exact: true })).toBeInViewport();
    await expect(messages).toHaveCount(101);
    await sender.send("Hello");
    await expect(page.getByText("Hello", { exact: true })).toBeVisible();

    await page.route("**/rooms/general/messages?**", (route) => route.fulfill({ status: 503 }));
    await button.click();
    await expect(page.getByText("We can't load earlier messages right now.")).toBeVisible();
    await page.unroute("**/rooms/general/messages?**");
    await button.press("Enter");

    await expect(messages).toHaveCount(122);
    await expect(messages.first()).toContainText(/Message 1$/);
    await expect(button).toBeHidden();
    await expect(feed).toBeFocused();
    await expect(page.locator("article time")).toHaveCount(122);
    const getArrivals = async () =>
      (await getAnnounced()).filter((text) =>
        /^(\d+ new messages\. )?(Robin Vale|Tomas), /.test(text),
      );
    await expect.poll(async () => countMessages(await getArrivals())).toBe(3);
    const [first, ...others] = await getArrivals();
    expect(first).toMatch(/^Robin Vale, The newest of all, \d+:\d\d/);
    expect(others.at(-1)).toContain("Tomas, Hello");
  });

  test("does not scroll while the user reads earlier messages, and counts the new ones", async ({
    page,
    person,
    addPerson,
    app,
  }) => {
    await fillRoom(app.firebase, person, 60);
    const tomas = await addPerson({ displayName: "Tomas" });
    await using sender = await signInSender(app, tomas);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await expect(page.getByText("Message 60", { exact: true })).toBeInViewport();
    const feed = page.getByRole("log");
    const before = await feed.evaluate((element) => (element.scrollTop -= 300));
    const first = await findFirstVisible(page);

    for (let count = 1; count <= 5; count += 1) await sender.send(`New ${count}`);

    const button = page.getByRole("button", { name: "5 new messages" });
    await expect(button).toBeVisible();
    await expect(page.getByText("New 5", { exact: true })).not.toBeInViewport();
    // While the user reads earlier messages, those that are no longer among the newest 50 stay.
    expect(await feed.evaluate((element) => element.scrollTop)).toBe(before);
    expect(await findFirstVisible(page)).toEqual(first);
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await expectAccessible(page);

    await button.click();

    await expect(page.getByText("New 5", { exact: true })).toBeInViewport();
    await expect(button).toBeHidden();
    await expect(feed).toBeFocused();
    await clearRateRecords(app.firebase.hosts, tomas.localId);
    await sender.send("In view");
    await expect(page.getByText("In view", { exact: true })).toBeInViewport();
    await expect(page.getByRole("button", { name: /new message/ })).toBeHidden();
  });

  test("shows where the unread messages start, until the user returns, even if the clock is wrong", async ({
    page,
    person,
    addPerson,
    app,
  }) => {
    // Near midnight a wrong clock is in another day.
    const DAY = /Today|Yesterday/;
    const changeClock = (milliseconds: number) =>
      page.addInitScript((change) => {
        const { now } = Date;
        Date.now = () => now() + change;
      }, milliseconds);
    const tomas = await addPerson({ displayName: "Tomas" });
    await using sender = await signInSender(app, tomas);
    const items = page.getByRole("log").getByRole("listitem");
    const seen = [DAY, /Mine/, /Seen/, /While reading/];
    const withLine = [...seen, "New", /Unread/, /Unread too/];

    await test.step("ten minutes fast at the first visit", async () => {
      await changeClock(600_000);
      await openAs(page, person, ROOM_PATH);
      await expectLive(page);
      await sendMessage(page, "Mine");
      await expect(page.locator("article time")).toHaveCount(1);
      await sender.send("Seen");
      await expect(items).toHaveText(seen.slice(0, 3));
      await sender.send("While reading");
      await expect(items).toHaveText(seen);
      await page.goto("about:blank");
    });

    await test.step("90 seconds slow from the second visit on", async () => {
      await changeClock(-690_000);
      for (const text of ["Unread", "Unread too"]) await sender.send(text);
      await page.goto(ROOM_PATH);
      await expectLive(page);
      await expect(items).toHaveText(withLine);
      await clearRateRecords(app.firebase.hosts, tomas.localId);
      await sender.send("Also while reading");
      await expect(items).toHaveText([...withLine, /Also while reading/]);
    });

    await test.step("the line is accessible, and has borders in forced colours, as messages have", async () => {
      await expectAccessible(page);
      await page.emulateMedia({ forcedColors: "active" });
      const borders = await page.locator("article").evaluateAll(getBorders);
      expect(borders.slice(0, 2)).toEqual(["solid 2px", "solid 1px"]);
      const getLine = (element: Element) => getComputedStyle(element, "::before").borderTopStyle;
      expect(await items.filter({ hasText: /^New$/ }).evaluate(getLine)).toBe("solid");
    });

    await test.step("at the next visit the line is gone", async () => {
      await page.goto("about:blank");
      await page.goto(ROOM_PATH);
      await expectLive(page);
      await sender.send("In the same visit");
      await expect(items).toHaveText([
        ...withLine.filter((item) => item !== "New"),
        /Also while reading/,
        /In the same visit/,
      ]);
    });
  });

  test("keeps a message while the connection is lost, then sends it and shows what was missed", async ({
    page,
    person,
    addPerson,
    app,
    allowError,
  }) => {
    allowError(OFFLINE);
    await using sender = await signInSender(app, await addPerson({ displayName: "Tomas" }));
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    const mine = page.locator("article", { hasText: "Into the dark" });

    await page.context().setOffline(true);
    await sendMessage(page, "Into the dark");
    await expect(page.getByText("No connection. Your messages wait here")).toBeVisible();
    await expect(page.locator("article")).toHaveText(/Waiting for connection.*Into the dark/);
    const banner = page.getByText("New messages aren't arriving. We're trying again.");
    await expect(banner).toBeVisible({ timeout: 20_000 });
    await sender.send("Meanwhile");
    await page.context().setOffline(false);

    await expect(page.getByText("Meanwhile", { exact: true })).toBeVisible({ timeout: 20_000 });
    await expect(banner).toBeHidden();
    await expectLive(page);
    await expect(mine).toHaveCount(1);
    await expect(page.locator("article time")).toHaveCount(2);
  });

  test("turns addresses into links, and shows everything else as typed", async ({
    page,
    person,
    app,
  }) => {
    const text =
      "javascript:alert(1) <b>x</b> **x** [x](https://example.org/a_(b)).\nhttp://x.example";
    // Noon of an earlier day, so that no day line separates the messages in any time zone of these tests.
    const noon = Date.UTC(2026, 2, 10, 12);
    const toTime = (index: number) => noon + ([0, 1, 13, 14][index] ?? 0) * 60_000;
    await fillRoom(app.firebase, person, 4, [text, "🏮🍐🏮", "Three", "Four"], toTime);
    await page.goto("/read/anything#room");

    const messages = page.locator("article");
    await expect(messages).toHaveText(Array.from({ length: 4 }, () => /Robin Vale.*\d+:\d\d/));
    await expect(messages.first()).toContainText(text, { useInnerText: true });
    const links = messages.first().getByRole("link");
    await expect(links).toHaveText(["https://example.org/a_(b)", "http://x.example"]);
    await expect(links.first()).toHaveAttribute("href", "https://example.org/a_(b)");
    await expect(links.first()).toHaveAttribute("rel", "nofollow ugc noopener");
    // Polls, because the panel's code replaces the server's messages.
    await expect.poll(() => messages.evaluateAll(getGaps)).toEqual([2, 6, 2]);
    const [sizeOfText = 0, sizeOfEmoji] = await messages.evaluateAll(getFontSizes);
    expect(sizeOfEmoji).toBeGreaterThan(sizeOfText * 1.5);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("links to 50 earlier messages, and back to the newest", async ({ page, person, app }) => {
    await fillRoom(app.firebase, person, 120);
    await page.goto("/home?q=rain");
    await openRoom(page);
    const link = page.getByRole("link", { name: "Show earlier messages" });

    for (const [count, first, last] of [
      [50, "Message 21", "Message 70"],
      [20, "Message 1", "Message 20"],
    ] as const) {
      await link.click();
      await expect(page).toHaveURL(/\/home\?q=rain&before=[^&]+#earlier$/);
      await expect(page.locator("article")).toHaveCount(count);
      await expect(page.locator("article").first()).toContainText(first);
      await expect(page.getByText(last, { exact: true })).toBeInViewport();
    }
    await expect(link).toBeHidden();

    await page.getByRole("link", { name: "Show newest messages" }).click();

    await expect(page).toHaveURL("/home?q=rain#newest");
    await expect(page.getByText("Message 120", { exact: true })).toBeInViewport();
  });
});

/** Returns the distance of each message from the one before it. */
function getGaps(messages: Element[]) {
  const boxes = messages.map((message) => message.getBoundingClientRect());
  return boxes.slice(1).map(({ top }, index) => Math.round(top - (boxes[index]?.bottom ?? 0)));
}

function getBorders(messages: Element[]) {
  return messages.map((message) => {
    const { borderTopStyle, borderTopWidth } = getComputedStyle(message);
    return `${borderTopStyle} ${borderTopWidth}`;
  });
}

/** Returns the size of each message's last paragraph. */
function getFontSizes(messages: Element[]) {
  return messages.map((message) => {
    const paragraph = [...message.querySelectorAll("p")].at(-1);
    return paragraph ? parseFloat(getComputedStyle(paragraph).fontSize) : NaN;
  });
}

/** Returns the distance of a message from the top of the window. */
async function getTop(page: Page, text: string): Promise<number> {
  const message = page.locator("article", { has: page.getByText(text, { exact: true }) });
  return message.evaluate((element) => element.getBoundingClientRect().top);
}

/** Returns the first message in view, and its distance from the top of the window. */
async function findFirstVisible(page: Page) {
  return page.getByRole("log").evaluate((feed) => {
    const { top } = feed.getBoundingClientRect();
    const messages = [...feed.querySelectorAll("article")];
    const first = messages.find((message) => message.getBoundingClientRect().bottom > top);
    return { text: first?.textContent, top: first?.getBoundingClientRect().top };
  });
}
