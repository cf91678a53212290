import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

import * as z from "zod";

import { startChild } from "#emulator/child.ts";
import { aborted, createStopSignal } from "#emulator/signals.ts";
import { CHAT_MUTATIONS } from "./mutations/chat.ts";
import { DATABASE_MUTATIONS } from "./mutations/database.ts";
import { DRAFT_MUTATIONS } from "./mutations/drafts.ts";
import { HTTP_MUTATIONS } from "./mutations/http.ts";
import type { Mutation } from "./mutations/mutation.ts";
import { RULES_MUTATIONS } from "./mutations/rules.ts";
import { SESSION_MUTATIONS } from "./mutations/session.ts";
import { STORY_MUTATIONS } from "./mutations/stories.ts";

/*
 * Mutation testing: changes the code in one place at a time and runs the tests, which must fail for at least 90% of the
 * changes. `npm run bench:mutations` tries all changes, `npm run bench:mutations -- markdown cookie` only those with one of
 * these words in their name or file.
 *
 * StrykerJS does not fit: it changes only JavaScript, but much of the logic is in firestore.rules and database.rules.json.
 * It also makes thousands of changes, so a run would take hours, because most tests here start real servers.
 *
 * Runs in a copy of the checkout that includes uncommitted changes. The checkout itself is not changed.
 */

const MUTATIONS = [
  ...HTTP_MUTATIONS,
  ...STORY_MUTATIONS,
  ...SESSION_MUTATIONS,
  ...CHAT_MUTATIONS,
  ...DRAFT_MUTATIONS,
  ...RULES_MUTATIONS,
  ...DATABASE_MUTATIONS,
];

/** The share of changes that the tests must detect. */
const MIN_DETECTED_SHARE = 0.9;

/** Tests that hang count as failed. */
const TIMEOUT_MS = 180_000;

/** Long enough for a busy machine. */
const LONG_TIMEOUTS = ["--testTimeout=60000", "--hookTimeout=60000"];

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
});

type Verdict = "detected" | "UNDETECTED" | "BROKEN: no test ran";

const stop = createStopSignal();
const stopped = aborted(stop);
const words = process.argv.slice(2).map((word) => word.toLowerCase());
const chosen = MUTATIONS.filter(
  ({ name, file }) =>
    words.length === 0 || words.some((word) => `${name} ${file}`.toLowerCase().includes(word)),
);
const folder = await mkdtemp(join(homedir(), ".mutations-"));
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<boolean> {
  await copyCheckout();
  const tests = [...new Set(chosen.flatMap((mutation) => mutation.tests))];
  if ((await runTests(tests)) !== "UNDETECTED") {
    console.log(`Without any change some of these do not pass: ${tests.join(" ")}`);
    return false;
  }
  let detected = 0;
  for (const [index, mutation] of chosen.entries()) {
    const verdict = await tryMutation(mutation);
    if (stop.aborted) return false;
    if (verdict === "detected") detected += 1;
    const number = String(index + 1).padStart(3);
    console.log(`${number}  ${verdict.padEnd(10)} ${mutation.name} (${mutation.file})`);
  }
  const required = Math.ceil(chosen.length * MIN_DETECTED_SHARE);
  console.log(`${detected} of ${chosen.length} detected, at least ${required} required`);
  return chosen.length > 0 && detected >= required;
}

/** Copies the checkout, without the files that git ignores. */
async function copyCheckout(): Promise<void> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const names = execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0");
  for (const name of names.filter(Boolean)) {
    await mkdir(join(folder, dirname(name)), { recursive: true });
    // git also lists deleted files.
    await cp(name, join(folder, name)).catch(() => undefined);
  }
  await symlink(resolve("node_modules"), join(folder, "node_modules"), "junction");
}

async function tryMutation({ file, original, replacement, tests }: Mutation): Promise<Verdict> {
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  const count = text.split(original).length - 1;
  if (count !== 1) throw new Error(`${file} has ${count} times: ${original}`);
  await writeFile(
    path,
    text.replace(original, () => replacement),
  );
  try {
    return await runTests(tests);
  } finally {
    await writeFile(path, text);
  }
}

async function runTests(tests: readonly string[]): Promise<Verdict> {
  const report = join(folder, "report.json");
  await rm(report, { force: true });
  const reporters = ["--reporter=json", `--outputFile=${report}`];
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--bail=1",
    ...LONG_TIMEOUTS,
    ...reporters,
    ...tests,
  ];
  const child = startChild(process.execPath, args, { cwd: folder });
  const timer = new Promise<"timeout">((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, "timeout").unref();
  });
  const end = await Promise.race([child.exited, stopped, timer]);
  await child.stop();
  if (end === "timeout") return "detected";
  if (end === 0) return "UNDETECTED";
  const text = await readFile(report, "utf8").catch(() => undefined);
  if (text === undefined) return "BROKEN: no test ran";
  // If a module fails to load, no test has detected the change.
  const { numFailedTests } = reportSchema.parse(JSON.parse(text));
  return numFailedTests > 0 ? "detected" : "BROKEN: no test ran";
}
