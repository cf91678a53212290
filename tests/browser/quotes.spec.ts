import type { Page } from "@playwright/test";

import { renderMarkdown } from "#app/stories/markdown.server.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { toMessageForm } from "#tests/support/message-form.ts";
import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import { LONG, LONG_PATH, getParagraph } from "./long-story.ts";
import { expectLive, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

/** Returns the id of a paragraph by its number in the story's text. */
function getParagraphId(number: number): string {
  return renderMarkdown(LONG.text).paragraphs[number - 1]?.id ?? "";
}

/** Sends a message that quotes a paragraph, as a person who is signed in afterwards. */
async function quote(page: Page, app: TestApp, person: TestAccount, number: number, id: string) {
  await openAs(page, person, "/surprise");
  const text = `“Paragraph ${number}.”\n${LONG_PATH}#${getParagraphId(number)}\nRain again.`;
  const form = toMessageForm({ id: id.repeat(20), text });
  const response = await page.request.post("/home", { form, headers: { Origin: app.url } });
  expect(response.status()).toBe(200);
}

/** Opens the story as a person whose reading position in it is at a paragraph. */
async function openAt(page: Page, app: TestApp, person: TestAccount, number: number) {
  await openAs(page, person, "/surprise");
  const form = { story: LONG.id, paragraph: getParagraphId(number) };
  await page.request.post("/reading-position", { form, headers: { Origin: app.url } });
  await page.goto(LONG_PATH);
}

/** Opens the room with the link in the header, which leaves the reading position as it is. */
async function openRoom(page: Page) {
  await page.getByRole("link", { name: /^Room/ }).first().click();
}

const findMark = (page: Page) =>
  page.locator("#text").getByRole("link", { name: /about this passage$/ });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("marks a quoted passage for users who have read that far, and leads to the messages", async ({
      page,
      app,
      addPerson,
    }) => {
      await publishStory(app.firebase.hosts, LONG);
      const [ana, tomas, mira] = [await addPerson(), await addPerson(), await addPerson()];
      await quote(page, app, ana, 12, "a");
      await quote(page, app, ana, 30, "b");

      await openAt(page, app, mira, 5);
      await expect(getParagraph(page, 12)).toBeVisible();
      await expect(findMark(page)).toHaveCount(0);

      await openAt(page, app, tomas, 20);
      await expect(findMark(page)).toHaveText(["1"]);
      if (javaScriptEnabled) await expectAccessible(page, { within: "#text" });
      await findMark(page).click();

      await expect(page).toHaveURL(`${LONG_PATH}?passage=${getParagraphId(12)}#room`);
      const room = page.getByRole("region", { name: "The room", exact: true });
      await expect(room.getByText("1 message about this passage")).toBeVisible();
      await expect(room.getByRole("article")).toHaveCount(1);
      await expect(room.getByRole("article")).toContainText("Rain again.");
      await room.getByRole("link", { name: "Back to the newest" }).click();
      await expect(room.getByRole("article")).toHaveCount(2);
      await expect(page).toHaveURL(`${LONG_PATH}#newest`);
    });

    test("folds a quote from later in the story, and leads back from it", async ({
      page,
      app,
      addPerson,
    }) => {
      await publishStory(app.firebase.hosts, LONG);
      const [ana, tomas] = [await addPerson(), await addPerson()];
      await quote(page, app, ana, 60, "a");
      await openAt(page, app, tomas, 20);
      const room = page.getByRole("region", { name: "The room", exact: true });
      await openRoom(page);

      await expect(room.getByText("From later in the story.")).toBeVisible();
      await expect(room.getByText("“Paragraph 60.”")).toBeHidden();
      if (javaScriptEnabled) await expectAccessible(page, { within: "#room" });
      await room.getByText("Show", { exact: true }).click();
      await expect(room.getByText("“Paragraph 60.”")).toBeVisible();

      await room.getByRole("link", { name: LONG.title }).click();
      await expect(getParagraph(page, 60)).toBeInViewport();
      await page.getByRole("link", { name: /^Back to where you were/ }).click();
      await expect(getParagraph(page, 20)).toBeInViewport();

      await openAt(page, app, tomas, 70);
      // With scripts the room has stayed open.
      if (!javaScriptEnabled) await openRoom(page);
      await expect(room.getByRole("link", { name: "“Paragraph 60.”" })).toBeVisible();
      await expect(room.getByText("From later in the story.")).toBeHidden();
    });
  });
}

test("shows marks and opens quotes as the reader continues", async ({ page, app, addPerson }) => {
  await publishStory(app.firebase.hosts, LONG);
  const ana = await addPerson();
  await quote(page, app, ana, 30, "a");
  await page.context().clearCookies();
  await page.goto(`${LONG_PATH}#room`);
  const room = page.getByRole("region", { name: "The room", exact: true });
  await expect(room.getByText("From later in the story.")).toBeVisible();
  await expect(findMark(page)).toHaveCount(0);

  await page.mouse.move(200, 300);
  await getParagraph(page, 34).evaluate((paragraph) => paragraph.scrollIntoView());
  await page.mouse.wheel(0, 10);

  await expect(findMark(page)).toHaveText(["1"]);
  await expect(room.getByText("From later in the story.")).toHaveCount(0);
  // Brings back the bar, which hides while the user reads on.
  await page.mouse.wheel(0, -60);
  await page.locator("summary", { hasText: "Type" }).click();
  await page.getByRole("group", { name: "Quotes in the margin" }).getByLabel("Off").check();
  await expect(findMark(page)).toHaveCount(0);
});

test("folds a quote of what only the previous user has read", async ({ page, app, addPerson }) => {
  await publishStory(app.firebase.hosts, LONG);
  await using ana = await signInSender(app, await addPerson());
  await openAt(page, app, await addPerson(), 70);
  await page.goto("/home#room");
  await expectLive(page);
  await ana.send(`“Paragraph 60.”\n${LONG_PATH}#${getParagraphId(60)}\nRain again.`);
  const room = page.getByRole("region", { name: "The room", exact: true });
  await expect(room.getByRole("link", { name: "“Paragraph 60.”" })).toBeVisible();
  // The browser's own positions count for visitors too.
  await page.context().clearCookies({ name: "places" });

  await room.getByRole("button", { name: "Sign out" }).click();

  await expect(room.getByText("Please sign in to chat.")).toBeVisible();
  await expect(room.getByText("From later in the story.")).toBeVisible();
});
