import type { Page } from "@playwright/test";

import { formatQuote } from "#app/chat/quotes/quote.ts";
import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { LONG, LONG_PATH, getParagraphPath } from "./long-story.ts";
import { expectLive, openRoomAs, sendMessage, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

const ANSWERS_PATH = "/profile?tab=answers";
const REPLY = "> Robin Vale: Where is the ferry?\nIn the fog.";

type Sender = Awaited<ReturnType<typeof signInSender>>;

/** Asks as one sender, and replies as another. */
async function askAndReply(page: Page, robin: Sender, tomas: Sender, reply = REPLY) {
  await robin.send("Where is the ferry?");
  await tomas.send(reply, await findMessage(page, "Where is the ferry?"));
}

/** Returns the id of the message with this text. */
async function findMessage(page: Page, text: string): Promise<string> {
  const response = await page.request.get("/rooms/general");
  const { feed } = (await response.json()) as {
    feed: { messages: { id: string; text: string }[] };
  };
  const id = feed.messages.find((message) => message.text === text)?.id;
  if (id === undefined) throw new Error(`No message says ${text}`);
  return id;
}

const findRoomLink = (page: Page) => page.getByRole("banner").getByRole("link", { name: /^Room/ });

/** The link in the header, which phones do not have. */
const findAnswersLink = (page: Page) =>
  page.getByRole("banner").getByRole("link", { name: /^Answers/ });

/** Replaces the browser's notifications with ones that are recorded. */
async function stubNotifications(page: Page, answer: NotificationPermission) {
  await page.addInitScript((result) => {
    const shown: { title: string; press: () => void }[] = [];
    class StubNotification extends EventTarget {
      static permission = sessionStorage.getItem("permission") ?? "default";
      static requestPermission() {
        sessionStorage.setItem("permission", result);
        sessionStorage.setItem("asked", `${Number(sessionStorage.getItem("asked")) + 1}`);
        StubNotification.permission = result;
        return Promise.resolve(result);
      }
      constructor(title: string) {
        super();
        shown.push({ title, press: () => this.dispatchEvent(new Event("click")) });
      }
      close() {}
    }
    Object.assign(window, { Notification: StubNotification, shown });
  }, answer);
}

/** Makes the page believe that its tab is hidden, or visible again. */
async function setHidden(page: Page, isHidden: boolean) {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    isHidden ? "hidden" : "visible",
  );
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("a reply is listed, leads to its place, and is marked as read", async ({
      page,
      app,
      person,
      addPerson,
    }) => {
      await using robin = await signInSender(app, person);
      await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
      await askAndReply(page, robin, tomas);
      await openAs(page, person, ANSWERS_PATH);

      const row = page.getByRole("main").getByRole("link", { name: /Tomas Lund replied to you/ });
      await expect(row).toContainText("Unread.");
      await expect(row).toContainText("In the fog.");
      await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page, { within: "main" });
      await page.getByRole("link", { name: "Quotes 0" }).click();
      await expect(page.getByText("Nobody has quoted your stories yet.")).toBeVisible();
      await page.getByRole("link", { name: "All 1" }).click();
      await page.getByRole("button", { name: "Mark all as read" }).click();
      await expect(page.getByRole("button", { name: "Mark all as read" })).toBeHidden();
      await expect(row).not.toContainText("Unread.");

      await row.click();
      await expect(page).toHaveURL(/\/home#m-/);
      const message = page.locator("#room article").filter({ hasText: "In the fog." });
      await expect(message).toBeInViewport();
      if (javaScriptEnabled) await expect(message).toBeFocused();
    });

    test("the header's link to the answers is left of the profile, and phones have none", async ({
      page,
      person,
    }) => {
      await page.setViewportSize({ width: 768, height: 800 });
      await openAs(page, person, "/home");
      const link = findAnswersLink(page);
      await expect(link).toHaveAccessibleName("Answers");
      const [box, profile] = await Promise.all(
        [link, page.getByRole("banner").getByRole("link", { name: "Profile" })].map((control) =>
          control.boundingBox(),
        ),
      );
      if (!box || !profile) throw new Error("The header has both");
      expect([box.width, box.height]).toEqual([44, 44]);
      expect(box.y).toBe(profile.y);
      expect(box.x + box.width).toBeLessThanOrEqual(profile.x);
      await link.click();
      if (javaScriptEnabled) {
        await expect(page.getByRole("dialog", { name: "Answers" })).toContainText(
          "No answers yet.",
        );
        await page.getByRole("link", { name: "All answers" }).click();
      }
      await expect(page).toHaveURL(ANSWERS_PATH);

      await page.setViewportSize({ width: 360, height: 800 });
      await expect(link).toBeHidden();
    });

    test("an account without answers sees what will appear here", async ({ page, person }) => {
      await openAs(page, person, ANSWERS_PATH);

      await expect(page.getByRole("heading", { name: "No answers yet." })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page, { within: "main" });
    });

    test("a reply about a later part shows none of its words", async ({
      page,
      app,
      person,
      addPerson,
    }) => {
      await publishStory(app.firebase.hosts, LONG);
      await using robin = await signInSender(app, person);
      await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
      const quote = formatQuote({ words: "Paragraph 60.", path: getParagraphPath(60) });
      await askAndReply(page, robin, tomas, `${quote}${REPLY.replace("In the fog", "It sinks")}`);
      await openAs(page, person, ANSWERS_PATH);

      const row = page.getByRole("main").getByRole("link", { name: /Tomas Lund replied to you/ });
      await expect(row).toContainText("Wrote about a later part.");
      await expect(row).toContainText(LONG.title);
      await expect(page.getByRole("main")).not.toContainText(/sinks|Paragraph 60/);
      await row.click();
      await expect(page).toHaveURL(new RegExp(`^[^?]*${LONG_PATH}\\?talk=story#m-`));
    });
  });
}

