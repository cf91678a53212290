import type { Page } from "@playwright/test";

import { changeDocument, setDocuments } from "#tests/support/documents.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import { deleteStory, makeLongText, publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import { LONG, LONG_PATH, getParagraph, getParagraphId, getParagraphPath } from "./long-story.ts";
import {
  expectLive,
  holdMessages,
  openRoom,
  openRoomAs,
  ROOM_PATH,
  sendMessage,
  signInSender,
} from "./room.ts";
import { openAs, startSession } from "./sign-in.ts";

/** The beginning of the story, with as many paragraphs as the tests need. */
const STORY = { ...LONG, text: makeLongText(16_000) };

/** Publishes the story, and signs in a user whose messages quote its paragraphs. */
async function startQuoting(app: TestApp, person: TestAccount) {
  await publishStory(app.firebase.hosts, STORY);
  const sender = await signInSender(app, person);
  return {
    quote: (number: number) =>
      sender.send(`“Paragraph ${number}.”\n${getParagraphPath(number)}\nRain again.`),
    say: (text: string) => sender.send(text),
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  };
}

/** Signs in a person whose reading position in the story is at a paragraph. */
async function signInAt(page: Page, app: TestApp, person: TestAccount, number: number) {
  // The page of the previous reader saves their position when it is left.
  await page.goto("about:blank");
  await startSession(page, person);
  const form = { story: STORY.id, paragraph: getParagraphId(number) };
  await page.request.post("/reading-position", { form, headers: { Origin: app.url } });
}

const findMark = (page: Page) =>
  page.locator("#text").getByRole("link", { name: /about this passage$/ });

/** Moves with the arrow key from the first mark, once the script for marks has loaded. Before, marks are plain links. */
async function moveToSecondMark(page: Page): Promise<void> {
  await expect(async () => {
    await findMark(page).first().focus();
    await page.keyboard.press("ArrowDown");
    await expect(findMark(page).nth(1)).toBeFocused({ timeout: 100 });
  }).toPass();
}

async function quoteParagraph(page: Page, number: number) {
  await getParagraph(page, number).evaluate((paragraph) => {
    paragraph.scrollIntoView({ block: "center", behavior: "instant" });
    getSelection()?.selectAllChildren(paragraph);
  });
  await page.getByRole("button", { name: "Quote in the room" }).click();
}

