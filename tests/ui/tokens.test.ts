import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

test.each([
  ["primary", "light-dark(#10b981, #34d399)"],
  ["duration", "0.2s"],
  ["radius-1", "4px"],
  ["radius-2", "6px"],
  ["radius-3", "8px"],
  ["radius-4", "12px"],
  ["toast-width", "25rem"],
  ["tooltip-max", "12.5rem"],
])("the theme's %s is %s", async (name, value) => {
  expect(await readFile("app/styles/tokens.css", "utf8")).toContain(`--${name}: ${value};`);
});
