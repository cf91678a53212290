import { setTimeout as delay } from "node:timers/promises";

import type { Locator, Page } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { expectAccessible } from "./axe.ts";
import { expect, OFFLINE, test, type TestApp } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import {
  expectMarkdown,
  expectStory,
  findArea,
  findRichEditor,
  findStory,
  isSave,
  openEditor,
} from "./story.ts";

test.describe("with JavaScript", () => {
  test("follows a story and its publication in another tab, and keeps both texts of a conflict", async ({
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
    await expect(other.getByLabel("Your text")).toHaveValue("One, two, three");
    await expect(other.getByText("Saved on this device, not in your account")).toBeVisible();
    await expectStory(other, "One, two, three");
    await expectAccessible(other);

    await other.getByRole("button", { name: "Keep my text" }).click();
    await expect(findStory(other)).toBeFocused();
    await expectStory(page, "One, two, three");

    await test.step("the open form to publish shows what the other tab has published", async () => {
      await page.getByRole("button", { name: "Publish" }).click();
      const form = page.getByRole("dialog");
      await expect(form.getByText("We'll draw a cover.")).toBeVisible();

      await other.getByRole("button", { name: "Publish" }).click();
      const published = other.getByRole("dialog", { name: "Publish" });
      await published.getByLabel("Title").fill("Salt and Sand");
      await published.getByLabel("This story is still being written").check();
      await published.getByRole("button", { name: "Publish" }).click();
      await expect(other.getByText("Salt and Sand is published.")).toBeVisible();

      await expect(form.getByLabel("Title")).toHaveValue("Salt and Sand");
      await expect(form.getByText("We'll draw a cover.")).toBeHidden();
      await expect(form.getByLabel("This story is still being written")).toBeChecked();
      await form.getByRole("button", { name: "Update" }).click();
      await expect(form.getByText("Salt and Sand is updated.")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(form).toBeHidden();
    });
    await expectNotChosen(page, "One, two, four");
  });

  test("follows changes from another device, and offers a choice after working offline", async ({
    page: desktop,
    person,
    browser,
    app,
    allowError,
  }) => {
    allowError(OFFLINE);
    await openEditor(desktop, person);
    await write(desktop, "One");
    await expect(desktop).toHaveURL(/draft=/);
    await expect(desktop.getByText("Saved to your account")).toBeVisible();
    const address = desktop.url();
    await using elsewhere = await browser.newContext({ baseURL: app.url });
    const phone = await elsewhere.newPage();
    await openAs(phone, person, "/create?panel=drafts");

    await test.step("a draft that is deleted elsewhere can be restored", async () => {
      // The first reload of the list gets no response, so the list is still reloading when its tab is opened.
      let loads = 0;
      await desktop.route("**/create.data?*", async (route) => {
        loads += 1;
        if (loads > 1) await route.continue();
      });
      await deleteDraft(phone);
      await expect(desktop.getByText("This draft was deleted")).toBeVisible();
      await expect.poll(() => loads).toBe(1);
      await openTab(desktop, "Drafts");
      const listed = findDrafts(desktop);
      await expect(listed.getByText("Nothing here yet.")).toBeVisible();
      await expect(listed.getByRole("listitem")).toHaveCount(0);
      await expectAccessible(desktop);
      await phone.reload();
      await expect(findUndo(phone)).toBeVisible();

      await findStory(desktop).fill("One, two");
      await expect(desktop.getByText("Saved on this device")).toBeVisible();
      await desktop.getByRole("button", { name: "Restore draft" }).click();
      await expect(desktop.getByText("Saved to your account")).toBeVisible();
      await expect(desktop.getByText("This draft was deleted")).toBeHidden();
      await phone.goto(address);
      await findRichEditor(phone);
      await expectStory(phone, "One, two");
    });

    await test.step("the editor and the list follow what is written elsewhere", async () => {
      await write(desktop, "One, two, three");
      await expectStory(phone, "One, two, three");
      await (await findRichEditor(phone)).press("ControlOrMeta+End");
      await phone.keyboard.type(", four");
      await expectStory(desktop, "One, two, three, four");
      await findStory(desktop).press("ControlOrMeta+z");
      await expectStory(desktop, "One, two, three, four");
      await expectStory(phone, "One, two, three, four");
      await openTab(phone, "Drafts");
      await expect(findDrafts(phone).getByText(/^4 words/)).toBeVisible();
      // The list would replace the editor in a narrow window.
      await phone.goto(address);
    });

    await test.step("a conflict is shown where the user is writing, with both texts", async () => {
      await write(desktop, Array.from({ length: 40 }, (_, line) => `Line ${line}`).join("\n\n"));
      await (await findRichEditor(phone)).getByText("Line 39").click();
      await elsewhere.setOffline(true);
      await phone.keyboard.press("End");
      await phone.keyboard.type(" here");
      await expect(phone.getByText("Saved on this device")).toBeVisible();
      await write(desktop, "Elsewhere");
      await elsewhere.setOffline(false);

      const [own, remote] = [phone.getByLabel("Your text"), phone.getByLabel("The other text")];
      await expect(phone.getByText("changed in another tab or on another device")).toBeInViewport();
      await expect(phone.getByRole("button", { name: "Keep my text" })).toBeInViewport();
      await expect(remote).toHaveValue("Elsewhere");
      await expect(findArea(phone)).toHaveValue(/Line 39 here$/);
      await expectStory(desktop, "Elsewhere");
      const isBeside = async () => {
        const [left, right] = [await own.boundingBox(), await remote.boundingBox()];
        return (left?.x ?? 0) + (left?.width ?? 0) <= (right?.x ?? 0);
      };
      expect(await isBeside()).toBe(true);
      await phone.setViewportSize({ width: 360, height: 740 });
      expect(await isBeside()).toBe(false);
      await expect(phone.getByRole("button", { name: "Keep my text" })).toBeInViewport();
      await expect(phone.getByText("Saved on this device, not in your account")).toBeAttached();
      await expectAccessible(phone);

      await phone.getByRole("button", { name: "Keep my text" }).click();
      await expect(findArea(desktop)).toHaveValue(/Line 39 here$/);
    });
  });

  test("saves what is typed, finds it again, undoes a deletion and restores a version", async ({
    page,
    person,
    context,
    allowError,
  }) => {
    allowError(OFFLINE);
    const editor = await openEditor(page, person);
    const markdown = "The tide came in.\n\n## High water\n\nIt was **late**, and *cold*.";

    await test.step("what is typed in the rich editor is saved as Markdown, and found again", async () => {
      await page.getByLabel("Title").fill("Salt and Sand");
      await editor.click();
      await page.keyboard.type("The tide came in.");
      await page.keyboard.press("Enter");
      await page.keyboard.type("## High water");
      await page.keyboard.press("Enter");
      await page.keyboard.type("It was **late**, and *cold*.");
      await expectMarkdown(page, markdown);
      await expect(page.getByText("Saved on this device")).toBeVisible();
      await expect(page.getByText("Saved to your account")).toBeVisible();
      await page.goto("/create");
      await expect(await findRichEditor(page)).toContainText("It was late, and cold.");
      await expect(page.getByRole("heading", { name: "High water" })).toBeVisible();
      await expectMarkdown(page, markdown);
    });

    const draft = findDrafts(page).getByRole("link", { name: "Salt and Sand" });
    await test.step("the side panel lists drafts offline, and undoes a deletion", async () => {
      await context.setOffline(true);
      await openTab(page, "Drafts");
      await expect(draft).toBeVisible();
      await expectMarkdown(page, markdown);
      await context.setOffline(false);
      await deleteDraft(page);
      await expect(page.getByText("Draft deleted.")).toBeVisible();
      await expect(draft).toBeHidden();
      await findUndo(page).click();
      await expect(page.getByLabel("Title")).toHaveValue("Salt and Sand");
      await expectMarkdown(page, markdown);
      await openTab(page, "Drafts");
      await page.getByRole("link", { name: "New story" }).click();
      await expectStory(page, "");
      await openTab(page, "Drafts");
      await draft.click();
      await expectMarkdown(page, markdown);
      await findRichEditor(page);
    });

    await test.step("the side panel compares an earlier version, and restores it", async () => {
      await write(page, "Better");
      await page.getByRole("button", { name: "Publish" }).click();
      const form = page.getByRole("dialog", { name: "Publish" });
      await form.getByRole("button", { name: "Publish" }).click();
      await page.getByRole("button", { name: "Keep writing" }).click();
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
    await expectAccessible(page, { within: "dialog[open]" });
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
    await expectAccessible(page, { within: "dialog[open]" });
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
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  describePublishing((page, person) => openAs(page, person, "/create"));
});

/** Tests that run with and without JavaScript. */
function describePublishing(open: (page: Page, person: TestAccount) => Promise<unknown>) {
  test("saves, publishes and unpublishes a story", async ({
    page,
    person,
    app,
    javaScriptEnabled,
  }) => {
    await open(page, person);
    await page.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByText("Write a first line before you publish.")).toBeVisible();

    await findStory(page).fill("The tide came in.");
    await page.getByRole("button", { name: "Publish" }).click();
    const form = page.getByRole("dialog", { name: "Publish" });
    if (javaScriptEnabled !== true) await expectButtonsBelowFields(page, form);
    await form.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByText("Give your story a title first.")).toBeVisible();
    if (javaScriptEnabled === true) await expectAccessible(page, { within: "dialog[open]" });
    // Without scripts the form is a part of the page, below the title.
    await (javaScriptEnabled === true ? form : page).getByLabel("Title").fill("Salt and Sand");
    await form.getByLabel("Description").fill("A clerk writes down every boat.");
    await form.getByLabel("This story is still being written").check();
    await form.getByRole("button", { name: "Publish" }).click();

    const published = page.getByRole("dialog", { name: "Salt and Sand is published." });
    await expect(published.getByText("Published as Robin Vale.")).toBeInViewport();
    const path = await published.getByRole("link", { name: "Read it" }).getAttribute("href");
    expect(path).toMatch(/^\/read\/salt-and-sand-\d{10}$/);
    if (javaScriptEnabled === true) await expectAccessible(page, { within: "dialog[open]" });
    if (javaScriptEnabled !== true) {
      await published.getByRole("link", { name: "Tell the room" }).click();
      const message = page.getByPlaceholder("Type a message…");
      await expect(message).toHaveValue(/^“The tide came in.”\n\/read\/salt-and-sand-/);
      await page.goBack();
    }
    if (javaScriptEnabled === true) await page.keyboard.press("Escape");
    else await published.getByRole("link", { name: "Keep writing" }).click();
    await expect(published).toBeHidden();
    if (javaScriptEnabled === true) {
      await expect(page.getByRole("button", { name: "Update" })).toBeFocused();
    }
    await expect(page).not.toHaveURL(/publish/);
    await expect(editorForm(page).getByText(/^Published · /)).toBeVisible();
    expect(await fetchAsVisitor(app, path)).toMatch(/<p id="p-[^>]*>The tide came in\.<\/p>/);

    await page.getByRole("button", { name: "Update" }).click();
    const update = page.getByRole("dialog", { name: "Update" });
    await expect(update.getByLabel("Description")).toHaveValue("A clerk writes down every boat.");
    await expect(update.getByLabel("This story is still being written")).toBeChecked();
    await expect(update.getByText("Readers see your changes at once.")).toBeVisible();
    const cancel = { name: "Cancel" };
    await update.getByRole("button", cancel).or(update.getByRole("link", cancel)).click();

    await page.locator("summary", { hasText: "Unpublish" }).first().click();
    await page.getByRole("button", { name: "Yes, unpublish it" }).click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await expectStory(page, "The tide came in.");
    const withdrawn = await fetchAsVisitor(app, path);
    expect(withdrawn).toMatch(
      /<main[^>]*>(?:<div[^>]*><\/div>)?<h1[^>]*>reading-page works!<\/h1><p[^>]*>The writer of this story has withdrawn it\.<\/p>/,
    );
    expect(withdrawn).not.toMatch(/The tide came in\.|Salt and Sand/);
  });
}

/**
 * Expects the form's buttons below its fields in a small window, without scripts, where the page has links at the bottom
 * of the window.
 */
async function expectButtonsBelowFields(page: Page, form: Locator) {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const publish = form.getByRole("button", { name: "Publish" });
  // Fails if another element would get the click.
  await publish.click({ trial: true });
  const [button, checkbox] = [await publish.boundingBox(), form.getByRole("checkbox")];
  expect(button?.y).toBeGreaterThan((await checkbox.boundingBox())?.y ?? Infinity);
  if (size) await page.setViewportSize(size);
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

function findDrafts(page: Page) {
  return page.getByRole("region", { name: "Your drafts" });
}

/** Deletes the only draft in the side panel. */
async function deleteDraft(page: Page) {
  await page.getByText("Delete", { exact: true }).click();
  await page.getByRole("button", { name: "Yes, delete it" }).click();
}

/** Returns the button that undoes a deletion. The editor's toolbar has an Undo button too. */
function findUndo(page: Page) {
  return page.getByRole("button", { name: "Undo" }).and(page.locator("[type=submit]"));
}

function editorForm(page: Page) {
  return page.locator("form", { has: findStory(page) });
}

/** Writes a story, and saves it at once. */
async function write(page: Page, words: string) {
  const saved = page.waitForResponse(isSave);
  await findStory(page).fill(words);
  await page.getByRole("button", { name: "Save draft" }).click();
  await saved;
}

/** Returns the HTML that a visitor gets. */
async function fetchAsVisitor(app: TestApp, path: string | null): Promise<string> {
  const response = await fetch(`${app.url}${path}`);
  return await response.text();
}