const findRoom = (page: Page) => page.getByRole("region", { name: "The room", exact: true });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("marks quoted passages and opens quotes up to where the user has read, and links both ways", async ({
      page,
      app,
      addPerson,
    }) => {
      const reyes = await addPerson({ displayName: "Ana Reyes" });
      await using ana = await startQuoting(app, reyes);
      for (const number of [50, 12, 40, 60, 4]) await ana.quote(number);
      const tomas = await addPerson();
      const room = findRoom(page);
      const fold = room.locator("summary", { hasText: "2 messages about later parts." });
      const single = room
        .locator("summary", { hasText: "Wrote about a later part." })
        .filter({ visible: true });

      await test.step("only passages that the user has read are marked", async () => {
        await signInAt(page, app, tomas, 3);
        await page.goto(LONG_PATH);
        await expect(getParagraph(page, 12)).toBeVisible();
        await expect(findMark(page)).toHaveCount(0);
        await signInAt(page, app, tomas, 20);
        await page.goto(LONG_PATH);
        await expect(findMark(page)).toHaveText(["1", "1"]);
        if (javaScriptEnabled) await expectAccessible(page, { within: "#text [data-mark]" });
      });

      await test.step("messages about later parts in a row are one line", async () => {
        await openRoom(page);
        await expect(fold).toBeVisible();
        // The line shows no name, so the message below it begins with one.
        const below = room.getByRole("article").last();
        await expect(below).toContainText("“Paragraph 4.”");
        const [name, quote] = await Promise.all(
          [below.getByText("Ana Reyes"), below.getByRole("link").first()].map((part) =>
            part.boundingBox(),
          ),
        );
        expect(name?.y).toBeLessThan(quote?.y ?? 0);
        await expect(single).toHaveCount(1);
        for (const words of ["“Paragraph 50.”", "“Paragraph 60.”"]) {
          await expect(room.getByText(words)).toBeHidden();
        }
        await expect(room.getByText("Rain again.").first()).toBeHidden();
        if (!javaScriptEnabled) return;
        await expectLive(page);
        await expectAccessible(page, { within: "#room" });
      });

      await test.step("the story's title leads to where the user has stopped reading", async () => {
        await page.goto("/read/anything#room");
        await room.getByRole("link", { name: STORY.title, exact: true }).click();
        await expect(page).toHaveURL(LONG_PATH);
        if (!javaScriptEnabled) await page.getByRole("link", { name: /^Continue at/ }).click();
        await expect(getParagraph(page, 20)).toBeInViewport();
      });

      await test.step("the line shows its messages, and what arrives later is folded", async () => {
        if (!javaScriptEnabled) await openRoom(page);
        await fold.getByText("Show", { exact: true }).click();
        if (!javaScriptEnabled) {
          await expect(single).toHaveCount(3);
          for (const at of [1, 2]) await single.nth(at).getByText("Show").click();
        }
        await expect(room.getByText("“Paragraph 40.”")).toBeVisible();
        await expect(room.getByText("“Paragraph 60.”")).toBeVisible();
        if (!javaScriptEnabled) return;
        await clearRateRecords(app.firebase.hosts, reyes.localId);
        for (const number of [61, 62]) await ana.quote(number);
        await expect(fold).toBeVisible();
        await expect(room.getByText("“Paragraph 60.”")).toBeVisible();
        await expect(room.getByText("“Paragraph 62.”")).toBeHidden();
      });

      await test.step("a message that is shown leads to its passage, and back", async () => {
        await single.first().getByText("Show", { exact: true }).click();
        await expect(room.getByText("“Paragraph 50.”")).toBeVisible();
        await expect(room.getByText("Rain again.").first()).toBeVisible();
        await room.getByRole("link", { name: "Go to the passage" }).first().click();
        await expect(getParagraph(page, 50)).toBeInViewport();
        await page.getByRole("link", { name: /^Back to where you were/ }).click();
        await expect(getParagraph(page, 20)).toBeInViewport();
      });

      await test.step("nothing is folded for a user who has read further", async () => {
        await signInAt(page, app, tomas, 70);
        await page.goto(LONG_PATH);
        // With scripts the room has stayed open.
        if (!javaScriptEnabled) await openRoom(page);
        await expect(room.getByRole("link", { name: "“Paragraph 60.”" })).toBeVisible();
        await expect(fold).toBeHidden();
      });

      await test.step("a mark leads to what is said about its passage", async () => {
        await findMark(page).first().click();
        await expect(page).toHaveURL(`${LONG_PATH}?passage=${getParagraphId(4)}#room`);
        await expect(room.getByText("1 message", { exact: true })).toBeVisible();
        await expect(room.getByRole("heading", { name: "This passage" })).toBeVisible();
        await expect(findMark(page).first()).toHaveAttribute("aria-current", "true");
        await expect(room.getByRole("article")).toHaveCount(1);
        await expect(room.getByRole("article")).toContainText("Rain again.");
        await room.getByRole("link", { name: "Back to all messages about this story" }).click();
        // Folded again, if the page has scrolled back to the mark.
        await expect(room.locator("article[id]")).toHaveCount(javaScriptEnabled ? 7 : 5);
        await expect(page).toHaveURL(`${LONG_PATH}?talk=story#room`);
      });
    });

    test("what is sent beside a story or a passage is about it, and folded for who is not as far", async ({
      page,
      browser,
      app,
      addPerson,
    }) => {
      await using ana = await startQuoting(app, await addPerson());
      await ana.say("Hello from nowhere.");
      await using mira = await openRoomAs(browser, app, await addPerson());
      await signInAt(page, app, await addPerson({ displayName: "Tomas Lund" }), 20);
      const [room, miraRoom] = [findRoom(page), findRoom(mira.page)];
      const send = async (text: string) => {
        await room.getByPlaceholder("Type a message…").fill(text);
        await room.getByRole("button", { name: "Send" }).click();
      };

      await test.step("a story's page shows what is said about the story", async () => {
        await page.goto(`${LONG_PATH}?talk=story#room`);
        await expect(room.getByText(/^No messages about this story yet/)).toBeVisible();
        await send("It rains a lot.");
        await expect(room.getByRole("article")).toHaveText(/Tomas Lund.*It rains a lot\.$/);
        // Everyone else sees it with the story's title, but not before they are as far.
        await expect(miraRoom.getByText("Wrote about a later part.")).toBeVisible();
        await expect(miraRoom.getByText("It rains a lot.")).toBeHidden();
      });

      await test.step("and everyone's messages on request, where what is sent is for everyone", async () => {
        await page.goto(`${LONG_PATH}#room`);
        await expect(room.getByRole("article")).toHaveCount(1);
        await expect(room.getByRole("link", { name: "This story · 1" })).toBeVisible();
        if (javaScriptEnabled) await expectAccessible(page, { within: "#room" });
        await page.emulateMedia({ forcedColors: "active" });
        const [current, other] = await room
          .getByRole("navigation", { name: "Which messages" })
          .getByRole("link")
          .evaluateAll((links) => links.map((link) => getComputedStyle(link).borderTopWidth));
        expect(current).not.toBe(other);
        await page.emulateMedia({ forcedColors: null });
        await room.getByRole("link", { name: "Everyone" }).click();
        await expect(room.getByText("Hello from nowhere.")).toBeVisible();
        await expect(room.getByText("About this story", { exact: true })).toBeHidden();
        await send("Hello too.");
        await expect(miraRoom.getByText("Hello too.", { exact: true })).toBeVisible();
      });

      await test.step("what is sent among messages about a passage is about it, and others see it there", async () => {
        await ana.quote(12);
        const path = `${LONG_PATH}?passage=${getParagraphId(12)}`;
        await mira.page.goto(`${path}#room`);
        await expect(miraRoom.getByRole("article")).toHaveCount(1);
        await page.goto(`${path}#room`);
        await expect(room.getByText("About this passage", { exact: true })).toBeVisible();
        await expect(room.getByRole("blockquote").first()).toHaveText(/^Paragraph 12\./);
        // Mira has not read that far.
        await expect(miraRoom.getByText("This passage is in a later part. Show")).toBeVisible();
        await expect(miraRoom.getByRole("blockquote")).toHaveCount(0);
        if (javaScriptEnabled) await expectAccessible(page, { within: "#room" });
        for (const text of ["It never stops.", "Not even at night."]) {
          await send(text);
          await expect(room.locator("article", { hasText: text }).locator("time")).toBeVisible();
        }

        await expect(page).toHaveURL(javaScriptEnabled ? `${path}#room` : `${path}#newest`);
        await expect(room.getByText("3 messages", { exact: true })).toBeVisible();
        await expect(findMark(page)).toHaveText(["3"]);
        await expect(miraRoom.getByText("3 messages", { exact: true })).toBeVisible();
        await expect(miraRoom.getByRole("article").last()).toContainText("Tomas Lund");
        await expect(miraRoom.getByText("Not even at night.")).toBeHidden();
        await expect(miraRoom.getByText("Wrote about a later part.")).toHaveCount(3);
      });

      await test.step("the way back leads to all messages about the story", async () => {
        await room.getByRole("link", { name: "Back to all messages about this story" }).click();
        await expect(room.getByText("3 messages", { exact: true })).toBeHidden();
        await expect(room.getByRole("article")).toHaveCount(4);
        await expect(room.getByText("About this story", { exact: true })).toBeVisible();
      });
    });
  });
}

