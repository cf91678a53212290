import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { chromium } from "@playwright/test";

const PROGRAMS = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
];
const APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
];

/**
 * Returns the path of a Chromium or Chrome to test with: `CHROMIUM_PATH`, one that is installed, Playwright's own, or
 * Debian's package, which is installed first where that is allowed.
 *
 * @throws Error that says what to do
 */
export function requireChromium(): string {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) {
    if (canRun(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH names no program that can be run: ${CHROMIUM_PATH}`);
  }
  const found = findInstalled() ?? installFromDebian();
  if (found !== undefined) return found;
  throw new Error(
    "No browser was found: run `npx playwright install --with-deps chromium`, or set CHROMIUM_PATH to a Chromium or Chrome.",
  );
}

function findInstalled(): string | undefined {
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => PROGRAMS.map((program) => join(folder, program)));
  return [...onPath, ...APPLICATIONS, chromium.executablePath()].find(canRun);
}

function installFromDebian(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return undefined;
  console.error("No browser was found. Installing Debian's chromium …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", "chromium"]]) {
    spawnSync("apt-get", ["--quiet=2", ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
  }
  return findInstalled();
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
