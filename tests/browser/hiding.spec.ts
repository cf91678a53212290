import type { Locator, Response } from "@playwright/test";

import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import { openEditor, findStory } from "./story.ts";

const PATH = "/read/what-the-heron-keeps";
const TITLE = "What the Heron Keeps";
const SALT = { id: "salz-0000000001", title: "Salz", text: "Es begann.", language: "de" };

/** Waits until the scripts of a panel have replaced the server's HTML, whose forms the browser posts. */
async function expectReplaced(button: Locator): Promise<void> {
  const isReplaced = () =>
    button.evaluate((element) =>
      Object.keys(element).some((key) => key.startsWith("__reactProps")),
    );
  await expect.poll(isReplaced).toBe(true);
}

/**
 * Presses a button of the hidden list, and waits for the response: the page changes before it, and a navigation would end
 * the request.
 */
async function press(button: Locator): Promise<void> {
  const isChange = (response: Response) =>
    response.request().method() === "POST" && /\/hidden\b/.test(response.url());
  const changed = button.page().waitForResponse(isChange);
  await button.click();
  await changed;
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a visitor hides a story, and shows it again", async ({ page }) => {
      const more = page.locator("summary").filter({ hasText: "More" });
      const panel = page.locator("details").filter({ has: more });
      await page.goto(PATH);
      await more.click();
      if (javaScriptEnabled)
        await expectReplaced(panel.getByRole("button", { name: "Hide this story" }));
      await press(panel.getByRole("button", { name: "Hide this story" }));
      await expect(
        page.getByText("You've hidden this story. The story isn't in your lists."),
      ).toBeVisible();
      if (javaScriptEnabled) {
        const status = panel.getByRole("status").filter({ hasText: "You've hidden this story" });
        await expect(status).toBeVisible();
        await expectAccessible(page, { within: "details" });
        await press(panel.getByRole("button", { name: "Undo" }));
        await expect(panel.getByRole("button", { name: "Hide this story" })).toBeVisible();
        await press(panel.getByRole("button", { name: "Hide this story" }));
        await expect(panel.getByRole("button", { name: "Undo" })).toBeVisible();
      }

      await page.goto("/home");
      const cards = page.getByRole("heading", { name: TITLE, includeHidden: true });
      await expect(page.getByText("Hidden from your lists: 1")).toBeVisible();
      await expect(cards).toHaveCount(0);
      await page.getByText("Hidden from your lists: 1").click();
      if (javaScriptEnabled) await expectAccessible(page, { within: "details" });
      await page.getByRole("button", { name: `Show the story again: ${TITLE}` }).click();
      await expect(page.getByText("Hidden from your lists")).toHaveCount(0);
      await expect(cards).not.toHaveCount(0);
    });

    test("a user hides a tag and a writer on their pages, and shows both again in the profile", async ({
      app,
      page,
      person,
    }) => {
      await publishStory(app.firebase.hosts, { ...SALT, tags: ["meer"] });
      await openAs(page, person, "/home?tag=meer");
      await press(page.getByRole("button", { name: "Hide this tag" }));
      await expect(
        page.getByText("You've hidden this tag. Stories with it aren't in your lists."),
      ).toBeVisible();
      await expect(page.getByRole("heading", { name: "Salz" })).toBeVisible();
      await page.goto("/home?writer=ana");
      await expect(page.getByText("1 story is hidden from your lists.")).toBeVisible();
      await press(page.getByRole("button", { name: "Hide this writer" }));
      await expect(
        page.getByText("You've hidden this writer. Their stories aren't in your lists."),
      ).toBeVisible();

      await page.goto("/profile?tab=hidden");
      const list = page.getByRole("region", { name: "Hidden stories, tags and writers" });
      await expect(list.getByRole("listitem")).toHaveText([/^Writer Ana/, /^Tag meer/]);
      if (javaScriptEnabled) await expectAccessible(page, { within: "main" });
      await press(list.getByRole("button", { name: "Show again meer" }));
      await press(list.getByRole("button", { name: "Show again Ana" }));
      await expect(list.getByText("You haven't hidden any.")).toBeVisible();
    });
  });
}

test.describe("the editor", () => {
  test.use({ locale: "de-AT" });

  test("offers the browser's language, and saves another one, by which Home is filtered", async ({
    page,
    person,
  }) => {
    await openEditor(page, person);
    await page.getByLabel("Title").fill("Sal");
    await findStory(page).fill("Era una vez.");
    await page.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish" });
    const language = dialog.getByLabel("Language of the story");
    await expect(language).toHaveValue("de");
    await language.selectOption({ label: "Español" });
    await expectAccessible(page, { within: "dialog" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await page.reload();
    await page.getByRole("button", { name: "Publish" }).click();
    await expect(language).toHaveValue("es");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("link", { name: "Read" }).first().click();
    await expect(page.locator("#text")).toHaveAttribute("lang", "es");
    await page.reload();
    for (const part of ["#text", "#story-title"]) {
      await expect(page.locator(part)).toHaveAttribute("lang", "es");
    }

    await test.step("a visitor filters Home by it", async () => {
      await page.context().clearCookies();
      await page.goto("/home");
      const filters = page.getByRole("list", { name: "Language" });
      await filters.getByRole("link", { name: "Español" }).click();
      await expect(page).toHaveURL(/[?&]lang=es/);
      await expect(page.getByText("1 story in Español")).toBeVisible();
      const title = page.getByRole("heading", { name: "Sal", exact: true });
      await expect(title).toHaveAttribute("lang", "es");
      await filters.getByRole("link", { name: "All languages" }).click();
      await expect(page).not.toHaveURL(/lang=/);
    });
  });
});