test("a selection leads to what is said about its paragraph, and back, and adds to a message", async ({
  page,
  app,
  addPerson,
}) => {
  await using ana = await startQuoting(app, await addPerson());
  for (const number of [3, 12]) await ana.quote(number);
  await signInAt(page, app, await addPerson(), 20);
  const everyone = `${LONG_PATH}?talk=everyone#room`;
  const getPassage = (number: number) =>
    `${LONG_PATH}?passage=${getParagraphId(number)}&talk=everyone#room`;
  await page.goto(everyone);
  await expectLive(page);
  const room = findRoom(page);
  const field = room.getByPlaceholder("Type a message…");

  await test.step("what is typed stays, below the quote", async () => {
    await field.fill("Half a thought");
    await quoteParagraph(page, 12);
    await expect(page).toHaveURL(getPassage(12));
    await expect(room.getByRole("heading", { name: "This passage" })).toBeVisible();
    await expect(room.getByRole("article")).toHaveCount(1);
    await expect(room.getByRole("article")).toContainText("Rain again.");
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(/^“Paragraph 12\.[^\n]*”\n\/read\/[^\n]+\nHalf a thought$/);
    await page.keyboard.type(" about rain");
    await page.keyboard.press("Enter");
    await expect(room.getByText("2 messages", { exact: true })).toBeVisible();
    await expect(page).toHaveURL(getPassage(12));
    await expect(findMark(page).last()).toHaveText("2");
  });

  await test.step("links and Back lead to the messages that were shown", async () => {
    await room.getByRole("link", { name: "Back to all messages", exact: true }).click();
    await expect(page).toHaveURL(everyone);
    await page.goBack();
    await expect(page).toHaveURL(getPassage(12));
    await page.goBack();
    await expect(page).toHaveURL(everyone);
    await expect(room.getByRole("article")).toHaveCount(3);
  });

  await test.step("a message about another passage stays there, with both quotes", async () => {
    await quoteParagraph(page, 3);
    await expect(page).toHaveURL(getPassage(3));
    await expect(field).toHaveValue(/^“Paragraph 3\./);
    await field.press("End");
    await page.keyboard.type("And then?");
    await quoteParagraph(page, 12);
    await expect(field).toHaveValue(/^“Paragraph 3\.[^]*\nAnd then\?\n“Paragraph 12\.[^]*\n$/);
    await expect(field).toBeFocused();
    await expect(page).toHaveURL(getPassage(3));
  });
});

