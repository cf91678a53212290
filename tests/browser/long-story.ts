import type { Page } from "@playwright/test";

import { makeLongText } from "#tests/support/stories.ts";

/** A story longer than any viewport. */
export const LONG = {
  id: "a-map-of-the-rain-0123456789",
  title: "A Map of the Rain",
  text: makeLongText(30_000),
};

export const LONG_PATH = `/read/${LONG.id}`;

/** Returns a paragraph of the story by its number. */
export function getParagraph(page: Page, number: number) {
  return page.locator("#text").getByText(`Paragraph ${number}.`);
}
