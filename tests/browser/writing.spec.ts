import { setTimeout as delay } from "node:timers/promises";

import type { Browser, Page, Response } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor, findStory } from "./story.ts";

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });

  test("saves automatically, and finds the story again after a reload", async ({
    page,
    person,
  }) => {
    await openEditor(page, person);
    await page.getByLabel("Title").fill("Salt and Sand");
    await findStory(page).fill("The tide came in.");

    await expect(page.getByText("Saved on this device")).toBeVisible({ timeout: 2000 });
    await expect(page.getByText("Saved to your account")).toBeVisible({ timeout: 7000 });
    await page.goto("/home");
    await page.goto("/create");

    await expectStory(page, "The tide came in.");
    await openTab(page, "Drafts");
    await page.getByRole("link", { name: "New story" }).click();
    await expectStory(page, "");
  });

  test("offers to undo a deletion even after a full page load", async ({ page, person }) => {
    await openAs(page, person, `/create?trashed=${"a".repeat(20)}&revision=2`);

    const undo = page.getByRole("button", { name: "Undo" }).and(page.locator("[type=submit]"));
    await expect(undo).toBeVisible();
  });

  test("follows another tab, and keeps both texts of a conflict", async ({
    page,
    person,
    context,
  }) => {
    await openEditor(page, person);
    await findStory(page).fill("One");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page).toHaveURL(/draft=/);
    await expect(page.getByText("Saved to your account")).toBeVisible();
    const other = await context.newPage();
    await other.goto(page.url());
    await findRichEditor(other);

    await findStory(page).fill("One, two");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectStory(other, "One, two");

    await findStory(other).fill("One, two, three");
    await findStory(page).fill("One, two, four");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await other.getByRole("button", { name: "Save draft" }).click();
    await expect(other.getByText("changed in another tab")).toBeVisible();
    await expect(other.getByLabel("The other text")).toHaveValue("One, two, four");
    await expectStory(other, "One, two, three");
    await expectAccessible(other);

    await other.getByRole("button", { name: "Keep my text" }).click();
    await expect(findStory(other)).toBeFocused();
    await expectStory(page, "One, two, three");
    await expectNotChosen(page, "One, two, four");
  });

  test("follows another device, and offers a choice after working offline", async ({
    page: desktop,
    person,
    browser,
    app,
    allowError,
  }) => {
    allowError(/ERR_INTERNET_DISCONNECTED/);
    await openEditor(desktop, person);
    await write(desktop, "One");
    await expect(desktop).toHaveURL(/draft=/);
    await expect(desktop.getByText("Saved to your account")).toBeVisible();
    await using elsewhere = await browser.newContext({ baseURL: app.url });
    const phone = await elsewhere.newPage();
    await openAs(phone, person, desktop.url());
    await findRichEditor(phone);

    await write(desktop, "One, two");
    await expectStory(phone, "One, two");
    await openTab(phone, "Drafts");
    const listed = phone.getByRole("region", { name: "Your drafts" });
    await expect(listed.getByText(/^2 words/)).toBeVisible();

    await elsewhere.setOffline(true);
    await findStory(phone).fill("One, two, three");
    await expect(phone.getByText("Saved on this device")).toBeVisible();
    await write(desktop, "One, two, four");
    await elsewhere.setOffline(false);

    await expect(phone.getByText("changed in another tab or on another device")).toBeVisible();
    await expect(phone.getByLabel("The other text")).toHaveValue("One, two, four");
    await expectStory(phone, "One, two, three");
    await expectStory(desktop, "One, two, four");
    await phone.getByRole("button", { name: "Keep my text" }).click();
    await expectStory(desktop, "One, two, three");
  });

  test("shows that a draft was deleted on another device, and restores it with the text typed here", async ({
    page: desktop,
    person,
    browser,
    app,
  }) => {
    await openEditor(desktop, person);
    await write(desktop, "One");
    await expect(desktop).toHaveURL(/draft=/);
    await expect(desktop.getByText("Saved to your account")).toBeVisible();
    await using elsewhere = await browser.newContext({ baseURL: app.url });
    const phone = await elsewhere.newPage();
    await openAs(phone, person, "/create?panel=drafts");
    // The first reload of the list gets no response, so the list is still reloading when its tab is opened.
    let loads = 0;
    await desktop.route("**/create.data?*", async (route) => {
      loads += 1;
      if (loads > 1) await route.continue();
    });
    await phone.getByText("Delete", { exact: true }).click();
    await phone.getByRole("button", { name: "Yes, delete it" }).click();

    await expect(desktop.getByText("This draft was deleted")).toBeVisible();
    await expect.poll(() => loads).toBe(1);
    await openTab(desktop, "Drafts");
    const listed = desktop.getByRole("region", { name: "Your drafts" });
    await expect(listed.getByText("Nothing here yet.")).toBeVisible();
    await expect(listed.getByRole("listitem")).toHaveCount(0);
    await expectAccessible(desktop);
    await findStory(desktop).fill("One, two");
    await expect(desktop.getByText("Saved on this device")).toBeVisible();
    await desktop.getByRole("button", { name: "Restore draft" }).click();

    await expect(desktop.getByText("Saved to your account")).toBeVisible();
    await expect(desktop.getByText("This draft was deleted")).toBeHidden();
    await phone.goto(desktop.url());
    await expectStory(phone, "One, two");
  });

  test("shows the list of drafts while the browser is offline", async ({
    page,
    person,
    context,
    allowError,
  }) => {
    allowError(/ERR_INTERNET_DISCONNECTED/);
    await openEditor(page, person);
    await page.getByLabel("Title").fill("Salt and Sand");
    await write(page, "One");
    await expect(page).toHaveURL(/draft=/);
    await context.setOffline(true);

    await openTab(page, "Drafts");

    const listed = page.getByRole("region", { name: "Your drafts" });
    await expect(listed.getByRole("link", { name: "Salt and Sand" })).toBeVisible();
    await expectStory(page, "One");
  });

  test("previews a story, publishes it with chosen tags and a drawing, and tells the room", async ({
    page,
    person,
  }) => {
    await openEditor(page, person);
    await page.getByLabel("Title").fill("Salt and Sand");
    await findStory(page).fill("The tide came in.");
    await page.getByRole("button", { name: "Preview" }).click();
    const preview = page.getByRole("dialog", { name: "Preview" });
    await expect(preview.locator("[id^=p-]")).toHaveText("The tide came in.");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(preview).toBeHidden();

    await page.getByRole("button", { name: "Publish" }).click();
    const form = page.getByRole("dialog", { name: "Publish" });
    const tags = form.getByLabel("Tags").and(page.getByPlaceholder("Add a tag"));
    await tags.pressSequentially("sea,slow");
    await tags.press("Enter");
    await form.getByRole("button", { name: "Remove sea" }).click();
    await expect(tags).toBeFocused();
    await tags.fill("tide");
    await form.getByRole("button", { name: "Try another drawing" }).click();
    await expect(form.getByRole("listitem")).toHaveText(["slow", "tide"]);
    const fields = page.locator("form", { has: page.locator("[name=title]") });
    await expect(fields.locator("[name=tags]")).toHaveValue("slow, tide");
    await expect(fields.locator("[name=cover]")).toHaveValue(/^drawing:\d+$/);
    await expectAccessible(page);
    await form.getByRole("button", { name: "Publish" }).click();

    // The response takes longer than a second.
    await page.route(/[?&]announce/, async (route) => {
      await delay(1500);
      await route.continue();
    });
    await page.getByRole("link", { name: "Tell the room" }).click();
    const message = page.getByPlaceholder("Type a message…");
    await expect(message).toBeFocused();
    await expect(message).toHaveValue(
      /^“The tide came in.”\n\/read\/salt-and-sand-\d{10}#p-\w+\nMy new story is published.$/,
    );
    await expect(page).not.toHaveURL(/tell/);
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("article")).toContainText("My new story is published.");
    await expect(
      page.getByRole("article").getByRole("link", { name: /Salt and Sand/ }),
    ).toBeVisible();
  });

  describePublishing(openEditor);
  describeWriting(openEditor);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  describePublishing((page, person) => openAs(page, person, "/create"));

  test("the buttons of the form to publish are below its fields, not under the links at the bottom", async ({
    page,
    person,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openAs(page, person, "/create");
    await page.getByLabel("Title").fill("Salt and Sand");
    await findStory(page).fill("The tide came in.");
    await page.getByRole("button", { name: "Publish" }).click();

    const form = page.getByRole("dialog", { name: "Publish" });
    const publish = form.getByRole("button", { name: "Publish" });
    // Fails if another element would get the click.
    await publish.click({ trial: true });
    const [button, checkbox] = [await publish.boundingBox(), form.getByRole("checkbox")];
    expect(button?.y).toBeGreaterThan((await checkbox.boundingBox())?.y ?? Infinity);
  });
});