test("marks are used with the keyboard, and get the focus back from the room that they open", async ({
  page,
  app,
  addPerson,
}) => {
  await using ana = await startQuoting(app, await addPerson());
  for (const number of [3, 8, 12]) await ana.quote(number);
  await signInAt(page, app, await addPerson(), 20);
  await page.goto(LONG_PATH);
  const room = findRoom(page);
  const marks = findMark(page);
  const mark = marks.first();
  await expect(marks).toHaveCount(3);

  await test.step("a room that was opened by a mark gives the focus back to it", async () => {
    await moveToSecondMark(page);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      await mark.press("Enter");
      await expectLive(page);
      await page.keyboard.press("Escape");
      await expect(room).toBeHidden();
      await expect(mark).toBeFocused();
    }
    await mark.press("Enter");
    await expectLive(page);
    await sendMessage(page, "It never stops.");
    await expect(mark).toHaveText(["2"]);
    await page.keyboard.press("Escape");
    await expect(mark).toBeFocused();
  });

  await test.step("arrow keys move between the marks, and Enter opens what is said there", async () => {
    await page.keyboard.press("ArrowDown");
    await expect(marks.nth(1)).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(marks.nth(2)).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(marks.nth(2)).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${LONG_PATH}?passage=${getParagraphId(8)}#room`);
    await expect(marks.nth(1)).toHaveAttribute("aria-current", "true");
    await page.goBack();
    await expect(marks.nth(1)).not.toHaveAttribute("aria-current");
  });
});

test("what is said about a passage while the room is closed is shown, however busy it was", async ({
  page,
  app,
  addPerson,
}) => {
  const person = await addPerson();
  await using ana = await startQuoting(app, person);
  await ana.quote(3);
  await signInAt(page, app, await addPerson(), 20);
  await page.goto(LONG_PATH);
  const quotes = findRoom(page).getByText("Rain again.");
  await findMark(page).press("Enter");
  await expectLive(page);
  await expect(quotes).toHaveCount(1);
  await page.keyboard.press("Escape");

  await ana.quote(3);
  await fillRoom(app.firebase, person, 60, [], (index) => Date.now() + index);
  await findMark(page).press("Enter");
  await expectLive(page);

  await expect(quotes).toHaveCount(2);
});

