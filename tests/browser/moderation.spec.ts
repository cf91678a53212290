import type { Page } from "@playwright/test";

import { UNTIL_LIFTED } from "#app/chat/moderation/mute.ts";
import { writeDatabase } from "#tests/support/database-values.ts";
import { changeDocument, setDocuments } from "#tests/support/documents.ts";
import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, openRoomAs, ROOM_PATH, sendMessage, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

const UNDO_MS = 10_000;
const TAB = "/profile?tab=reports";

/** Finds the message with this text. */
function find(page: Page, text: string) {
  return page.locator("article", { hasText: text });
}

test.describe("with JavaScript", () => {
  test("an operator mutes the sender of a reported message, whose open page says so at once", async ({
    page: olga,
    browser,
    app,
    addPerson,
    allowError,
  }) => {
    // An appeal that cannot be sent.
    allowError(/ERR_FAILED .*\/rooms\/general\/appeal/);
    const barnaby = await addPerson({ displayName: "Barnaby K." });
    const operator = await addPerson({ displayName: "Olga Brandt", isOperator: true });
    await using reporter = await signInSender(app, await addPerson({ displayName: "Ana Reyes" }));
    await using writer = await signInSender(app, operator);
    await writer.send("Two rows in. Nobody tell me who he was.");
    await using sender = await openRoomAs(browser, app, barnaby);
    await expect(find(sender.page, "Two rows in.")).toContainText("Operator");
    await sendMessage(sender.page, "He dies at the gate, obviously.");
    const ending = find(sender.page, "He dies at the gate");
    await expect(ending.locator("time")).toBeVisible();
    await expect(ending.getByText("Operator")).toHaveCount(0);
    const id = ((await ending.getAttribute("id")) ?? "").replace(/^m-/, "");
    await reporter.report(id, "He posts the ending in every chapter.");

    await openAs(olga, operator, "/profile");
    await olga.getByRole("link", { name: "Reports 1" }).click();
    await expect(olga.getByRole("heading", { name: "1 open report" })).toBeVisible();
    await expect(olga.getByText("He posts the ending in every chapter.")).toBeVisible();
    await olga.getByRole("button", { name: "Mute" }).click();
    await expect(olga.getByRole("heading", { name: "Mute Barnaby K.?" })).toBeFocused();
    await expectAccessible(olga);
    await olga.getByRole("link", { name: "Cancel" }).click();
    await expect(olga.getByRole("heading", { name: "1 person reported this" })).toBeFocused();
    await olga.getByRole("button", { name: "Mute" }).click();
    await olga.getByLabel("Reason").fill("");
    await olga.getByRole("button", { name: "Mute" }).click();
    await expect(olga.getByLabel("Reason")).toBeFocused();
    await olga.getByLabel("Reason").fill("Spoilers, again and again");
    await sender.page.getByLabel("Message", { exact: true }).fill("What I typed");
    await olga.getByRole("button", { name: "Mute" }).click();

    await expect(olga.getByText("Muted.", { exact: true })).toBeVisible();
    await expect(olga.getByRole("heading", { name: "No open reports." })).toBeVisible();
    await expect(sender.page.getByText(/^You can't post until tomorrow, /)).toBeVisible();
    await expect(sender.page.getByText("Reason: Spoilers, again and again.")).toBeVisible();
    await expect(sender.page.getByLabel("What you typed")).toHaveValue("What I typed");
    // The message field had the focus, and is gone.
    await expect(sender.page.locator("#room :focus")).toBeVisible();
    await expect(ending).toHaveCount(0);
    await sender.page.getByRole("button", { name: /^Actions for Olga Brandt's message/ }).click();
    await expect(sender.page.getByRole("menuitem", { name: "Report" })).toBeVisible();
    await expect(sender.page.getByRole("menuitem", { name: "Reply" })).toBeHidden();
    await sender.page.keyboard.press("Escape");
    await sender.page.getByText("Ask to post again").click();
    await expectAccessible(sender.page);
    const appeal = sender.page.getByLabel("Why should you be able to post again?");
    await appeal.fill("I'll stop.");
    await sender.page.route("**/rooms/general/appeal*", (route) => route.abort());
    await sender.page.getByRole("button", { name: "Ask" }).click();
    await expect(sender.page.getByText("You seem to be offline.")).toBeVisible();
    await expect(appeal).toHaveValue("I'll stop.");
    await sender.page.unroute("**/rooms/general/appeal*");
    await sender.page.getByRole("button", { name: "Ask" }).click();
    await expect(sender.page.getByText("You've asked to post again.")).toBeVisible();
    await expect(sender.page.locator("#room :focus")).toBeVisible();

    await olga.reload();
    await expect(olga.getByText("Asks to post again: “I'll stop.”")).toBeVisible();
    await olga.getByRole("button", { name: "Lift the mute of Barnaby K." }).click();
    await expect(olga.getByText("They can post again.")).toBeVisible();
    await expect(sender.page.getByLabel("Message", { exact: true })).toHaveValue("What I typed");
    await sendMessage(sender.page, "Thank you");
    await expect(find(sender.page, "Thank you").locator("time")).toBeVisible();
  });

  test("an operator mutes someone whose editor has the focus, which stays in the room", async ({
    page,
    app,
    person,
  }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await sendMessage(page, "Good evening");
    await page.getByRole("button", { name: /^Actions for / }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await expect(page.getByRole("textbox", { name: "Edit message" })).toBeFocused();
    const until = Date.now() + 3_600_000;
    await writeDatabase(app, `muted/${person.localId}`, { until, reason: "Spam" });

    await expect(page.getByText(/^You can't post until /)).toBeVisible();
    await expect(page.locator("#room :focus")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.locator("#room")).toBeHidden();
  });

  test("a muted person can copy and delete a message of theirs, but not edit it", async ({
    page,
    app,
    person,
  }) => {
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await sendMessage(page, "Good evening");
    await expect(find(page, "Good evening").locator("time")).toBeVisible();
    const until = Date.now() + 3_600_000;
    await writeDatabase(app, `muted/${person.localId}`, { until, reason: "Spam" });
    await expect(page.getByText(/^You can't post until /)).toBeVisible();

    await page.getByRole("button", { name: /^Actions for / }).click();
    for (const name of ["Copy", "Delete"]) {
      await expect(page.getByRole("menuitem", { name })).toBeVisible();
    }
    for (const name of ["Edit", "Reply"]) {
      await expect(page.getByRole("menuitem", { name })).toBeHidden();
    }
  });

  test("a longer mute keeps what is being asked, and allows to ask once more", async ({
    page,
    app,
    person,
  }) => {
    const mute = async (until: number, reason = "Spam") => {
      await changeDocument(app.firebase.hosts, `mutes/${person.localId}`, {
        ...{ reason: { stringValue: reason }, appeal: { nullValue: null } },
        until: { timestampValue: new Date(until).toISOString() },
      });
      await writeDatabase(app, `muted/${person.localId}`, { until, reason });
    };
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await mute(Date.now() + 3_600_000);
    const summary = page.getByText("Ask to post again", { exact: true });
    const asked = page.getByText("You've asked to post again.");
    const appeal = page.getByLabel("Why should you be able to post again?");
    const ask = async () => {
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await expect(asked).toBeVisible();
    };
    await summary.click();
    await appeal.fill("I'll stop.");
    await mute(Date.now() + 7_200_000, "Spoilers");
    await expect(page.getByText("Spoilers")).toBeVisible();
    await expect(appeal).toHaveValue("I'll stop.");
    await ask();

    await mute(Date.now() + 10_800_000);
    await expect(summary).toBeVisible();
    await expect(asked).toHaveCount(0);

    await summary.click();
    await appeal.fill("I'll stop, really.");
    await ask();
    await page.reload();
    await expectLive(page);
    await expect(asked).toBeVisible();
    await mute(UNTIL_LIFTED);
    await expect(summary).toBeVisible();
    await expect(asked).toHaveCount(0);
  });

  test("earlier entries of the log are shown from their heading, which gets the focus", async ({
    page,
    app,
    addPerson,
  }) => {
    const entries = Array.from({ length: 45 }, (_, index) => ({
      path: `moderation/entry${index}`,
      fields: {
        ...{ by: { stringValue: "x" }, byName: { stringValue: "Olga" } },
        ...{ action: { stringValue: "dismiss" }, name: { stringValue: `Person ${index}` } },
        ...{ person: { stringValue: `person${index}` }, target: { stringValue: "m" } },
        ...{ reason: { stringValue: "Spam" }, until: { nullValue: null } },
        at: { timestampValue: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString() },
      },
    }));
    await setDocuments(app.firebase.hosts, entries);
    await openAs(page, await addPerson({ displayName: "Olga Brandt", isOperator: true }), TAB);
    await page.getByRole("link", { name: "Show earlier" }).click();
    await expect(page.getByText("Person 24", { exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Recent actions" })).toBeFocused();
  });

  test("without an address, no picture is removed, and its field gets the focus", async ({
    page,
    addPerson,
  }) => {
    await openAs(page, await addPerson({ displayName: "Olga Brandt", isOperator: true }), TAB);
    await page.getByRole("button", { name: "Remove picture" }).click();
    await expect(page.getByLabel("Address of the picture")).toBeFocused();
  });

  test("an operator undoes a deletion and a dismissal, and what they leave behind is done", async ({
    page: olga,
    browser,
    app,
    addPerson,
  }) => {
    const barnaby = await addPerson({ displayName: "Barnaby K." });
    const operator = await addPerson({ displayName: "Olga Brandt", isOperator: true });
    const ana = await addPerson({ displayName: "Ana Reyes" });
    await using sender = await signInSender(app, barnaby);
    await using reporter = await signInSender(app, ana);
    for (const text of ["Write ten books a week", "He dies at the gate", "Good evening"]) {
      await reporter.report(await sender.send(text));
    }
    await using reader = await openRoomAs(browser, app, ana);
    await olga.clock.install();
    await openAs(olga, operator, TAB);
    const cards = olga.getByRole("article");
    await expect(cards).toHaveCount(3);

    const deleted = cards.nth(2);
    await expect(deleted).toContainText("Write ten books a week");
    await deleted.getByRole("button", { name: "Delete message" }).click();
    await expect(deleted.getByText("Message deleted.")).toBeVisible();
    await expect(olga.getByRole("heading", { name: "2 open reports" })).toBeVisible();
    const undo = olga.getByRole("button", { name: "Undo" });
    await expect(undo).toBeFocused();
    await expectAccessible(olga);
    await undo.click();
    await expect(olga.getByRole("heading", { name: "3 open reports" })).toBeVisible();
    await expect(deleted.getByRole("heading")).toBeFocused();
    await olga.clock.runFor(UNDO_MS);
    await expect(find(reader.page, "Write ten books a week")).toBeVisible();

    await deleted.getByRole("button", { name: "Delete message" }).click();
    await olga.clock.runFor(UNDO_MS);
    await expect(cards).toHaveCount(2);
    await expect(olga.getByText("Olga Brandt deleted a message of Barnaby K.")).toBeVisible();
    await expect(find(reader.page, "Write ten books a week")).toHaveCount(0);

    // On another page of the app it can still be undone; leaving the app does it.
    await cards.first().getByRole("button", { name: "Dismiss" }).click();
    await expect(olga.getByText("Reports dismissed.")).toBeVisible();
    await olga.getByRole("link", { name: "Security" }).click();
    await olga.getByRole("link", { name: /^Reports/ }).click();
    await olga.getByRole("button", { name: "Undo" }).click();
    await expect(olga.getByRole("heading", { name: "2 open reports" })).toBeVisible();
    await cards.first().getByRole("button", { name: "Dismiss" }).click();
    await cards.nth(1).getByRole("button", { name: "Delete message" }).click();
    await olga.goto("about:blank");
    await expect(find(reader.page, "He dies at the gate")).toHaveCount(0);
    await expect(find(reader.page, "Good evening")).toBeVisible();
    await olga.goto(`${app.url}${TAB}`);
    await expect(olga.getByRole("heading", { name: "No open reports." })).toBeVisible();
  });
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`reports of stories, ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("a reader reports a story at its end, and an operator unpublishes it", async ({
      page: ana,
      browser,
      app,
      addPerson,
    }) => {
      const id = `the-salt-road-${javaScriptEnabled ? "0123456789" : "9876543210"}`;
      await publishStory(app.firebase.hosts, {
        id,
        title: "The Salt Road",
        text: "It began.",
        uid: "writer",
      });
      await openAs(ana, await addPerson({ displayName: "Ana Reyes" }), `/read/${id}`);
      await ana.getByRole("link", { name: "Report this story" }).click();
      await expect(ana.getByRole("heading", { name: "The Salt Road" })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(ana);
      await ana.getByLabel("Details (optional)").fill("It is stolen.");
      await ana.getByRole("button", { name: "Report", exact: true }).click();
      await expect(ana.getByRole("heading", { name: "Thank you" })).toBeVisible();

      const context = await browser.newContext({ baseURL: app.url, javaScriptEnabled });
      const olga = await context.newPage();
      await openAs(olga, await addPerson({ displayName: "Olga Brandt", isOperator: true }), TAB);
      const card = olga.getByRole("article").filter({ hasText: "The Salt Road" });
      await expect(card.getByText("It is stolen.")).toBeVisible();
      await expect(card.getByRole("link", { name: "Open the story" })).toBeVisible();
      await expect(card.getByRole("button", { name: "Delete message" })).toHaveCount(0);
      await card.getByRole("button", { name: "Unpublish story" }).click();
      await olga.getByLabel("Reason").fill("Stolen");
      await olga.getByRole("button", { name: "Unpublish story" }).click();
      await expect(olga.getByText("Story unpublished.")).toBeVisible();
      await expect(card).toHaveCount(0);
      await context.close();
      await ana.getByRole("link", { name: "Back to the story" }).click();
      await expect(ana.getByText("It began.")).toHaveCount(0);
    });
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an operator deletes a message, and everyone else has no such tab", async ({
    page,
    app,
    addPerson,
  }) => {
    const ana = await addPerson({ displayName: "Ana Reyes" });
    const operator = await addPerson({ displayName: "Olga Brandt", isOperator: true });
    await using sender = await signInSender(app, await addPerson({ displayName: "Barnaby K." }));
    await using reporter = await signInSender(app, ana);
    await reporter.report(await sender.send("Write ten books a week"));
    await sender.send("Good evening");
    await openAs(page, ana, TAB);
    await expect(page.getByRole("heading", { name: "Name and photo" })).toBeVisible();
    await expect(page.getByRole("link", { name: /^Reports/ })).toHaveCount(0);

    await openAs(page, operator, TAB);
    await page.getByRole("button", { name: "Delete message" }).click();
    await expect(page.getByRole("heading", { name: "Delete this message?" })).toBeVisible();
    await page.getByRole("button", { name: "Delete message" }).click();

    await expect(page.getByText("Message deleted.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "No open reports." })).toBeVisible();
    await expect(page.getByText("Olga Brandt deleted a message of Barnaby K.")).toBeVisible();
    await page.goto("/read/anything#room");
    await expect(find(page, "Good evening")).toBeVisible();
    await expect(find(page, "Write ten books a week")).toHaveCount(0);
  });
});
