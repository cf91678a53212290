import type { Page, Route } from "@playwright/test";

import { expect, OFFLINE, test } from "./fixtures.ts";
import { findStory, openEditor } from "./story.ts";

test("a publication that was cancelled offline is not sent once the connection is back", async ({
  page,
  person,
  app,
  context,
  allowError,
}) => {
  allowError(OFFLINE);
  allowError(/ERR_FAILED/);
  await openEditor(page, person);
  await findStory(page).fill("The tide came in.");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Saved to your account")).toBeVisible();

  await page.getByLabel("Title").fill("Salt and Sand");
  await page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(dialog.getByText("Not saved to your account yet.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await context.setOffline(false);
  // Not the banner "Not saved to your account yet.".
  await expect(page.getByText(/^Saved to your account/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Publish" })).toBeVisible();
  const response = await page.request.get(`/drafts?id=${await readField(page, "id")}`);
  expect(await response.json()).toMatchObject({
    draft: { title: "Salt and Sand", publishedRevision: null },
  });

  const publications: Route[] = [];
  await page.route("**/drafts", (route) => void publications.push(route), { times: 1 });
  await page.getByRole("button", { name: "Publish" }).click();
  await dialog.getByRole("button", { name: "Publish" }).click();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect.poll(() => publications.length).toBe(1);
  await Promise.all(publications.map((route) => route.abort()));
  const failure = page.getByText("Not saved to your account yet.");
  await expect(failure).toBeVisible();
  await expect(failure).toBeHidden();

  const form = {
    intent: "publish",
    id: await readField(page, "id"),
    revision: await readField(page, "revision"),
    title: "Salt and Sand",
    text: "The tide came in.",
  };
  await page.request.post("/create", { form, headers: { Origin: app.url } });

  await expect(page.getByText(/^Published · /)).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
});

async function readField(page: Page, name: string): Promise<string> {
  return await page.locator(`input[name=${name}]`).inputValue();
}
