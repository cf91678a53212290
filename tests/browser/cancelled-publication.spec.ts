import type { Route } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { findStory, openEditor } from "./story.ts";

test("does not report another device's publication after its own was closed and failed", async ({
  page,
  person,
  app,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await openEditor(page, person);
  await page.getByLabel("Title").fill("Salt and Sand");
  await findStory(page).fill("The tide came in.");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Saved to your account")).toBeVisible();

  const publications: Route[] = [];
  await page.route("**/drafts", (route) => void publications.push(route), { times: 1 });
  await page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByRole("button", { name: "Publish" }).click();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect.poll(() => publications.length).toBe(1);
  await Promise.all(publications.map((route) => route.abort()));
  const failure = page.getByText("Not saved to your account yet.");
  await expect(failure).toBeVisible();
  await expect(failure).toBeHidden();

  const [id = "", revision = ""] = await Promise.all(
    ["id", "revision"].map((name) => page.locator(`input[name=${name}]`).inputValue()),
  );
  const form = {
    intent: "publish",
    id,
    revision,
    title: "Salt and Sand",
    text: "The tide came in.",
  };
  await page.request.post("/create", { form, headers: { Origin: app.url } });

  await expect(page.getByText(/^Published · /)).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
});
