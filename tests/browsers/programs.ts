import { readdirSync } from "node:fs";
import { join } from "node:path";

import { canRun, findProgram } from "#tests/support/chromium.ts";
import type { WebKitPrograms } from "./webkit.ts";

/** Where Debian and Ubuntu, and Fedora, have WebKitGTK's folder. */
const LIBRARY_FOLDERS = [
  "/usr/lib",
  "/usr/lib/x86_64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/usr/libexec",
];

export function findFirefox(): string | undefined {
  return findProgram("firefox-esr") ?? findProgram("firefox");
}

export function findWebKit(): WebKitPrograms | undefined {
  const driver = findProgram("WebKitWebDriver");
  const miniBrowser = LIBRARY_FOLDERS.flatMap((folder) =>
    list(folder).flatMap((name) =>
      /^webkit(2gtk|gtk)-/.test(name) ? [join(folder, name, "MiniBrowser")] : [],
    ),
  ).find(canRun);
  return driver && miniBrowser ? { driver, miniBrowser } : undefined;
}

/** Xvfb: a display for machines without one. */
export function findXvfb(): string | undefined {
  return findProgram("Xvfb");
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
