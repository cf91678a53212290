import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { expect } from "./fixtures.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** All that axe has of the kind `cat.color` within those tags. Nothing else can tell one theme from the other. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** WCAG 2.5.3, of which axe calls its test an experiment. */
const NAME_RULE = "label-content-name-mismatch";

/** Expects no fault that axe can find, except by the rules named, in the light theme, nor of colours in the dark one. */
export async function expectAccessible(page: Page, { except = [] }: { except?: string[] } = {}) {
  await expectNoFaults(page, "light", (axe) => axe.withTags(TAGS).disableRules(except));
  await expectNoFaults(page, "dark", (axe) => axe.withRules(COLOR_RULES));
}

/** Expects every control to be named by the words that are seen on it. */
export async function expectSeenNames(page: Page) {
  await expectNoFaults(page, "light", (axe) => axe.withRules(NAME_RULE));
}

async function expectNoFaults(
  page: Page,
  colorScheme: "light" | "dark",
  choose: (axe: AxeBuilder) => AxeBuilder,
) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ["violations"] })
    // No page of ours has frames, so axe needs no second page to put results together.
    .setLegacyMode();
  const { violations } = await choose(axe).analyze();
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
  expect(faults, colorScheme).toEqual([]);
}
