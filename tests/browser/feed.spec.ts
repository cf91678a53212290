import type { Page } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, openRoom, ROOM_PATH, sendMessage, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeTexts();

  test("shows 50 earlier messages at a time without moving what is being read", async ({
    page,
    person,
    app,
  }) => {
    await fillRoom(app.firebase, person, 120);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    const button = page.getByRole("button", { name: "Show earlier messages" });
    await page.getByRole("log").evaluate((feed) => (feed.scrollTop = 0));
    const topBefore = await getTop(page, "Message 71");

    await button.press("Enter");

    await expect(page.locator("article")).toHaveCount(100);
    expect(Math.abs((await getTop(page, "Message 71")) - topBefore)).toBeLessThan(2);
    await expect(page.locator("article").first()).toContainText("Message 21");
    await expect(button).toBeFocused();
    await sendMessage(page, "From below");
    await expect(page.getByText("From below", { exact: true })).toBeInViewport();
    await expect(page.locator("article")).toHaveCount(101);

    await button.press("Enter");

    await expect(page.locator("article")).toHaveCount(121);
    await expect(page.locator("article").first()).toContainText("Message 1");
    await expect(button).toBeHidden();
    await expect(page.getByRole("log")).toBeFocused();
  });

  test("keeps the button for earlier messages when they can't be loaded", async ({
    page,
    person,
    app,
    allowError,
  }) => {
    allowError(/status of 503/);
    await fillRoom(app.firebase, person, 60);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await page.route("**/rooms/general/messages?**", (route) => route.fulfill({ status: 503 }));
    const button = page.getByRole("button", { name: "Show earlier messages" });

    await button.click();
    await expect(page.getByText("We can't load earlier messages right now.")).toBeVisible();
    await page.unroute("**/rooms/general/messages?**");
    await button.click();

    await expect(page.locator("article")).toHaveCount(60);
    await expect(button).toBeHidden();
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

  test("shows where the unread messages start, until the user leaves and returns", async ({
    page,
    person,
    addPerson,
    app,
  }) => {
    await using sender = await signInSender(app, await addPerson({ displayName: "Tomas" }));
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await sender.send("Seen");
    await expect(page.getByText("Seen", { exact: true })).toBeVisible();
    const items = page.getByRole("log").getByRole("listitem");
    await expect(items).toHaveText(["Today", /Seen/]);
    await page.goto("about:blank");

    for (const text of ["Unread", "Unread too"]) await sender.send(text);
    await page.goto(ROOM_PATH);

    await expectLive(page);
    await expect(items).toHaveText(["Today", /Seen/, "New", /Unread/, /Unread too/]);
    await sender.send("While reading");
    await expect(items).toHaveText([
      ...["Today", /Seen/, "New", /Unread/, /Unread too/],
      /While reading/,
    ]);
    await expectAccessible(page);

    await page.goto("about:blank");
    await page.goto(ROOM_PATH);
    await expectLive(page);
    await expect(items).toHaveText(["Today", /Seen/, /Unread/, /Unread too/, /While reading/]);
  });

  test("says that the connection is lost, and shows what was missed once it is back", async ({
    page,
    person,
    addPerson,
    app,
    allowError,
  }) => {
    allowError(/ERR_INTERNET_DISCONNECTED|WebChannelConnection|WebSocket|Could not reach/);
    allowError(/ERR_NAME_NOT_RESOLVED/);
    await using sender = await signInSender(app, await addPerson({ displayName: "Tomas" }));
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);

    await page.context().setOffline(true);
    const banner = page.getByText("New messages aren't arriving. We're trying again.");
    await expect(banner).toBeVisible({ timeout: 20_000 });
    await sender.send("Meanwhile");
    await page.context().setOffline(false);

    await expect(page.getByText("Meanwhile", { exact: true })).toBeVisible({ timeout: 20_000 });
    await expect(banner).toBeHidden();
    await expectLive(page);
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

/** Tests of how messages look, which does not depend on JavaScript. */
function describeTexts() {
  test("turns addresses into links, and shows everything else as typed", async ({
    page,
    person,
    app,
  }) => {
    const text =
      "javascript:alert(1) <b>x</b> **x** [x](https://example.org/a_(b)).\nhttp://x.example";
    await fillRoom(app.firebase, person, 2, [text, "🏮🍐🏮"]);
    await page.goto("/home");
    await openRoom(page);

    const [message, emoji] = [page.locator("article").first(), page.locator("article").last()];
    await expect(message).toContainText(text, { useInnerText: true });
    const links = message.getByRole("link");
    await expect(links).toHaveText(["https://example.org/a_(b)", "http://x.example"]);
    await expect(links.first()).toHaveAttribute("href", "https://example.org/a_(b)");
    await expect(links.first()).toHaveAttribute("rel", "nofollow ugc noopener");
    const sizes = await Promise.all(
      [message, emoji].map((one) =>
        one
          .locator("p")
          .last()
          .evaluate((element) => parseFloat(getComputedStyle(element).fontSize)),
      ),
    );
    expect(sizes[1]).toBeGreaterThan((sizes[0] ?? 0) * 1.5);
  });

  test("groups the messages of one sender, with name and time in each", async ({
    page,
    person,
    app,
  }) => {
    // Noon of an earlier day, so that no day line separates the messages in any time zone of these tests.
    const noon = Date.UTC(2026, 2, 10, 12);
    const toTime = (index: number) => noon + ([0, 1, 13, 14][index] ?? 0) * 60_000;
    await fillRoom(app.firebase, person, 4, [], toTime);
    await page.goto("/home");
    await openRoom(page);

    const messages = page.locator("article");
    await expect(messages).toHaveText(Array.from({ length: 4 }, () => /Robin Vale.*\d+:\d\d/));
    // Polls, because the panel's code replaces the server's messages.
    const getGaps = () =>
      messages.evaluateAll((elements) => {
        const boxes = elements.map((element) => element.getBoundingClientRect());
        return boxes
          .slice(1)
          .map(({ top }, index) => Math.round(top - (boxes[index]?.bottom ?? 0)));
      });
    await expect.poll(getGaps).toEqual([4, 14, 4]);
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
