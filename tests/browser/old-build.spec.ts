import { expect, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import { findRichEditor, findStory } from "./story.ts";

test("a link leads to its page after a deploy, when the old build's scripts are gone", async ({
  page,
}) => {
  await page.goto("/home");
  await page.route(/\/assets\/(?:login|register)-.*\.js$/, (route) =>
    route.fulfill({ status: 404, body: "Not found" }),
  );
  const loads: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname);
  });

  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();

  await expect(page.getByRole("heading", { name: "Sign In" })).toBeVisible();
  await expect(page).toHaveURL("/login");
  expect(loads).toEqual(["/login"]);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Explore Trending Stories" })).toBeVisible();
});

test("keeps what is typed while the rich editor cannot be loaded, and loads it at the next try", async ({
  page,
  person,
}) => {
  let isMissing = true;
  await page.route(/\/assets\/editor-.*\.js$/, (route) =>
    isMissing ? route.fulfill({ status: 404, body: "Not found" }) : route.continue(),
  );
  const sentence = page.getByText("We can't load the rich editor right now.");
  const plain = page.getByRole("button", { name: "Plain Markdown" });
  await openAs(page, person, "/create");
  await expect(sentence).toBeVisible();
  await findStory(page).fill("Written *meanwhile*");
  await expect(page.getByText("Saved to your account")).toBeVisible();
  await plain.click();
  await expect(sentence).toBeHidden();
  await plain.click();
  await expect(sentence).toBeVisible();

  isMissing = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(sentence).toBeHidden();
  await page.getByLabel("Title").focus();

  await expect(await findRichEditor(page)).toHaveText("Written meanwhile");
});
