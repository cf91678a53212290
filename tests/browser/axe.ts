import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { expect } from "./fixtures.ts";

/** Expects no fault that axe can find, except by the rules named, in the light and in the dark theme. */
export async function expectAccessible(page: Page, { except = [] }: { except?: string[] } = {}) {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await new AxeBuilder({ page })
      .options({ resultTypes: ["violations"] })
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
      .disableRules(except)
      // No page of ours has frames, so axe needs no second page to put results together.
      .setLegacyMode()
      .analyze();
    const faults = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
    );
    expect(faults, colorScheme).toEqual([]);
  }
}
