import type { Page } from "@playwright/test";

import { READER_COUNTS_URL } from "#app/stories/readers/readers.ts";
import { expect } from "./fixtures.ts";

/**
 * Waits until the server counts this many people who have a story or the room open. It asks the database at most every
 * 4 s.
 */
export async function expectCount(page: Page, id: string, count: number): Promise<void> {
  await expect
    .poll(async () => (await page.request.get(READER_COUNTS_URL)).json(), {
      timeout: 30_000,
      intervals: [500],
    })
    .toMatchObject({ [id]: count });
}