test.describe("in two browsers", () => {
  test.use({ javaScriptEnabled: true });

  test("a live reply is counted in the header and in the room, until it is opened", async ({
    page: robin,
    browser,
    app,
    person,
    addPerson,
  }) => {
    await using tomas = await openRoomAs(
      browser,
      app,
      await addPerson({ displayName: "Tomas Lund" }),
    );
    await robin.setViewportSize({ width: 1280, height: 800 });
    await openAs(robin, person, "/home");
    await findRoomLink(robin).click();
    await expectLive(robin);
    await sendMessage(robin, "Where is the ferry?");
    const question = tomas.page.getByRole("listitem").filter({ hasText: "Where is the ferry?" });
    await question.getByRole("button", { name: /^Actions for / }).click();
    await tomas.page.getByRole("menuitem", { name: "Reply" }).click();
    await sendMessage(tomas.page, "In the fog.");

    await expect(findAnswersLink(robin)).toHaveAccessibleName("Answers, 1 unread");
    await expect(findRoomLink(robin)).not.toHaveAccessibleName(/answer/);
    await robin.setViewportSize({ width: 360, height: 800 });
    await robin.getByRole("button", { name: "Close the room" }).click();
    await expect(findRoomLink(robin)).toHaveAccessibleName(/ 1 unread answer$/);
    await robin.setViewportSize({ width: 1280, height: 800 });
    const link = robin.locator("#room").getByRole("link", { name: "Answers 1 unread" });
    await expect(link).toBeVisible();
    await expectAccessible(robin, { within: "#room" });
    await expectAccessible(robin, { within: "header" });
    await link.click();
    await robin
      .getByRole("main")
      .getByRole("link", { name: /Tomas Lund replied to you/ })
      .click();

    await expect(robin.locator("#room article").last()).toBeFocused();
    await expect(findAnswersLink(robin)).toHaveAccessibleName("Answers");
    await robin.goto(ANSWERS_PATH);
    const row = robin.getByRole("main").getByRole("link", { name: /replied to you/ });
    await expect(row).toBeVisible();
    await expect(row).not.toContainText("Unread.");
  });

  test("the header's list shows the newest answers; opening one reads it", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    await using robin = await signInSender(app, person);
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
    await askAndReply(page, robin, tomas);
    await page.setViewportSize({ width: 1280, height: 800 });
    await openAs(page, person, "/home");
    const link = findAnswersLink(page);
    const list = page.getByRole("dialog", { name: "Answers" });
    const row = list.getByRole("link", { name: /Tomas Lund replied to you/ });
    await expect(link).toHaveAccessibleName("Answers, 1 unread");

    await link.click();
    await expect(row).toContainText("Unread.");
    await expect(row).toContainText("In the fog.");
    await expect(link).toHaveAttribute("aria-expanded", "true");
    const [box, below] = [await list.boundingBox(), await link.boundingBox()];
    if (!box || !below) throw new Error("Both are shown");
    expect(box.width).toBe(440);
    // It covers nothing of the link.
    expect(box.y).toBeGreaterThanOrEqual(below.y + below.height);
    expect(box.x + box.width).toBe(below.x + below.width);
    await expectAccessible(page, { within: "dialog" });
    await page.keyboard.press("Escape");
    await expect(list).toBeHidden();
    await expect(link).toBeFocused();
    await expect(link).toHaveAttribute("aria-expanded", "false");
    await page.keyboard.press("Enter");
    await expect(row).toBeVisible();
    await page.mouse.click(200, 400);
    await expect(list).toBeHidden();

    await link.click();
    await row.click();
    await expect(list).toBeHidden();
    await expect(page.locator("#room article").last()).toBeFocused();
    await expect(link).toHaveAccessibleName("Answers");
    await link.click();
    await expect(row).toBeVisible();
    await expect(row).not.toContainText("Unread.");
  });

  test("the header's list says when it can't be loaded, and marks everything as read", async ({
    page,
    app,
    person,
    addPerson,
    allowError,
  }) => {
    allowError(/net::ERR_FAILED/);
    await using robin = await signInSender(app, person);
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
    await askAndReply(page, robin, tomas);
    await page.setViewportSize({ width: 1280, height: 800 });
    await openAs(page, person, "/home");
    const list = page.getByRole("dialog", { name: "Answers" });
    await page.route("**/rooms/general/answers", (route) => route.abort(), { times: 1 });
    await findAnswersLink(page).click();
    await expect(list.getByRole("alert")).toContainText("We can't load your answers right now.");
    await list.getByRole("button", { name: "Try again" }).click();

    const markAll = list.getByRole("button", { name: "Mark all as read" });
    await markAll.click();
    await expect(markAll).toBeHidden();
    await expect(list.getByRole("link", { name: /replied to you/ })).not.toContainText("Unread.");
    await expect(list).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(findAnswersLink(page)).toHaveAccessibleName("Answers");
  });

  test("Tell me asks the browser, and an answer in a hidden tab is a notification that leads to it", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    await using robin = await signInSender(app, person);
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas Lund" }));
    await stubNotifications(page, "granted");
    await openAs(page, person, "/home");
    const counted = page.waitForResponse("**/rooms/general/summary");
    await page.goto(ANSWERS_PATH);
    expect(await page.evaluate("sessionStorage.getItem('asked')")).toBeNull();
    await page.getByRole("button", { name: "Tell me" }).click();
    await expect(page.getByText("Your browser tells you about answers")).toBeVisible();
    await counted;
    await setHidden(page, true);

    await askAndReply(page, robin, tomas);

    const readTitles = () => page.evaluate("window.shown.map(({ title }) => title)");
    await expect.poll(readTitles, { timeout: 30_000 }).toEqual(["Tomas Lund replied to you"]);
    await setHidden(page, false);
    await page.evaluate("window.shown[0].press()");
    await expect(page).toHaveURL(/\/home#m-/);
    await expect(page.locator("#room article").last()).toBeFocused();
  });

  test("after a no, nobody is asked again", async ({ page, person }) => {
    await stubNotifications(page, "denied");
    await openAs(page, person, ANSWERS_PATH);
    await page.getByRole("button", { name: "Tell me" }).click();
    await expect(page.getByText("Your browser won't show notifications")).toBeVisible();
    await expect(page.getByRole("button", { name: "Tell me" })).toBeHidden();

    await page.reload();

    await expect(page.getByRole("heading", { name: "No answers yet." })).toBeVisible();
    await expect(page.getByRole("button", { name: "Tell me" })).toBeHidden();
    expect(await page.evaluate("sessionStorage.getItem('asked')")).toBe("1");
  });
});
