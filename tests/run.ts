import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as z from "zod";

import { buildApp, isBuilt } from "#emulator/build.ts";
import { startChild } from "#emulator/child.ts";
import { readFirebaseJson } from "#emulator/firebase-json.ts";
import { startFirebase, type LocalFirebase } from "#emulator/firebase.ts";
import { describeLaunchError } from "#emulator/launch-error.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { aborted, createStopSignal } from "#emulator/signals.ts";
import { requireChromium } from "#tests/support/chromium.ts";

// Runs every test, once. Prints only failures; the last line is "N passed, N failed". With `--google`, or where fireemu is
// missing, the routes, the rules and the browsers are tested on Google's emulators.

interface Result {
  passed: number;
  failed: number;
  skipped: number;
}

const vitestReport = z
  .object({
    numPassedTests: z.int(),
    numFailedTests: z.int(),
    numPendingTests: z.int(),
    numTodoTests: z.int(),
  })
  .transform((report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }));

const playwrightReport = z
  .object({
    stats: z.object({ expected: z.int(), unexpected: z.int(), skipped: z.int() }),
  })
  .transform(({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }));

const FAILURE: Result = { passed: 0, failed: 1, skipped: 0 };

const stop = createStopSignal();
if (process.argv.includes("--google")) process.env.FIREBASE_ENGINE = "google";
const folder = await mkdtemp(join(tmpdir(), "test-reports-"));
const firebase = await start();
const results = firebase ? await runTests(firebase) : [FAILURE];
await firebase?.[Symbol.asyncDispose]();
await rm(folder, { recursive: true });
if (stop.aborted) process.exit(130);

const passed = sum((result) => result.passed);
const failed = sum((result) => result.failed);
const skipped = sum((result) => result.skipped);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

/** Starts a local Firebase once, because without one every test would fail. Returns nothing, and prints why, if it cannot. */
async function start(): Promise<LocalFirebase | undefined> {
  let isStarting = true;
  try {
    return await startFirebase({
      ...(await readFirebaseJson("firebase.json")),
      ports: { auth: 0, firestore: 0, database: 0 },
      projectId: LOCAL_PROJECT_ID,
      // Later messages are the links that tests request.
      log: (message) => isStarting && console.log(message),
    });
  } catch (error) {
    console.error(describeLaunchError(error));
    return undefined;
  } finally {
    isStarting = false;
  }
}

async function runTests({ engine, hosts }: LocalFirebase): Promise<Result[]> {
  if (engine === "google") {
    // They start slowly, so all tests share these, one after the other. Those of the launcher and of the database need
    // fireemu or no server, and do not run.
    process.env.TEST_AUTH_HOST = hosts.FIREBASE_AUTH_EMULATOR_HOST;
    process.env.TEST_FIRESTORE_HOST = hosts.FIRESTORE_EMULATOR_HOST;
  }
  // Vitest would slow down the browser tests, so only the build runs beside it.
  const [vitest, built] = await Promise.all([runVitest(), build()]);
  return [vitest, built ? await runBrowserTests() : FAILURE];
}

async function runVitest(): Promise<Result> {
  const report = join(folder, "vitest.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  return await run("vitest/vitest.mjs", ["run", ...reporters], () =>
    readReport(report, vitestReport),
  );
}

/** Prepares the browser tests. Returns false, and prints why, when they cannot run. */
async function build(): Promise<boolean> {
  try {
    process.env.CHROMIUM_PATH = requireChromium();
    if (!(await isBuilt())) await buildApp(stop);
    return true;
  } catch (error) {
    if (!stop.aborted) console.error(describeLaunchError(error));
    return false;
  }
}

async function runBrowserTests(): Promise<Result> {
  if (stop.aborted) return FAILURE;
  const report = join(folder, "playwright.json");
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = report;
  const args = ["test", "--config", "tests/browser", "--reporter=dot,json"];
  return await run("@playwright/test/cli.js", args, () => readReport(report, playwrightReport));
}

/**
 * Runs a command of tests to its end, and prints its output only when a test fails.
 *
 * A command that fails without a failed test, for example on a syntax error, counts as one failure.
 */
async function run(bin: string, args: string[], read: () => Promise<Result>): Promise<Result> {
  const [, name = ""] = /^((?:@[^/]+\/)?[^/]+)\//.exec(bin) ?? [];
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const program = join(manifest, "..", bin.slice(name.length + 1));
  const output: string[] = [];
  const collect = (line: string) => void output.push(line);
  const child = startChild(process.execPath, [program, ...args], {
    onOutput: collect,
    onError: collect,
  });
  await Promise.race([child.exited, aborted(stop)]);
  await child.stop();
  const code = await child.exited;
  const result = await read();
  if (code !== 0) console.log(output.join("\n"));
  return code === 0 || result.failed > 0 ? result : { ...result, failed: 1 };
}

/** Reads a report. One that was never written counts as a failure. */
async function readReport(path: string, schema: z.ZodType<Result>): Promise<Result> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? FAILURE : schema.parse(JSON.parse(text));
}

function sum(count: (result: Result) => number): number {
  return results.reduce((total, result) => total + count(result), 0);
}