/** Tests that run with and without JavaScript. */
function describePublishing(open: typeof openEditor) {
  test("saves, publishes and unpublishes a story", async ({
    page,
    person,
    browser,
    app,
    javaScriptEnabled,
  }) => {
    await open(page, person);
    await page.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByText("Write a first line before you publish.")).toBeVisible();

    await findStory(page).fill("The tide came in.");
    await page.getByRole("button", { name: "Publish" }).click();
    const form = page.getByRole("dialog", { name: "Publish" });
    await form.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByText("Give your story a title first.")).toBeVisible();
    if (javaScriptEnabled === true) await expectAccessible(page);
    // Without scripts the form is a part of the page, below the title.
    await (javaScriptEnabled === true ? form : page).getByLabel("Title").fill("Salt and Sand");
    await form.getByLabel("Description").fill("A clerk writes down every boat.");
    await form.getByLabel("This story is still being written").check();
    await form.getByRole("button", { name: "Publish" }).click();

    const published = page.getByRole("dialog", { name: "Salt and Sand is published." });
    await expect(published.getByText("Published as Robin Vale.")).toBeInViewport();
    const path = await published.getByRole("link", { name: "Read it" }).getAttribute("href");
    expect(path).toMatch(/^\/read\/salt-and-sand-\d{10}$/);
    if (javaScriptEnabled === true) await expectAccessible(page);
    if (javaScriptEnabled !== true) {
      await published.getByRole("link", { name: "Tell the room" }).click();
      const message = page.getByPlaceholder("Type a message…");
      await expect(message).toHaveValue(/^“The tide came in.”\n\/read\/salt-and-sand-/);
      await page.goBack();
    }
    const keepWriting = { name: "Keep writing" };
    await published
      .getByRole("button", keepWriting)
      .or(published.getByRole("link", keepWriting))
      .click();
    await expect(published).toBeHidden();
    await expect(page).not.toHaveURL(/publish/);
    await expect(editorForm(page).getByText(/^Published · /)).toBeVisible();
    expect(await readAsVisitor(browser, app.url + path)).toContain("The tide came in.");

    await page.getByRole("button", { name: "Update" }).click();
    const update = page.getByRole("dialog", { name: "Update" });
    await expect(update.getByLabel("Description")).toHaveValue("A clerk writes down every boat.");
    await expect(update.getByLabel("This story is still being written")).toBeChecked();
    await expect(update.getByText("Readers see your changes at once.")).toBeVisible();
    const cancel = { name: "Cancel" };
    await update.getByRole("button", cancel).or(update.getByRole("link", cancel)).click();

    await page.getByRole("button", { name: "Unpublish" }).click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await expectStory(page, "The tide came in.");
    expect(await readAsVisitor(browser, app.url + path)).not.toContain("The tide came in.");
  });
}

