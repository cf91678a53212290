import type { Page } from "@playwright/test";

import { makeLongText } from "#tests/support/stories.ts";

/** A story of more than one window, in whatever size. */
export const LONG = {
  id: "a-map-of-the-rain-0123456789",
  title: "A Map of the Rain",
  text: makeLongText(30_000),
};

export const LONG_PATH = `/read/${LONG.id}`;

/** Returns a paragraph of it, by the number that it begins with. */
export function paragraphOf(page: Page, number: number) {
  return page.locator("#text").getByText(`Paragraph ${number}.`);
}
