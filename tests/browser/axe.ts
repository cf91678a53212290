import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { Page } from "@playwright/test";
import type { AxeResults, run, RunOptions } from "axe-core";

import { expect } from "./fixtures.ts";

declare global {
  interface Window {
    axe: { run: typeof run };
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** All rules of axe's category `cat.color` that have these tags. No other rule depends on the theme. */
const COLORS: RunOptions = {
  runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
};

/** WCAG 2.5.3. Experimental in axe, so it has to be enabled by name. */
const NAME_RULE = "label-content-name-mismatch";

type Theme = "light" | "dark";

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
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  const all: RunOptions = { runOnly: { type: "tag", values: TAGS }, rules };
  await expectNoViolations(page, "light", within, all);
  await expectNoViolations(page, "dark", within, COLORS);
}

/** Expects no violations of axe's colour rules in one theme. */
export async function expectAccessibleColors(page: Page, theme: Theme) {
  await expectNoViolations(page, theme, "html", COLORS);
}

/** Expects the accessible name of every control to contain its visible text. */
export async function expectVisibleTextInNames(page: Page) {
  await expectNoViolations(page, "light", "html", {
    runOnly: { type: "rule", values: [NAME_RULE] },
  });
}

async function expectNoViolations(
  page: Page,
  colorScheme: Theme,
  within: string,
  options: RunOptions,
) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // A color between two others may have too little contrast.
  await page.evaluate(async () => {
    const running = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(running.map(({ finished }) => finished));
  });
  const { violations } = await runAxe(page, within, options);
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
  expect(found, colorScheme).toEqual([]);
}

/**
 * Runs axe in the page, which has no frames. Each document gets the half megabyte of axe only once. `AxeBuilder` sends
 * twice as much, twice for each run, which costs tests of whole screens a quarter more CPU time.
 */
async function runAxe(page: Page, within: string, options: RunOptions): Promise<AxeResults> {
  // Ends with `undefined`, so that Playwright does not send the result of the script, which has functions.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(`${AXE}; undefined`);
  return await page.evaluate(
    ([selector, axeOptions]) =>
      window.axe.run({ include: [[selector]] }, { ...axeOptions, resultTypes: ["violations"] }),
    [within, options] as const,
  );
}
