import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { expect } from "./fixtures.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** All rules of axe's category `cat.color` that have these tags. No other rule depends on the theme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** WCAG 2.5.3. Experimental in axe, so it has to be enabled by name. */
const NAME_RULE = "label-content-name-mismatch";

interface AxeOptions {
  /** A selector of the elements to check. @default the page */
  within?: string;
  /** Rules to skip. */
  except?: string[];
}

/** Expects no violations of axe's rules in the light theme, and none of its colour rules in the dark theme. */
export async function expectAccessible(
  page: Page,
  { within = "html", except = [] }: AxeOptions = {},
) {
  const include = (axe: AxeBuilder) => axe.include(within);
  await expectNoViolations(page, "light", (axe) =>
    include(axe).withTags(TAGS).disableRules(except),
  );
  await expectNoViolations(page, "dark", (axe) => include(axe).withRules(COLOR_RULES));
}

/** Expects the accessible name of every control to contain its visible text. */
export async function expectSeenNames(page: Page) {
  await expectNoViolations(page, "light", (axe) => axe.withRules(NAME_RULE));
}

async function expectNoViolations(
  page: Page,
  colorScheme: "light" | "dark",
  choose: (axe: AxeBuilder) => AxeBuilder,
) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ["violations"] })
    // The pages have no frames, so axe needs no second page to merge results.
    .setLegacyMode();
  const { violations } = await choose(axe).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
  expect(found, colorScheme).toEqual([]);
}
