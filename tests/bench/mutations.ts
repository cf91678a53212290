import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

import * as fc from "fast-check";
import ts from "typescript";
import * as z from "zod";

import { startChild } from "#emulator/child.ts";
import { aborted, createStopSignal } from "#emulator/signals.ts";

/*
 * Mutation testing: changes one number, comparison or boolean of the server's code, the autosave's reducer or the security
 * rules at a time, and runs the tests of that subject, which must fail for at least 85% of the changes.
 * `npm run bench:mutations` tries 120 changes drawn at random; `npm run bench:mutations -- 30 7` tries 30, drawn with the
 * seed 7. The same seed draws the same changes of the same code.
 *
 * A change takes about a minute, because most tests start real servers. StrykerJS changes only JavaScript, but much of the
 * logic is in the rules.
 *
 * Runs in a copy of the checkout that includes uncommitted changes. The checkout itself is not changed.
 */

/** The share of changes that the tests must notice. */
const MIN_NOTICED_SHARE = 0.85;

/** Tests that hang count as failed. */
const TIMEOUT_MS = 180_000;

/** Long enough for a busy machine. */
const LONG_TIMEOUTS = ["--testTimeout=60000", "--hookTimeout=60000"];

const MUTATED_FILE =
  /^(?:app\/.*\.server\.tsx?|app\/writing\/autosave\/(?:reduce|state)\.ts|functions\/.*\.ts|(?:firestore\.rules|database\.rules\.json))$/;

/** What each boolean becomes, and each comparison: its opposite, or the same with the other boundary. */
const REPLACEMENTS = new Map([
  ["true", ["false"]],
  ["false", ["true"]],
  ["===", ["!=="]],
  ["!==", ["==="]],
  ["==", ["!="]],
  ["!=", ["=="]],
  ["<", [">=", "<="]],
  ["<=", [">", "<"]],
  [">", ["<=", ">="]],
  [">=", ["<", ">"]],
]);

/** A number, comparison or boolean in the code, and what it becomes. */
interface Mutation {
  file: string;
  start: number;
  text: string;
  replacement: string;
}

const reportSchema = z.object({
  numTotalTests: z.int(),
  numFailedTests: z.int(),
});

type Verdict = "noticed" | "UNNOTICED" | "no test ran";

const [count = 120, seed = 1] = process.argv.slice(2).map(Number);
const stop = createStopSignal();
const stopped = aborted(stop);
const folder = await mkdtemp(join(homedir(), ".mutations-"));
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<boolean> {
  await copyCheckout();
  const all = await listMutations();
  const size = { minLength: count, maxLength: count };
  const [chosen = []] = fc.sample(fc.shuffledSubarray(all, size), { numRuns: 1, seed });
  let noticed = 0;
  for (const [index, mutation] of chosen.entries()) {
    const verdict = await tryMutation(mutation);
    if (stop.aborted) return false;
    if (verdict === "noticed") noticed += 1;
    const number = String(index + 1).padStart(3);
    console.log(`${number}  ${verdict.padEnd(11)} ${await describe(mutation)}`);
  }
  const required = Math.ceil(count * MIN_NOTICED_SHARE);
  console.log(`${noticed} of ${count} noticed, at least ${required} required (seed ${seed})`);
  return noticed >= required;
}

/** Copies the checkout, without the files that git ignores. */
async function copyCheckout(): Promise<void> {
  for (const name of listFiles()) {
    await mkdir(join(folder, dirname(name)), { recursive: true });
    // git also lists deleted files.
    await cp(name, join(folder, name)).catch(() => undefined);
  }
  await symlink(resolve("node_modules"), join(folder, "node_modules"), "junction");
}

function listFiles(): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 26 })
    .split("\0")
    .filter(Boolean)
    .toSorted();
}

async function listMutations(): Promise<Mutation[]> {
  const files = listFiles().filter((file) => MUTATED_FILE.test(file));
  const mutations = files.map(async (file) => {
    const text = await readFile(join(folder, file), "utf8");
    const tokens = /\.tsx?$/.test(file) ? listCodeTokens(file, text) : listRulesTokens(text);
    return tokens.flatMap((token) =>
      listReplacements(token.text).map((replacement) => ({ file, ...token, replacement })),
    );
  });
  return (await Promise.all(mutations)).flat();
}

type Token = Pick<Mutation, "start" | "text">;

function listCodeTokens(file: string, code: string): Token[] {
  const tokens: Token[] = [];
  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node)) return;
    const text = node.getText();
    const isLeaf = node.getChildCount() === 0;
    // The brackets of elements and of type arguments are no comparisons.
    if (isLeaf && (!/[<>]/.test(text) || ts.isBinaryExpression(node.parent))) {
      tokens.push({ start: node.getStart(), text });
    }
    node.getChildren().forEach(visit);
  }
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true));
  return tokens;
}

function listRulesTokens(text: string): Token[] {
  const code = text.replaceAll(/\/\/.*/g, (comment) => " ".repeat(comment.length));
  return [...code.matchAll(/[!=]==?|[<>]=?|\b(?:true|false|\d+)\b/g)].map(
    ({ index, 0: match }) => ({ start: index, text: match }),
  );
}

/** Returns what a number, comparison or boolean becomes; nothing for other texts. */
function listReplacements(text: string): string[] {
  if (/^\d/.test(text)) return [/^0+$/.test(text) ? "1" : "0"];
  return REPLACEMENTS.get(text) ?? [];
}

async function tryMutation({ file, start, text, replacement }: Mutation): Promise<Verdict> {
  const path = join(folder, file);
  const original = await readFile(path, "utf8");
  const rest = original.slice(start + text.length);
  await writeFile(path, original.slice(0, start) + replacement + rest);
  try {
    const verdict = await runTests(file, listTests(file));
    // Nothing in the subject's folder tests it, so its tests are all those that import it.
    return verdict === "no test ran" ? await runTests(file, "tests") : verdict;
  } finally {
    await writeFile(path, original);
  }
}

/** Returns the folder with the tests of a file. */
function listTests(file: string): string {
  const [, subject] = /^app\/(\w+)\//.exec(file) ?? [];
  if (subject) return `tests/${subject}`;
  if (file.startsWith("functions/")) return "tests/deploy";
  return file.startsWith("app/") ? "tests/site" : "tests/rules";
}

async function runTests(file: string, tests: string): Promise<Verdict> {
  const report = join(folder, "report.json");
  await rm(report, { force: true });
  const isCode = /\.tsx?$/.test(file);
  const args = [
    "node_modules/vitest/vitest.mjs",
    ...(isCode ? ["related", "--run", file] : ["run"]),
    "--dir",
    tests,
    "--bail=1",
    "--passWithNoTests",
    ...LONG_TIMEOUTS,
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  const child = startChild(process.execPath, args, { cwd: folder });
  const timer = new Promise<"timeout">((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, "timeout").unref();
  });
  const end = await Promise.race([child.exited, stopped, timer]);
  await child.stop();
  if (end === "timeout") return "noticed";
  const json = await readFile(report, "utf8").catch(() => undefined);
  if (json === undefined) return "no test ran";
  const { numTotalTests, numFailedTests } = reportSchema.parse(JSON.parse(json));
  if (end !== 0) return numFailedTests > 0 ? "noticed" : "no test ran";
  return numTotalTests > 0 ? "UNNOTICED" : "no test ran";
}

async function describe({ file, start, text, replacement }: Mutation): Promise<string> {
  const before = (await readFile(join(folder, file), "utf8")).slice(0, start);
  return `${file}:${before.split("\n").length}: ${text} → ${replacement}`;
}
