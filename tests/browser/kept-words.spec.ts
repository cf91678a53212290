import type { Page } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { expect, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor, findStory } from "./story.ts";

const OFFLINE = /ERR_INTERNET_DISCONNECTED|Could not reach Cloud Firestore backend/;

test("offline, whoever presses a key beside their story still has the story", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(OFFLINE);
  await openSaved(page, person, "One");
  await page.reload();
  await findRichEditor(page);
  await context.setOffline(true);
  await findStory(page).fill("One, and written in a tunnel");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Not saved to your account yet.")).toBeVisible();
  await page.getByText("Delete", { exact: true }).click();
  await page.getByRole("button", { name: "Yes, delete it" }).click();

  await expect(page.getByText("That didn't work.")).toBeVisible();
  await expectStory(page, "One, and written in a tunnel");
  await expect(page.getByText("You seem to be offline.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("You seem to be offline.")).toBeHidden();
  await expect(page.getByText("You're back online. Try again.")).toBeVisible();
  await expect(page.getByText("Saved to your account")).toBeVisible({ timeout: 2000 });
});

test("a story that was begun offline goes on under the same caret when it is saved", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(OFFLINE);
  await openAs(page, person, "/create");
  await findRichEditor(page);
  await context.setOffline(true);
  await findStory(page).fill("Begun offline.");
  await expect(page.getByText("Saved on this device")).toBeVisible();
  await page.close();
  await context.setOffline(false);

  const again = await context.newPage();
  await again.goto("/create");
  await expectStory(again, "Begun offline.");
  await findRichEditor(again);
  const other = await context.newPage();
  await other.goto("/create");
  await findRichEditor(other);
  await expectStory(other, "");
  await again.bringToFront();
  await findStory(again).click();
  await again.keyboard.press("Control+End");
  await again.keyboard.type(" And I go on while it is being saved.", { delay: 100 });

  await expect(again).toHaveURL(/draft=/);
  await expectStory(again, "Begun offline. And I go on while it is being saved.");
});

test("a tab that has a choice to make finds its words again after a reload", async ({
  page,
  person,
  context,
}) => {
  await openSaved(page, person, "One");
  const other = await context.newPage();
  await other.goto(page.url());
  await findRichEditor(other);
  await findStory(other).fill("One, there");
  await expect(other.getByText("Saved on this device")).toBeVisible();
  await findStory(page).fill("One, here");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(other.getByText("changed in another tab")).toBeVisible();

  await other.reload();

  await expectStory(other, "One, there");
  await expect(other.getByLabel("The other text")).toHaveValue("One, here");
  await other.getByRole("button", { name: "Use my text" }).click();
  await expect(findStory(other)).toBeFocused();
  await expectStory(page, "One, there");
});

test("offline the other text is chosen without losing one's own, which is a version once the connection is back", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(OFFLINE);
  await openSaved(page, person, "One");
  const other = await context.newPage();
  await other.goto(page.url());
  await findRichEditor(other);
  await findStory(other).fill("One, there");
  await expect(other.getByText("Saved on this device")).toBeVisible();
  await findStory(page).fill("One, here");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(other.getByText("changed in another tab")).toBeVisible();

  await context.setOffline(true);
  await other.getByRole("button", { name: "Use the other text" }).click();
  await expect(other.getByText("The other text opens as soon as")).toBeVisible();
  await expectStory(other, "One, there");
  await context.setOffline(false);

  await expectStory(other, "One, here");
  await expect(other.getByText("The other text opens as soon as")).toBeHidden();
  await other.getByRole("link", { name: "Earlier versions" }).click();
  await other
    .getByRole("listitem")
    .filter({ hasText: "Saved from a conflict" })
    .getByRole("link")
    .click();
  await expect(other.getByLabel("Version text")).toHaveValue("One, there");
});

test("a save that failed offline is sent as soon as the connection is back, and its message goes", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(OFFLINE);
  await openSaved(page, person, "One");
  await context.setOffline(true);
  await findStory(page).fill("One, two");
  for (const time of ["first", "second", "third", "fourth"]) {
    // Each failed attempt makes the wait for the next one longer.
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Not saved to your account yet."), time).toBeVisible();
  }

  await context.setOffline(false);

  await expect(page.getByText("Saved to your account")).toBeVisible({ timeout: 2000 });
  await expect(page.getByText("Not saved to your account yet.")).toBeHidden();
});

test("whoever goes on to another page at once finds their last words in the account", async ({
  page,
  person,
}) => {
  await openSaved(page, person, "One");
  const id = new URL(page.url()).searchParams.get("draft");
  await findStory(page).fill("One, and a last line");
  await page.getByRole("link", { name: "Home" }).first().click();
  await expect(page).toHaveURL(/\/home/);

  await expect(async () => {
    const answer = await page.request.get(`/drafts?id=${id}`);
    expect(await answer.json()).toMatchObject({ draft: { text: "One, and a last line" } });
  }).toPass();
});

/** Signs in, and saves a story at Create. */
async function openSaved(page: Page, person: TestAccount, words: string) {
  await openAs(page, person, "/create");
  await findRichEditor(page);
  await findStory(page).fill(words);
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page).toHaveURL(/draft=/);
  await expect(page.getByText("Saved to your account")).toBeVisible();
}