test("an older message that its sender deletes is gone from the passage, its count and its mark", async ({
  page,
  app,
  person,
  addPerson,
}) => {
  await publishStory(app.firebase.hosts, STORY);
  await using sender = await signInSender(app, person);
  const quote = `“Paragraph 3.”\n${getParagraphPath(3)}\n`;
  const id = await sender.send(`${quote}Rain again.`);
  await sender.send(`${quote}> Robin Vale: Rain again.\n\nAnd still.`, id);
  // The newest 50 are others.
  const mira = await addPerson();
  await fillRoom(app.firebase, mira, 60, [], (index) => Date.now() + index);
  await signInAt(page, app, person, 20);
  await page.clock.install();
  await page.goto(`${LONG_PATH}?passage=${getParagraphId(3)}#room`);
  await expectLive(page);
  const room = findRoom(page);
  await expect(findMark(page)).toHaveText(["2"]);

  for (const count of ["1 message", "0 messages"]) {
    await room
      .getByRole("button", { name: /^Actions for / })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(room.getByRole("button", { name: "Undo" })).toBeVisible();
    await page.clock.fastForward(10_000);
    await expect(room.getByText(count, { exact: true })).toBeVisible();
    if (count === "1 message")
      await expect(room.getByText("The original was deleted.")).toBeVisible();
  }

  await expect(room.getByText("No messages about this passage yet.")).toBeVisible();
  await expect(findMark(page)).toHaveCount(0);
});

test("a message stays shown after a hundred newer ones about stories", async ({
  page,
  app,
  addPerson,
}) => {
  await using ana = await startQuoting(app, await addPerson());
  await signInAt(page, app, await addPerson(), 20);
  await page.goto(`${LONG_PATH}?talk=everyone#room`);
  await expectLive(page);
  const room = findRoom(page);
  await ana.quote(3);
  await expect(room.getByRole("link", { name: "“Paragraph 3.”" })).toBeVisible();

  const at = { timestampValue: new Date().toISOString() };
  const newer = Array.from({ length: 100 }, (_, index) => ({
    path: `rooms/general/topics/newer-${index}`,
    fields: { at },
  }));
  await setDocuments(app.firebase.hosts, newer);
  await ana.quote(12);

  await expect(room.getByRole("link", { name: "“Paragraph 12.”" })).toBeVisible();
  await expect(room.getByRole("link", { name: "“Paragraph 3.”" })).toBeVisible();
});

test("a folded quote is no stop of the Tab key, and opens with its mark as the reader continues", async ({
  page,
  app,
  person,
  addPerson,
}) => {
  await using ana = await startQuoting(app, await addPerson());
  await ana.quote(30);
  await ana.say("Good evening");
  await openAs(page, person, `${LONG_PATH}?talk=everyone#room`);
  await expectLive(page);
  const fold = page.locator("summary", { hasText: "Wrote about a later part." });
  await expect(fold).toBeVisible();
  await expect(findMark(page)).toHaveCount(0);

  await test.step("Tab leads to the newest message, and from another one to its quote", async () => {
    const newest = page.getByRole("article").last();
    await page.getByPlaceholder("Type a message…").press("Shift+Tab");
    await expect(newest).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(page.locator("[role=log] :focus")).toHaveCount(0);
    await page.keyboard.press("Tab");
    await expect(newest).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Tab");
    await expect(fold).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByText("“Paragraph 30.”")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByText("“Paragraph 30.”")).toBeHidden();
  });

  await test.step("the quote opens and its passage is marked once it is read", async () => {
    await page.mouse.move(200, 300);
    await getParagraph(page, 34).evaluate((paragraph) => paragraph.scrollIntoView());
    await page.mouse.wheel(0, 10);
    await expect(findMark(page)).toHaveText(["1"]);
    await expect(fold).toHaveCount(0);
  });

  await test.step("marks can be turned off", async () => {
    // Brings back the bar, which hides while the user reads on.
    await page.mouse.wheel(0, -60);
    await page.locator("summary", { hasText: "Type" }).click();
    await page.getByRole("group", { name: "Quotes in the margin" }).getByLabel("Off").check();
    await expect(findMark(page)).toHaveCount(0);
  });
});

