import { setTimeout as delay } from "node:timers/promises";

import { parseCLI, startVitest } from "vitest/node";

import { buildApp } from "#emulator/build.ts";
import { startChild, type Child } from "#emulator/child.ts";
import { describeLaunchError } from "#emulator/launch-error.ts";
import { createStopSignal } from "#emulator/signals.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { findFirefox, findWebKit, findXvfb } from "./programs.ts";

// Runs the promises in the system's Chromium, Firefox and WebKit. The last line is "N passed, N failed": a browser that is missing
// counts as one failure, and the others run. Arguments are Vitest's: `--project webkit`, `-t "Back"`.

const DISPLAY_TIMEOUT_MS = 10_000;

const stop = createStopSignal();
const { options } = parseCLI(["vitest", ...process.argv.slice(2)]);
const wanted = [options.project ?? ["chromium", "firefox", "webkit"]].flat();
const missing = wanted.flatMap((browser) => {
  const sentence = describeMissing(browser);
  return sentence === undefined ? [] : [{ browser, sentence }];
});
const project = wanted.filter((name) => missing.every(({ browser }) => browser !== name));
for (const { sentence } of missing) console.error(sentence);

let passed = 0;
let failed = missing.length;
if (project.length > 0) {
  const display = project.includes("webkit") ? await startDisplay() : undefined;
  try {
    await buildApp(stop);
    const vitest = await startVitest("test", [], {
      ...options,
      project,
      watch: false,
      config: "tests/browsers/vitest.config.ts",
    });
    for (const testModule of vitest.state.getTestModules()) {
      for (const test of testModule.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        // One that is pending was never finished.
        else if (state !== "skipped") failed += 1;
      }
      failed += testModule.errors().length;
    }
    failed += vitest.state.getUnhandledErrors().length;
    await vitest.close();
  } catch (error) {
    if (!stop.aborted) console.error(describeLaunchError(error));
    failed += 1;
  } finally {
    await display?.stop();
  }
}
if (stop.aborted) process.exit(130);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

/** Returns what to install for a browser, as a sentence; `undefined` if it can run. */
function describeMissing(browser: string): string | undefined {
  if (browser === "chromium") return describeMissingChromium();
  if (browser === "firefox")
    return findFirefox() ? undefined : "Firefox is missing: install Debian's firefox-esr.";
  if (!findWebKit()) return "WebKit is missing: install Debian's webkit2gtk-driver.";
  const hasDisplay = process.env.DISPLAY || process.env.WAYLAND_DISPLAY || findXvfb();
  return hasDisplay ? undefined : "WebKit needs a display: install Debian's xvfb.";
}

function describeMissingChromium(): string | undefined {
  try {
    requireChromium();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Starts a display for WebKit on a machine that has none. */
async function startDisplay(): Promise<Child | undefined> {
  const xvfb = findXvfb();
  if (process.env.DISPLAY || process.env.WAYLAND_DISPLAY || !xvfb) return undefined;
  let onNumber: (number: string) => void = () => {};
  const started = new Promise<string>((resolve) => (onNumber = resolve));
  // Xvfb chooses a free number, and prints it.
  const args = ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];
  const child = startChild(xvfb, args, { onOutput: onNumber });
  const timeout = delay(DISPLAY_TIMEOUT_MS, undefined, { ref: false });
  const number = await Promise.race([started, timeout]);
  if (number === undefined) throw new Error("Xvfb does not start");
  process.env.DISPLAY = `:${number}`;
  return child;
}
