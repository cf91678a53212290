import type { Locator, Page } from "@playwright/test";

import { addMessages } from "#tests/support/fill-room.ts";
import { publishStory } from "#tests/support/stories.ts";
import { expect, test } from "./fixtures.ts";
import { findStory, openEditor } from "./story.ts";

const ARABIC = [
  "كان يا ما كان، في قديم الزمان.",
  "> «سلام!»",
  "- أولا",
  "Then she said, “Goodbye.”",
].join("\n\n");

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a name in the room turns neither the line around nor a message", async ({
      page,
      app,
    }) => {
      const names = ["ישראל", "Eve\u202Edrawkcab", "Eve\u2069\u202Edrawkcab"];
      const texts = ["שלום, עולם! (1)", "Good evening."];
      const sent = names.flatMap((displayName, sender) =>
        texts.map((text) => ({ text, uid: `sender${sender}`, displayName })),
      );
      await addMessages(app.firebase.hosts, sent);

      await page.goto("/home#room");
      if (!javaScriptEnabled) await page.getByText("The room", { exact: true }).click();

      const messages = page.locator("article");
      await expect(messages).toHaveCount(sent.length);
      for (const message of await messages.all()) {
        expect(
          await isBefore(message.locator("[id$=-sender] > :first-child"), message.locator("time")),
        ).toBe(true);
      }
      const paragraphs = page.locator("article [id$=-text] p");
      const directions = names.flatMap(() => ["rtl", "ltr"]);
      expect(await paragraphs.evaluateAll(getDirections)).toEqual(directions);
    });
  });
}

// tests/reading/read.test.ts tests the HTML, which scripts leave as it is.
test("each paragraph of a story has its own text direction", async ({ page, app }) => {
  const { hosts } = app.firebase;
  const story = { title: "ألف ليلة", author: "שחר", text: ARABIC };
  await publishStory(hosts, { id: "alf-0000000001", ...story, tags: ["سفر"] });
  await publishStory(hosts, { id: "one-0000000002", title: "One\u202E", text: "It began." });

  await page.goto("/read/alf-0000000001");
  const blocks = page.locator("article section").locator("p, blockquote, li, ul");
  expect(await blocks.evaluateAll(getDirections)).toEqual([
    ...["rtl", "rtl", "rtl", "rtl", "rtl", "rtl"],
    "ltr",
  ]);
  await expect(page.locator("#story-title")).toHaveCSS("direction", "rtl");
  await expect(page.locator("article blockquote")).toHaveCSS("border-right-style", "solid");
  await expect(page.locator("article blockquote")).toHaveCSS("border-left-style", "none");
  expect(await getDropCap(page)).toBe("none");
  const byline = page.locator("article header p").first();
  expect(await startsAtLeft(byline.locator("a"))).toBe(true);

  await page.goto("/read/one-0000000002");
  expect(await getDropCap(page)).not.toBe("none");
  await expect(page).toHaveTitle(/^One[^\u202E]+$/);
});

test("searches and tags have their own text direction", async ({ page, person }) => {
  await openEditor(page, person);
  const search = page.getByRole("banner").getByRole("searchbox");
  const tags = page.getByLabel("Tags").and(page.getByPlaceholder("Add a tag"));
  await search.fill("שלום!");
  await expect(search).toHaveCSS("direction", "rtl");

  await page.getByLabel("Title").fill("Peace");
  await findStory(page).fill("Peace.");
  await page.getByRole("button", { name: "Publish" }).click();
  await tags.fill("שלום!");
  await expect(tags).toHaveCSS("direction", "rtl");
  await tags.press("Enter");
  const tag = page.getByRole("listitem").filter({ hasText: "שלום!" });
  await expect(tag.getByText("שלום!")).toHaveCSS("direction", "rtl");
  await expect(tag).toHaveCSS("direction", "ltr");
});

/** Whether an element is left of another one in the same line. */
async function isBefore(first: Locator, second: Locator): Promise<boolean> {
  const [one, other] = [await first.boundingBox(), await second.boundingBox()];
  if (!one || !other) throw new Error("The elements are not visible");
  return one.x + one.width <= other.x + 1 && Math.abs(one.y - other.y) < one.height;
}

/** Whether nothing else is left of an element in its paragraph. */
async function startsAtLeft(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const paragraph = node.closest("p");
    if (!paragraph) return false;
    const range = document.createRange();
    range.selectNodeContents(paragraph);
    return node.getBoundingClientRect().left <= range.getBoundingClientRect().left + 1;
  });
}

function getDirections(elements: Element[]): string[] {
  return elements.map((element) => getComputedStyle(element).direction);
}

function getDropCap(page: Page): Promise<string> {
  return page
    .locator("article section p")
    .first()
    .evaluate((element) => getComputedStyle(element, "::first-letter").float);
}