test("the next user of a tab sees nothing of what only the previous one has read", async ({
  page,
  app,
  person,
  addPerson,
}) => {
  // Writers have read the whole of their stories.
  await publishStory(app.firebase.hosts, { ...STORY, uid: person.localId });
  await using ana = await signInSender(app, await addPerson());
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  await ana.send(`“Paragraph 60.”\n${getParagraphPath(60)}\nRain again.`);
  const room = findRoom(page);
  await expect(room.getByText("Rain again.")).toBeVisible();
  const tab = await page.context().newPage();

  await test.step("another user, who signs in in another tab", async () => {
    await openAs(tab, await addPerson({ displayName: "Tomas Lund" }), "/profile");
    await expect(room.locator("header")).toContainText("Tomas Lund");
    await expect(room.getByText("Wrote about a later part.")).toBeVisible();
    await expect(room.getByText("Rain again.")).toBeHidden();
  });

  await test.step("a visitor, after the user has signed out in the room", async () => {
    await openAs(tab, person, "/profile");
    await expect(room.getByText("Rain again.")).toBeVisible();
    await room.getByRole("button", { name: "Sign out" }).click();
    await expect(room.getByText("Please sign in to chat.")).toBeVisible();
    await expect(room.getByText("Wrote about a later part.")).toBeVisible();
    await expect(room.getByText("Rain again.")).toBeHidden();
  });
});

test("a message from a story's page leads to its passage, or can be for everyone", async ({
  page,
  app,
  person,
}) => {
  await publishStory(app.firebase.hosts, STORY);
  await openAs(page, person, `${LONG_PATH}#room`);
  await expectLive(page);
  const room = findRoom(page);

  await test.step("the link of a message that is stored during the click leads to the passage", async () => {
    const release = await holdMessages(page);
    await sendMessage(page, `“Paragraph 30.”\n${getParagraphPath(30)}\nRain again.`);
    const link = page.getByRole("link", { name: "“Paragraph 30.”" });
    await expect(page.getByRole("log")).toContainText("Sending…");
    await link.hover();
    await page.mouse.down();
    release();
    await expect(page.locator("article time")).toBeVisible();
    await expect(link).toBeFocused();
    await page.mouse.up();
    await expect(getParagraph(page, 30)).toBeFocused();
    await expect(getParagraph(page, 30)).toBeInViewport();
  });

  await test.step("a message can be for everyone, without the story", async () => {
    await room.getByRole("link", { name: "Back to all messages about this story" }).click();
    await room.getByRole("button", { name: "Remove: About this story" }).click();
    await expect(room.getByRole("button", { name: "Add: About this story" })).toBeVisible();
    await sendMessage(page, "Good evening.");
    await expect(page).toHaveURL(`${LONG_PATH}?talk=everyone#newest`);
    await expect(room.getByRole("article")).toHaveCount(2);
    await expect(room.getByRole("article").last()).toHaveText(/Good evening\.$/);
    await room.getByRole("link", { name: /^This story/ }).click();
    await expect(room.getByRole("button", { name: "Remove: About this story" })).toBeVisible();
  });
});

test("the room keeps its view while the page is loaded again, however far the user reads", async ({
  page,
  app,
  person,
  addPerson,
}) => {
  await using ana = await startQuoting(app, await addPerson());
  await ana.quote(40);
  await openAs(page, person, LONG_PATH);
  await openRoom(page);
  await expectLive(page);
  const room = findRoom(page);
  await sendMessage(page, "Hello");
  const form = { story: STORY.id, paragraph: getParagraphId(50) };
  await page.request.post("/reading-position", { form, headers: { Origin: app.url } });

  await page
    .getByRole("region", { name: "Reading tools" })
    .getByRole("button", { name: "Save" })
    .click();

  await expect(room.getByRole("link", { name: "This story · 1" })).toBeVisible();
  await expect(room.locator("article", { hasText: "Hello" })).toBeVisible();
  await expect(room.getByText("About this story", { exact: true })).toBeHidden();
});

