import { expect, test } from "./fixtures.ts";
import { findStory, openEditor } from "./story.ts";

test("does not report a publication in another tab after its own was closed and failed", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await openEditor(page, person);
  await page.getByLabel("Title").fill("Salt and Sand");
  await findStory(page).fill("The tide came in.");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Saved to your account")).toBeVisible();

  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  await page.route(
    "**/drafts",
    async (route) => {
      await closed;
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Publish" }).click();
  const form = page.getByRole("dialog", { name: "Publish" });
  await form.getByRole("button", { name: "Publish" }).click();
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();
  close();
  const failure = page.getByText("Not saved to your account yet.");
  await expect(failure).toBeVisible();
  await expect(failure).toBeHidden();

  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(findStory(other)).toHaveText("The tide came in.");
  await other.getByRole("button", { name: "Publish" }).click();
  const otherForm = other.getByRole("dialog", { name: "Publish" });
  await otherForm.getByRole("button", { name: "Publish" }).click();
  await expect(other.getByRole("dialog", { name: "Salt and Sand is published." })).toBeVisible();

  await expect(page.getByText(/^Published · /)).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
});
