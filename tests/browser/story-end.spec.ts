import type { Page } from "@playwright/test";

import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";

const STORY = { id: "the-salt-road-0000000001", title: "The Salt Road", text: "It *began*." };
const PATH = `/read/${STORY.id}`;

test.beforeEach(({ app }) => publishStory(app.firebase.hosts, STORY));

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a reader thanks the writer, undoes it, and continues to the next story", async ({
      app,
      page,
      person,
    }) => {
      await openAs(page, person, PATH);
      const thank = page.getByRole("button", { name: "Thank the writer" });
      const thanked = page.getByRole("button", { name: "Thanked (press to undo)" });

      await thank.click();
      await expect(thanked).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.reload();
      await thanked.click();
      await expect(thank).toBeVisible();

      const next = page.getByRole("link", { name: /^Read it next/ });
      const path = (await next.getAttribute("href")) ?? "";
      // The app may still list a story that an earlier test has published.
      await publishStory(app.firebase.hosts, { ...STORY, id: path.slice("/read/".length) });
      await next.click();
      await expect(page).toHaveURL(path);
      await expect(next).not.toHaveAttribute("href", path);
    });

    test("a reader saves the story and follows the writer at its end", async ({ page, person }) => {
      await openAs(page, person, PATH);
      const end = page.getByRole("region", { name: "After the story" });
      if (javaScriptEnabled) await expectActions(page);
      for (const name of ["Save for later", "Follow Ana"]) {
        const button = end.getByRole("button", { name });
        await button.click();
        await expect(button).toHaveAttribute("aria-pressed", "true");
        if (javaScriptEnabled) await expect(button).toBeFocused();
      }
      await page.goto("/home");
      await expect(page.getByRole("heading", { name: "Saved for later" })).toBeVisible();
    });

    for (const [role, name, reason] of [
      ["link", "Thank the writer", "Sign in to thank the writer."],
      ["button", "Follow Ana", "Sign in to follow writers."],
    ] as const) {
      test(`a visitor reads at Sign In why "${name}" led there, and comes back to the end`, async ({
        page,
        person,
      }) => {
        await page.goto(PATH);

        await page.getByRole(role, { name }).click();
        await expect(page).toHaveURL("/login");
        await expect(page.getByText(reason)).toBeVisible();
        await page.getByLabel("E-mail").fill(person.email);
        await page.getByLabel("Password", { exact: true }).fill(person.password);
        await page.getByRole("button", { name: "Login" }).click();

        await expect(page).toHaveURL(`${PATH}#end`);
        await expect(page.getByRole("button", { name })).toBeInViewport();
      });
    }
  });
}

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });

  test("thanks without loading the page again, and keeps the focus on the button", async ({
    page,
    person,
  }) => {
    await openAs(page, person, PATH);
    await page.evaluate(() => void (document.body.dataset.same = ""));

    await expectActions(page);
    await page.getByRole("button", { name: "Thank the writer" }).press("Enter");

    await expect(page.getByText("You've thanked the writer.")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Thanked/ })).toBeFocused();
    await expect(page.locator("body")).toHaveAttribute("data-same");
  });

  test("quotes the last paragraph in the room", async ({ page, person }) => {
    await openAs(page, person, PATH);
    await expectActions(page);

    await page.getByRole("link", { name: "Quote in the room" }).click();

    await expect(page.getByPlaceholder("Type a message…")).toHaveValue(/^“It began.”/);
  });
});

/** Waits until the script of the forms, which is loaded when one of them gets the focus, has taken over. */
async function expectActions(page: Page) {
  await page.getByRole("button", { name: "Thank the writer" }).focus();
  await expect(page.locator("#end + output")).toBeAttached();
}