test("the room of a story that is unpublished meanwhile shows everyone's messages", async ({
  page,
  app,
  person,
  addPerson,
}) => {
  await using ana = await startQuoting(app, await addPerson());
  const { hosts } = app.firebase;
  await changeDocument(hosts, `storyOwners/${STORY.id}`, { uid: { stringValue: "ana" } });
  await ana.quote(3);
  await ana.say("Good evening");
  await signInAt(page, app, person, 20);
  await page.goto(`${LONG_PATH}#room`);
  await expectLive(page);
  const room = findRoom(page);
  await expect(room.getByRole("link", { name: "This story · 1" })).toBeVisible();
  await deleteStory(hosts, STORY.id);

  await page
    .getByRole("region", { name: "Reading tools" })
    .getByRole("button", { name: "Save" })
    .click();

  await expect(page.getByText("The writer of this story has withdrawn it.")).toBeVisible();
  await expect(room.getByRole("link", { name: /^This story/ })).toHaveCount(0);
  await expect(room.locator("article", { hasText: "Good evening" })).toBeVisible();
});

test("a view of the room opens at its newest message, and a passage at its first", async ({
  page,
  app,
  addPerson,
}) => {
  await using ana = await startQuoting(app, await addPerson());
  const long = Array.from({ length: 12 }, (_, index) => `Line ${index}`).join("\n");
  for (const name of ["First", "Second", "Third", "Fourth"]) {
    await ana.say(`“Paragraph 12.”\n${getParagraphPath(12)}\n${name}\n${long}`);
  }
  await ana.say("Hello");
  await signInAt(page, app, await addPerson(), 20);
  await page.goto(`${LONG_PATH}?talk=everyone#room`);
  await expectLive(page);
  const room = findRoom(page);
  await expect(room.locator("article", { hasText: "Hello" })).toBeInViewport();
  await room.getByRole("log").evaluate((log) => log.scrollTo(0, 0));
  await expect(room.getByText("First")).toBeInViewport();

  await room.getByRole("link", { name: /^This story/ }).click();
  await expect(room.locator("article", { hasText: "Hello" })).toHaveCount(0);
  await expect(room.getByText("Line 11").last()).toBeInViewport();

  await findMark(page).click();
  await expect(room.getByRole("heading", { name: "This passage" })).toBeVisible();
  await expect(room.getByRole("blockquote").first()).toBeInViewport();
});

test("a quote that is added while a message is edited is in the composer", async ({
  page,
  app,
  person,
}) => {
  await publishStory(app.firebase.hosts, STORY);
  await openAs(page, person, `${LONG_PATH}#room`);
  await expectLive(page);
  const room = findRoom(page);
  const editor = room.getByRole("textbox", { name: "Edit message" });
  const edit = async () => {
    await room.getByRole("button", { name: /^Actions for your message of / }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
  };
  await sendMessage(page, "Good evening");
  await expect(room.locator("article time")).toBeVisible();
  await edit();
  await editor.fill("Good evening, all");

  await quoteParagraph(page, 12);

  const composer = room.getByPlaceholder("Type a message…");
  await expect(composer).toHaveValue(/^“Paragraph 12\./);
  await expect(composer).toBeFocused();
  await page.goto(`${LONG_PATH}?talk=everyone#room`);
  await expectLive(page);
  await edit();
  await expect(editor).toHaveValue("Good evening, all");

  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Close the room" }).click();
  await quoteParagraph(page, 13);
  await expect(composer).toHaveValue(/“Paragraph 13\./);
  await expect(composer).toBeFocused();
});

test("on a phone, a quote in the room leads to its passage, which the room does not cover", async ({
  page,
  app,
  addPerson,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await using ana = await startQuoting(app, await addPerson());
  await ana.quote(12);
  await signInAt(page, app, await addPerson(), 20);
  await page.goto(ROOM_PATH);
  await expectLive(page);

  await findRoom(page).getByRole("link", { name: "“Paragraph 12.”" }).click();

  const id = getParagraphId(12);
  await expect(page.getByRole("heading", { name: STORY.title })).toBeVisible();
  await expect(getParagraph(page, 12)).toBeFocused();
  await expect(page.getByRole("dialog", { name: "The room" })).toBeHidden();
  await expect(page).toHaveURL(`${LONG_PATH}?passage=${id}#${id}`);
});
