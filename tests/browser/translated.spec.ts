import { publishStory } from "#tests/support/stories.ts";
import { expect, test } from "./fixtures.ts";
import { expectHydrated } from "./hydration.ts";
import { getParagraph, LONG, LONG_PATH } from "./long-story.ts";
import { expectTracking, holdScript } from "./reader.ts";
import { expectLive, openRoom, openRoomAs, ROOM_PATH, sendMessage } from "./room.ts";
import { openAs, submitSignIn } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";
import { TRANSLATORS, translatePage } from "./translator.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

for (const translator of TRANSLATORS) {
  test.describe(`on a page whose translator ${translator} the texts`, () => {
    test("a visitor finds stories, reads and signs in", async ({ page, person, app }) => {
      await test.step("Home shows the results of each search, and all stories again", async () => {
        await page.goto("/home");
        await translatePage(page, translator);
        await page.keyboard.press("End");
        const search = page.getByRole("searchbox").first();
        for (const [query, text] of [
          ["orchard", "1 result for “orchard”"],
          ["zzzz", "No results for “zzzz”"],
          ["clockmaker", "“clockmaker”"],
        ] as const) {
          await search.fill(query);
          await search.press("Enter");
          await expect(page.locator("h1")).toContainText(text);
        }
        await page.getByRole("link", { name: "Clear search" }).click();
        await expect(page.locator("output")).toHaveText("11 books and quests");
      });

      await test.step("the reader follows the position and opens its panels and the room", async () => {
        await publishStory(app.firebase.hosts, LONG);
        await page.goto(LONG_PATH);
        await translatePage(page, translator);
        await page.keyboard.press("Shift");
        await expectTracking(page);
        for (const number of [20, 60, 40]) {
          await getParagraph(page, number).evaluate((paragraph) => paragraph.scrollIntoView());
          await expect.poll(() => page.locator("article header").textContent()).toMatch(/\d+%/);
        }
        await page.keyboard.press("t");
        await expect(page.getByRole("radio", { name: "Sepia" })).toBeVisible();
        await page.keyboard.press("Escape");
        await openRoom(page);
        await expect(getParagraph(page, 40)).toBeVisible();
      });

      await test.step("a page that is translated before its scripts arrive keeps what was typed", async () => {
        const load = await holdScript(page, "entry.client");
        await page.goto("/login", { waitUntil: "commit" });
        await page.getByLabel("E-mail").fill("robin@example.com");
        await translatePage(page, translator);
        load();
        await expectHydrated(page);
        await expect(page.getByLabel("E-mail")).toHaveValue("robin@example.com");
        await submitSignIn(page, { email: "robin@example.com", password: "wrong password" });
        await expect(page.getByRole("alert")).toHaveText("User not found");
        await expect(page.getByLabel("E-mail")).toHaveValue("robin@example.com");
      });

      await test.step("Sign In keeps what was typed after each wrong password", async () => {
        const reveal = page.getByRole("button", { name: /^(?:Show|Hide) password$/ });
        for (const [email, text] of [
          [person.email, "Invalid password"],
          ["nobody@example.com", "User not found"],
          [person.email, "Invalid password"],
        ] as const) {
          await submitSignIn(page, { email, password: "wrong password" });
          await expect(page.getByRole("alert")).toHaveText(text);
          await expect(page.getByLabel("E-mail")).toHaveValue(email);
          await expect(page.getByLabel("Password", { exact: true })).toHaveValue("wrong password");
          await reveal.click();
          await expect(reveal).toHaveText("Hide password");
          await reveal.click();
          await expect(reveal).toHaveText("Show password");
        }
        await submitSignIn(page, person);
        await expect(page).toHaveURL("/profile");
        await expect(page.getByRole("main")).toContainText("Robin Vale");
      });
    });
  });
}

// By the translator that removes React's text nodes from the page.
test("a user speaks in the room of a translated page, and writes and publishes a story", async ({
  page,
  person,
  addPerson,
  app,
  browser,
}) => {
  await test.step("the room shows new, edited and deleted messages, and who is here", async () => {
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await translatePage(page, "replaces");
    const messages = page.locator("article");
    await sendMessage(page, "The first");
    await expect(messages).toHaveText([/The first/]);

    const mira = await addPerson({ displayName: "Mira Sund" });
    await using other = await openRoomAs(browser, app, mira);
    await expect(page.getByRole("button", { name: "2 here", exact: true })).toHaveText("2 here");
    await sendMessage(other.page, "The second");
    await expect(messages).toHaveText([/The first/, /The second/]);
    await sendMessage(page, "The third");
    await expect(messages.last()).toContainText("The third");

    const first = page.getByRole("listitem").filter({ hasText: "The first" });
    await first.getByRole("button", { name: /^Actions for / }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Edit message" }).fill("A better first");
    await page.keyboard.press("Enter");
    await expect(messages.first()).toContainText("A better first");
    await expect(messages.first()).toContainText("edited");
  });

  await test.step("Create saves what is typed, counts its words and shows it before it is published", async () => {
    await page.goto("/create");
    const story = await findRichEditor(page);
    await translatePage(page, "replaces");
    await page.getByLabel("Title").fill("The Bell");
    await story.click();
    await page.keyboard.type("Four words of text");
    await expect(page.getByText("4 words")).toBeVisible();
    await page.keyboard.type(" and three more");
    await expect(page.getByText("7 words")).toBeVisible();
    await expectStory(page, "Four words of text and three more");
    await page.getByRole("button", { name: "Publish" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Publish" });
    await expect(dialog.getByLabel("Title")).toHaveValue("The Bell");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByRole("dialog", { name: "The Bell is published." })).toBeVisible();
  });
});