/** Tests with JavaScript; tests/writing/create-without-scripts.test.ts tests the same without it. */
function describeWriting(open: typeof openEditor) {
  test("asks before a deletion, and undoes it", async ({ page, person }) => {
    await open(page, person);
    await page.getByLabel("Title").fill("Salt and Sand");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await openTab(page, "Drafts");
    await expect(page.getByRole("link", { name: "Salt and Sand" })).toBeVisible();

    await page.getByText("Delete", { exact: true }).click();
    await page.getByRole("button", { name: "Yes, delete it" }).click();
    await expect(page.getByText("Draft deleted.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Salt and Sand" })).toBeHidden();

    // The editor's toolbar has an Undo button too.
    const undo = page.getByRole("button", { name: "Undo" }).and(page.locator("[type=submit]"));
    await undo.click();
    await expect(page.getByLabel("Title")).toHaveValue("Salt and Sand");
  });

  test("shows, compares and restores an earlier version", async ({ page, person }) => {
    await open(page, person);
    await page.getByLabel("Title").fill("Salt and Sand");
    await findStory(page).fill("Better");
    await page.getByRole("button", { name: "Publish" }).click();
    const form = page.getByRole("dialog", { name: "Publish" });
    await form.getByRole("button", { name: "Publish" }).click();
    const keepWriting = { name: "Keep writing" };
    await page.getByRole("button", keepWriting).or(page.getByRole("link", keepWriting)).click();
    await findStory(page).fill("Worse");
    // Once the story is published, the button is in the menu.
    await page.locator("summary[aria-label=More]").click();
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Changes not yet published")).toBeVisible();

    await openTab(page, "Versions");
    const versions = page.getByRole("region", { name: "Earlier versions" });
    await versions.getByRole("link").first().click();
    await expect(page.getByLabel("Version text")).toHaveValue("Better");
    await versions.getByRole("link", { name: "Changes" }).click();
    await expect(versions.getByRole("deletion").filter({ hasText: "Better" })).toBeVisible();
    await expect(versions.getByRole("insertion").filter({ hasText: "Worse" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Restore this version" }).click();

    await expectStory(page, "Better");
  });
}

/** Expects an earlier version with this text that was not chosen in a conflict. */
async function expectNotChosen(page: Page, words: string) {
  await openTab(page, "Versions");
  const versions = page.getByRole("region", { name: "Earlier versions" });
  const notChosen = versions.getByRole("listitem").filter({ hasText: "Not chosen in a conflict" });
  await notChosen.getByRole("link").click();
  await expect(page.getByLabel("Version text")).toHaveValue(words);
}

/** Opens a tab of the side panel. */
async function openTab(page: Page, name: string) {
  await page.getByRole("complementary").getByRole("link", { name, exact: true }).click();
}

function editorForm(page: Page) {
  return page.locator("form", { has: findStory(page) });
}

/** Signs in and opens the Create page with its rich editor. */
async function openEditor(page: Page, person: TestAccount) {
  await openAs(page, person, "/create");
  await findRichEditor(page);
}

/** Writes a story, and saves it at once. */
async function write(page: Page, words: string) {
  const saved = page.waitForResponse(isSave);
  await findStory(page).fill(words);
  await page.getByRole("button", { name: "Save draft" }).click();
  await saved;
}

function isSave(response: Response): boolean {
  return response.url().endsWith("/drafts") && response.request().method() === "POST";
}

async function readAsVisitor(browser: Browser, url: string): Promise<string> {
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  return await page.locator("main").innerText();
}
