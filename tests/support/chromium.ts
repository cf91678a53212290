import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { chromium } from "@playwright/test";

/** Chromium without a user interface. With it the tests take a third less time. */
const HEADLESS = "chromium-headless-shell";

const PROGRAMS = [
  HEADLESS,
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
 * Returns the path of a Chromium or Chrome: `CHROMIUM_PATH`, Debian's headless shell (installed if missing, when root
 * runs this on Debian), another installed browser, or Playwright's own.
 *
 * @throws {Error} with instructions when there is no browser
 */
export function requireChromium(): string {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) {
    if (canRun(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH is not an executable file: ${CHROMIUM_PATH}`);
  }
  if (canInstall() && findProgram(HEADLESS) === undefined) installFromDebian();
  const found =
    findProgram(...PROGRAMS) ?? [...APPLICATIONS, chromium.executablePath()].find(canRun);
  if (found !== undefined) return found;
  throw new Error(
    "No browser was found: run `npx playwright install --with-deps chromium`, or set CHROMIUM_PATH to a Chromium or Chrome.",
  );
}

/** Returns the path of the first of these programs on the PATH. */
export function findProgram(...programs: string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find(canRun);
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync("/etc/debian_version");
}

function installFromDebian(): void {
  console.error(`Installing Debian's ${HEADLESS} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", HEADLESS]]) {
    spawnSync("apt-get", ["--quiet=2", ...args], { env, stdio: "ignore" });
  }
}

/** Whether a path is a program that this user may run. */
export function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
