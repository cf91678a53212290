import type { Locator, Page } from "@playwright/test";

import { expect } from "./fixtures.ts";

/** Waits until the rich editor has replaced the text area. */
export async function findRichEditor(page: Page): Promise<Locator> {
  const editor = page.locator("[contenteditable=true]");
  await expect(editor).toBeVisible();
  return editor;
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
