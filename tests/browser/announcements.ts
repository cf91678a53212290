import type { Page } from "@playwright/test";

/** Records what the live regions of a page say, from its next document on. Returns the function that reads it. */
export async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const regions = ":is([aria-live], [role=status], [role=alert], output):not([aria-live=off])";
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const isInRegion = Boolean(element?.closest(regions));
        // A removal is not announced.
        const texts = type === "characterData" ? [target] : [...addedNodes];
        const text = texts.map(({ textContent }) => textContent ?? "").join("");
        if (isInRegion && text.trim()) said.push(text.trim());
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  return () =>
    page.evaluate(() => {
      const said: unknown = Reflect.get(window, "said");
      return Array.isArray(said) ? said.map(String) : [];
    });
}

/** Returns how many messages the announcements of new messages are about. */
export function countMessages(announcements: readonly string[]): number {
  return announcements.reduce((sum, text) => sum + Number(/^(\d+) new/.exec(text)?.[1] ?? 1), 0);
}
