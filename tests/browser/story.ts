import type { Locator, Page, Response } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { expect } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";

/** Opens the Create page with its rich editor. */
export async function openEditor(page: Page, person: TestAccount): Promise<Locator> {
  await openAs(page, person, "/create");
  return findRichEditor(page);
}

/** Waits until the rich editor has replaced the text area. */
export async function findRichEditor(page: Page): Promise<Locator> {
  const editor = page.locator("[contenteditable=true]");
  await expect(editor).toBeVisible();
  return editor;
}

/** Deletes the text of the rich editor as users do. A heading or a list stays one. */
export async function deleteStory(page: Page): Promise<void> {
  const editor = await findRichEditor(page);
  await editor.press("ControlOrMeta+a");
  await editor.press("Delete");
  await expectMarkdown(page, "");
}

/** Empties the rich editor by way of plain Markdown, which also removes headings and lists. */
export async function clearStory(page: Page): Promise<void> {
  const choice = page.getByRole("button", { name: "Plain Markdown" });
  await choice.click();
  await findArea(page).fill("");
  await choice.click();
  await findRichEditor(page);
}

/** Returns the visible story field: the text area or the rich editor. */
export function findStory(page: Page): Locator {
  return page.getByRole("textbox", { name: "Your story" });
}

/** Returns the text area that the form submits, visible or not. */
export function findArea(page: Page): Locator {
  return page.locator("form:has([name=title]) textarea[name=text]");
}

/** Expects exactly this text in the form and in the visible field. */
export async function expectStory(page: Page, words: string): Promise<void> {
  const area = findArea(page);
  await expect(area).toHaveValue(words);
  if (await area.isHidden()) await expect(findStory(page)).toHaveText(words);
}

/** Expects exactly this text in the form. */
export async function expectMarkdown(page: Page, markdown: string): Promise<void> {
  await expect(findArea(page)).toHaveValue(markdown);
}

/** Pastes text into the rich editor, as HTML too if there is any. */
export async function paste(editor: Locator, { html = "", text }: { html?: string; text: string }) {
  await editor.evaluate(
    (element, data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", data.text);
      if (data.html) clipboardData.setData("text/html", data.html);
      element.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    },
    { html, text },
  );
}

/** Whether this is the response to a save of a draft by scripts. */
export function isSave(response: Response): boolean {
  return response.url().endsWith("/drafts") && response.request().method() === "POST";
}
