import type { Locator, Page } from "@playwright/test";

import { expect } from "./fixtures.ts";

/** Waits until the rich editor stands where the text area was. */
export async function findRichEditor(page: Page): Promise<Locator> {
  const editor = page.locator("[contenteditable=true]");
  await expect(editor).toBeVisible();
  return editor;
}

/** Returns the field one writes in: the text area or the rich editor, whichever is seen. */
export function findStory(page: Page): Locator {
  return page.getByRole("textbox", { name: "Your story" });
}

/** Returns the field that the form sends, seen or not. */
export function findArea(page: Page): Locator {
  return page.locator("form:has([name=title]) textarea[name=text]");
}

/** Expects the story being written to be exactly these words, in what the form sends and in what is seen. */
export async function expectStory(page: Page, words: string): Promise<void> {
  const area = findArea(page);
  await expect(area).toHaveValue(words);
  if (await area.isHidden()) await expect(findStory(page)).toHaveText(words);
}
