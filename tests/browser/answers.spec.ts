import type { Page } from "@playwright/test";

import { getAnswersPath } from "#app/chat/answers/answer.ts";
import { formatQuote } from "#app/chat/quotes/quote.ts";
import { changeDocument } from "#tests/support/documents.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import { LONG, LONG_PATH, getParagraphPath } from "./long-story.ts";
import { expectLive, signInSender } from "./room.ts";
import { openAs, startSession } from "./sign-in.ts";

const ANSWERS_PATH = "/profile?tab=answers";
const QUESTION = "Where is the ferry?";

/** The time between two requests for the summary of a page that waits for a message. */
const INTERVAL_MS = 10_000;

/** Signs in Robin, who asks, and Tomas, who replies. Returns a function that sends a reply. */
async function startAnswering(app: TestApp, robin: TestAccount, tomas: TestAccount) {
  await using asking = await signInSender(app, robin);
  const answering = await signInSender(app, tomas);
  const id = await asking.send(QUESTION);
  return {
    reply: (words: string, quote = "") =>
      answering.send(`${quote}> Robin Vale: ${QUESTION}\n${words}`, id),
    [Symbol.asyncDispose]: () => answering[Symbol.asyncDispose](),
  };
}

/** Waits until the server counts this many new answers: it reads the newest message at most every 4 s. */
async function expectNewAnswers(page: Page, count: number) {
  await expect
    .poll(async () => (await page.request.get("/rooms/general/summary")).json())
    .toMatchObject({ answers: { count } });
}

const findRoomLink = (page: Page) => page.getByRole("banner").getByRole("link", { name: /^Room/ });

/** The link in the header, which phones do not have. */
const findAnswersLink = (page: Page) =>
  page.getByRole("banner").getByRole("link", { name: /^Answers/ });

/** Expects the messages about later parts to be folded, also the one that a link leads to, and to unfold one by one. */
async function expectFoldedMessages(page: Page) {
  const room = page.locator("#room");
  await expect(room.getByText("2 messages about later parts.")).toBeVisible();
  // The browser unfolds what a link leads into.
  await expect(room.getByText("Wrote about a later part.").first()).toBeVisible();
  const [first, second] = [room.getByText("It sinks."), room.getByText("It floats.")];
  for (const words of [first, second]) await expect(words).toBeHidden();
  const message = room.getByRole("article").filter({ hasText: "It sinks." }).last();
  await message.getByText("Show").click();
  await expect(first).toBeVisible();
  await expect(second).toBeHidden();
}

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

    test("replies are listed, lead to their place, and are marked as read", async ({
      page,
      app,
      person,
      addPerson,
    }) => {
      await publishStory(app.firebase.hosts, LONG);
      const tomas = await addPerson({ displayName: "Tomas Lund" });
      await using talk = await startAnswering(app, person, tomas);
      const quote = formatQuote({ words: "Paragraph 60.", path: getParagraphPath(60) });
      for (const words of ["It sinks.", "It floats."]) await talk.reply(words, quote);
      await talk.reply("In the fog.");
      if (javaScriptEnabled) await openAs(page, person, ANSWERS_PATH);
      else {
        await page.setViewportSize({ width: 768, height: 800 });
        await openAs(page, person, "/home");
        await findAnswersLink(page).click();
        await expect(page).toHaveURL(ANSWERS_PATH);
      }
      const rows = page.getByRole("main").getByRole("link", { name: /Tomas Lund replied to you/ });
      const row = rows.filter({ hasText: "In the fog." });
      const later = rows.filter({ hasText: "Wrote about a later part." });

      await expect(row).toContainText("Unread.");
      await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page, { within: "main" });
      await page.getByRole("link", { name: "Quotes 0" }).click();
      await expect(page.getByText("Nobody has quoted your stories yet.")).toBeVisible();
      await page.getByRole("link", { name: "All 3" }).click();
      await page.getByRole("button", { name: "Mark all as read" }).click();
      await expect(page.getByRole("button", { name: "Mark all as read" })).toBeHidden();
      await expect(row).not.toContainText("Unread.");

      await test.step("those about a later part show none of their words", async () => {
        await expect(later).toContainText([LONG.title, LONG.title]);
        await expect(page.getByRole("main")).not.toContainText(/sinks|floats|Paragraph 60/);
        await later.first().click();
        await expect(page).toHaveURL(new RegExp(`^[^?]*${LONG_PATH}\\?talk=story#m-`));
        if (!javaScriptEnabled) await expectFoldedMessages(page);
        await page.goBack();
      });

      await row.click();
      await expect(page).toHaveURL(/\/home#m-/);
      const message = page.locator("#room article").filter({ hasText: "In the fog." });
      await expect(message).toBeInViewport();
      if (javaScriptEnabled) await expect(message).toBeFocused();
    });
  });
}

