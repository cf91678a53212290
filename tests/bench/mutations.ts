import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

import * as z from "zod";

import { startChild } from "#emulator/child.ts";
import { aborted, createStopSignal } from "#emulator/signals.ts";
import { DATABASE_MUTATIONS } from "./mutations/database.ts";
import { DRAFT_MUTATIONS } from "./mutations/drafts.ts";
import { HTTP_MUTATIONS } from "./mutations/http.ts";
import type { Mutation } from "./mutations/mutation.ts";
import { CHAT_MUTATIONS } from "./mutations/chat.ts";
import { RULES_MUTATIONS } from "./mutations/rules.ts";
import { SESSION_MUTATIONS } from "./mutations/session.ts";

/*
 * Makes small changes to the logic, one at a time, and tells which of them the tests notice: at least nine of ten have to
 * be. `npm run bench:mutations` tries them all, `npm run bench:mutations -- markdown cookie` those whose name or file has
 * one of the words.
 *
 * A list of our own and not StrykerJS, because that changes JavaScript alone, and what is judged here is also in
 * firestore.rules and database.rules.json; and because it makes thousands of changes by itself, while most tests here
 * run real servers: on two cores that would take hours. The list says which tests guard what.
 *
 * It works in a copy of the checkout, with what is not committed. Nothing in the checkout changes.
 */

const MUTATIONS = [
  ...HTTP_MUTATIONS,
  ...SESSION_MUTATIONS,
  ...CHAT_MUTATIONS,
  ...DRAFT_MUTATIONS,
  ...RULES_MUTATIONS,
  ...DATABASE_MUTATIONS,
];

/** Of the changes so many have to be noticed. */
const MIN_DETECTED_SHARE = 0.9;

/** Tests that never end have noticed something. */
const TIMEOUT_MS = 180_000;

/** A busy machine is no reason to fail. */
const LONG_TIMEOUTS = ["--testTimeout=60000", "--hookTimeout=60000"];

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
});

type Verdict = "noticed" | "UNNOTICED" | "BROKEN: no test ran";

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
  if ((await runTests(tests)) !== "UNNOTICED") {
    console.log(`Without any change some of these do not pass: ${tests.join(" ")}`);
    return false;
  }
  let noticed = 0;
  for (const [index, mutation] of chosen.entries()) {
    const verdict = await tryMutation(mutation);
    if (stop.aborted) return false;
    if (verdict === "noticed") noticed += 1;
    const number = String(index + 1).padStart(3);
    console.log(`${number}  ${verdict.padEnd(10)} ${mutation.name} (${mutation.file})`);
  }
  const least = Math.ceil(chosen.length * MIN_DETECTED_SHARE);
  console.log(`${noticed} of ${chosen.length} noticed, at least ${least} have to be`);
  return chosen.length > 0 && noticed >= least;
}

/** The checkout as it is, but for what git leaves out. */
async function copyCheckout(): Promise<void> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const names = execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0");
  for (const name of names.filter(Boolean)) {
    await mkdir(join(folder, dirname(name)), { recursive: true });
    // What git knows may have been deleted since.
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
  const timer = new Promise<"late">((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, "late").unref();
  });
  const end = await Promise.race([child.exited, stopped, timer]);
  await child.stop();
  if (end === "late") return "noticed";
  if (end === 0) return "UNNOTICED";
  const text = await readFile(report, "utf8").catch(() => undefined);
  if (text === undefined) return "BROKEN: no test ran";
  // A change that cannot even be loaded says nothing about the tests.
  const { numFailedTests } = reportSchema.parse(JSON.parse(text));
  return numFailedTests > 0 ? "noticed" : "BROKEN: no test ran";
}
