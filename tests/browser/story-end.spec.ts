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

    test("a reader thanks the writer, saves the story and continues to the next one", async ({
      app,
      page,
      person,
    }) => {
      await openAs(page, person, PATH);
      const thank = page.getByRole("button", { name: "Thank the writer" });
      const thanked = page.getByRole("button", { name: "Thanked (press to undo)" });
      if (javaScriptEnabled) await expectActions(page);
      await page.locator("body").evaluate((body) => void (body.dataset.same = ""));

      await thank.press("Enter");
      await expect(thanked).toBeVisible();
      if (javaScriptEnabled) {
        await expect(page.getByText("You've thanked the writer.")).toBeVisible();
        await expect(thanked).toBeFocused();
        await expect(page.locator("body")).toHaveAttribute("data-same");
        await expectAccessible(page);
      }

      const end = page.getByRole("region", { name: "After the story" });
      const save = end.getByRole("button", { name: "Save for later" });
      await save.click();
      await expect(save).toHaveAttribute("aria-pressed", "true");
      if (javaScriptEnabled) await expect(save).toBeFocused();
      await end.getByRole("button", { name: "Follow Ana" }).click();
      const following = end.getByRole("button", { name: "Following Ana" });
      await expect(following).toHaveText("Following");
      if (javaScriptEnabled) await expect(following).toBeFocused();

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

      await page.getByRole("link", { name: "Home", exact: true }).click();
      await expect(page.getByRole("heading", { name: "Saved for later" })).toBeVisible();
    });

    test("a visitor who signs in to follow the writer comes back to the end of the story", async ({
      page,
      person,
    }) => {
      await page.goto(PATH);
      await page.getByRole("button", { name: "Follow Ana" }).click();
      await expect(page).toHaveURL("/login");
      await expect(page.getByText("Sign in to follow writers.")).toBeVisible();

      await page.getByLabel("E-mail").fill(person.email);
      await page.getByLabel("Password", { exact: true }).fill(person.password);
      await page.getByRole("button", { name: "Login" }).click();
      await expect(page).toHaveURL(`${PATH}#end`);
      for (const name of ["Thank the writer", "Follow Ana"]) {
        await expect(page.getByRole("button", { name })).toBeInViewport();
      }

      if (!javaScriptEnabled) return;
      await expectActions(page);
      await page.getByRole("link", { name: "Quote in the room" }).click();
      await expect(page.getByPlaceholder("Type a message…")).toHaveValue(/^“It began.”/);
    });
  });
}

test.describe("with JavaScript", () => {
  test("buttons that are pressed while the first is saved take effect too, each once", async ({
    page,
    person,
  }) => {
    await openAs(page, person, PATH);
    await expectActions(page);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/thanks*", async (route) => {
      await held;
      await route.continue();
    });
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
    });
    const end = page.getByRole("region", { name: "After the story" });
    await end.getByRole("button", { name: "Thank the writer" }).click();
    const save = end.getByRole("button", { name: "Save for later" });
    await save.click();
    await end.getByRole("button", { name: "Follow Ana" }).click();
    await save.click();

    release();

    await expect(end.getByRole("button", { name: "Thanked (press to undo)" })).toBeVisible();
    await expect(save).toHaveAttribute("aria-pressed", "true");
    await expect(end.getByRole("button", { name: "Following Ana" })).toBeVisible();
    const paths = posts.filter((path) => /^\/(?:thanks|saved|following)\b/.test(path));
    expect(paths.map((path) => path.replace(".data", ""))).toEqual([
      "/thanks",
      "/saved",
      "/following",
    ]);
  });
});

/** Waits until the script of the forms, which is loaded when one of them gets the focus, has taken over. */
async function expectActions(page: Page) {
  await page.getByRole("button", { name: "Thank the writer" }).focus();
  await expect(page.locator("#end + output")).toBeAttached();
}
