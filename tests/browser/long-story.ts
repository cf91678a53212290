import type { Page } from "@playwright/test";

import { renderMarkdown } from "#tests/support/markdown.ts";
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

/** Returns the path of a paragraph, as in a quote. */
export function getParagraphPath(number: number): string {
  return `${LONG_PATH}#${getParagraphId(number)}`;
}

/** Returns the id of a paragraph of the story by its number. */
export function getParagraphId(number: number): string {
  return renderMarkdown(LONG.text).paragraphs[number - 1]?.id ?? "";
}