test.describe("with JavaScript", () => {
  test("the header leads to the answers, except on phones, and says what will appear there", async ({
    page,
    person,
  }) => {
    await page.setViewportSize({ width: 768, height: 800 });
    await stubNotifications(page, "denied");
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
    await expect(page.getByRole("dialog", { name: "Answers" })).toContainText("No answers yet.");
    await page.getByRole("link", { name: "All answers" }).click();
    await expect(page).toHaveURL(ANSWERS_PATH);
    await expect(page.getByRole("heading", { name: "No answers yet." })).toBeVisible();
    await expectAccessible(page, { within: "main" });

    await test.step("after a no, nobody is asked again", async () => {
      await page.getByRole("button", { name: "Tell me" }).click();
      await expect(page.getByText("Your browser won't show notifications")).toBeVisible();
      await expect(page.getByRole("button", { name: "Tell me" })).toBeHidden();

      await page.reload();

      await expect(page.getByRole("heading", { name: "No answers yet." })).toBeVisible();
      await expect(page.getByRole("button", { name: "Tell me" })).toBeHidden();
      expect(await page.evaluate("sessionStorage.getItem('asked')")).toBe("1");
    });

    await page.setViewportSize({ width: 360, height: 800 });
    await expect(link).toBeHidden();
  });

  test("a live reply is counted in the header and in the room, until it is opened", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    const tomas = await addPerson({ displayName: "Tomas Lund" });
    await using talk = await startAnswering(app, person, tomas);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.clock.install();
    await openAs(page, person, "/home");
    await findRoomLink(page).click();
    await expectLive(page);
    await talk.reply("In the fog.");
    await expect(page.locator("#room article").last()).toContainText("In the fog.");
    await expectNewAnswers(page, 1);
    await page.clock.fastForward(INTERVAL_MS);

    await expect(findAnswersLink(page)).toHaveAccessibleName("Answers, 1 unread");
    await expect(findRoomLink(page)).not.toHaveAccessibleName(/answer/);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole("button", { name: "Close the room" }).click();
    // Going back takes a moment, and closes whatever room is open then.
    await expect(page.locator("#room")).toBeHidden();
    await expect(findRoomLink(page)).toHaveAccessibleName(/ 1 unread answer$/);
    await page.setViewportSize({ width: 1280, height: 800 });
    const link = page.locator("#room").getByRole("link", { name: "Answers 1 unread" });
    await expect(link).toBeVisible();
    await expectAccessible(page, { within: "#room" });
    await expectAccessible(page, { within: "header" });
    await link.click();
    const row = page.getByRole("main").getByRole("link", { name: /Tomas Lund replied to you/ });
    await row.click();

    await expect(page.locator("#room article").last()).toBeFocused();
    await expect(findAnswersLink(page)).toHaveAccessibleName("Answers");
    await page.goto(ANSWERS_PATH);
    await expect(row).toBeVisible();
    await expect(row).not.toContainText("Unread.");
  });

  test("earlier answers are shown from their heading, which gets the focus", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    const { hosts } = app.firebase;
    const tomas = await addPerson({ displayName: "Tomas Lund" });
    for (let index = 0; index < 65; index += 1) {
      const at = { timestampValue: new Date(Date.now() - index * 60_000).toISOString() };
      await changeDocument(hosts, `rooms/general/messages/old-${index}`, {
        text: { stringValue: `Answer ${index}` },
        uid: { stringValue: tomas.localId },
        displayName: { stringValue: tomas.displayName },
        photoURL: { nullValue: null },
        createdAt: at,
      });
      await changeDocument(hosts, `${getAnswersPath(person.localId)}/old-${index}`, {
        kind: { stringValue: "reply" },
        from: { stringValue: tomas.localId },
        at,
      });
    }
    await openAs(page, person, ANSWERS_PATH);
    await page.getByRole("link", { name: "Show earlier" }).click();
    await expect(page.getByText("Answer 30", { exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Answers", level: 2 })).toBeFocused();
  });

  test("the header's list shows the newest answers, and reads one or all", async ({
    page,
    app,
    person,
    addPerson,
    allowError,
  }) => {
    allowError(/net::ERR_FAILED/);
    const tomas = await addPerson({ displayName: "Tomas Lund" });
    await using talk = await startAnswering(app, person, tomas);
    for (const words of ["At the quay.", "In the fog."]) await talk.reply(words);
    await page.setViewportSize({ width: 1280, height: 800 });
    await openAs(page, person, "/home");
    const link = findAnswersLink(page);
    const list = page.getByRole("dialog", { name: "Answers" });
    const rows = list.getByRole("link", { name: /Tomas Lund replied to you/ });
    const row = rows.filter({ hasText: "In the fog." });
    await expect(link).toHaveAccessibleName("Answers, 2 unread");

    await test.step("it says when it can't be loaded", async () => {
      await page.route("**/rooms/general/answers", (route) => route.abort(), { times: 1 });
      await link.click();
      await expect(list.getByRole("alert")).toContainText("We can't load your answers right now.");
      await list.getByRole("button", { name: "Try again" }).click();
      await expect(row).toContainText("Unread.");
    });

    await test.step("it opens below the link, and closes with Escape or a press beside it", async () => {
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
    });

    await test.step("an answer that is opened is read", async () => {
      await link.click();
      await row.click();
      await expect(list).toBeHidden();
      await expect(page.locator("#room article").last()).toBeFocused();
      await expect(link).toHaveAccessibleName("Answers, 1 unread");
      await link.click();
      await expect(row).toBeVisible();
      await expect(row).not.toContainText("Unread.");
    });

    await test.step("all can be marked as read", async () => {
      const markAll = list.getByRole("button", { name: "Mark all as read" });
      await markAll.click();
      await expect(markAll).toBeHidden();
      await expect(rows).toHaveCount(2);
      await expect(rows.filter({ hasText: "Unread." })).toHaveCount(0);
      await expect(list).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(link).toHaveAccessibleName("Answers");
    });
  });

  test("Tell me asks the browser, and an answer in a hidden tab is a notification that leads to it", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    const tomas = await addPerson({ displayName: "Tomas Lund" });
    await using talk = await startAnswering(app, person, tomas);
    await stubNotifications(page, "granted");
    await page.clock.install();
    await startSession(page, person);
    const counted = page.waitForResponse("**/rooms/general/summary");
    await page.goto(ANSWERS_PATH);
    expect(await page.evaluate("sessionStorage.getItem('asked')")).toBeNull();
    await page.getByRole("button", { name: "Tell me" }).click();
    await expect(page.getByText("Your browser tells you about answers")).toBeVisible();
    await (await counted).finished();
    await setHidden(page, true);

    await talk.reply("In the fog.");
    await expectNewAnswers(page, 1);
    await page.clock.fastForward(INTERVAL_MS);

    const readTitles = () => page.evaluate("window.shown.map(({ title }) => title)");
    await expect.poll(readTitles).toEqual(["Tomas Lund replied to you"]);
    await setHidden(page, false);
    await page.evaluate("window.shown[0].press()");
    await expect(page).toHaveURL(/\/home#m-/);
    await expect(page.locator("#room article").last()).toBeFocused();
  });
});
