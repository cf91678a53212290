import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

import * as fc from "fast-check";
import ts from "typescript";

import { startChild } from "#emulator/child.ts";
import { aborted, createStopSignal } from "#emulator/signals.ts";

/*
 * Mutation testing: changes one number, comparison or boolean of the server's code, the autosave's reducer or the security
 * rules at a time, and runs the tests of that subject, which must fail for at least 85% of the changes.
 * `npm run bench:mutations` tries 120 changes drawn at random; `npm run bench:mutations -- 30 7` tries 30, drawn with the
 * seed 7. The same seed draws the same changes of the same code.
 *
 * The test files nearest to a change run first, because most tests start real servers. Only when they notice nothing, those
 * with a similar name, of its subject, and of the subjects that use it run too; at last the others that import it.
 * StrykerJS changes only JavaScript, but much of the logic is in the rules.
 *
 * Runs in a copy of the checkout that includes uncommitted changes. The checkout itself is not changed.
 */

/** The share of changes that the tests must notice. */
const MIN_NOTICED_SHARE = 0.85;

/** How many test files run first, also of other subjects. */
const NEAREST_COUNT = 8;

/** When no test ends for so long, as in an endless loop, the tests count as failed. */
const SILENCE_MS = 180_000;

/** The timeouts are long enough for a busy machine. */
const OPTIONS = ["--testTimeout=60000", "--hookTimeout=60000"];

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
  const importers = await findImporters();
  const all = await listMutations();
  const size = { minLength: count, maxLength: count };
  const [chosen = []] = fc.sample(fc.shuffledSubarray(all, size), { numRuns: 1, seed });
  let noticed = 0;
  for (const [index, mutation] of chosen.entries()) {
    const failure = await tryMutation(mutation, importers);
    if (stop.aborted) return false;
    if (failure !== undefined) noticed += 1;
    const number = String(index + 1).padStart(3);
    const verdict = failure === undefined ? "UNNOTICED" : "noticed  ";
    console.log(`${number}  ${verdict}  ${await describe(mutation)}`);
    if (failure !== undefined) console.log(`     by ${failure}`);
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

/** Returns the first test that fails with a change, if any does. */
async function tryMutation(mutation: Mutation, importers: Importers): Promise<string | undefined> {
  const { file, start, text, replacement } = mutation;
  const path = join(folder, file);
  const original = await readFile(path, "utf8");
  const before = original.slice(0, start);
  await writeFile(path, before + replacement + original.slice(start + text.length));
  try {
    const isCode = /\.tsx?$/.test(file);
    for (const tests of isCode ? listTests(file, importers) : await listRulesTests(before)) {
      const failure = await runTests(tests);
      if (failure !== undefined) return failure;
    }
    return undefined;
  } finally {
    await writeFile(path, original);
  }
}

/** The files that import each file. */
type Importers = Map<string, Set<string>>;

async function findImporters(): Promise<Importers> {
  const files = listFiles().filter((file) => /^(?:app|functions|tests)\/.*\.tsx?$/.test(file));
  const importers: Importers = new Map(files.map((file) => [file, new Set()]));
  for (const importer of files) {
    const code = await readFile(join(folder, importer), "utf8");
    const values = code.replaceAll(/^(?:import|export) type [^;]*;/gm, "");
    for (const [, specifier = ""] of values.matchAll(/"((?:#|\.\.?\/)[^"\n]+)"/g)) {
      const path = specifier.startsWith("#")
        ? specifier.slice(1)
        : join(dirname(importer), specifier);
      // The rest of a pattern for `import.meta.glob`.
      const start = path.replace(/\*.*/, "");
      const imported = files.filter((file) =>
        start === path ? file === path : file.startsWith(start),
      );
      for (const file of imported) importers.get(file)?.add(importer);
    }
  }
  return importers;
}

/**
 * Returns the tests that import a file, in the order in which they run: the most direct; those with a word of its name, of
 * its subject, and of the subjects that use it; the others.
 */
function listTests(file: string, importers: Importers): string[][] {
  const found = new Set([file]);
  // A Set also iterates over what is added meanwhile.
  for (const imported of found) {
    for (const importer of importers.get(imported) ?? []) found.add(importer);
  }
  const tests = [...found].filter(isTest);
  const users = [...(importers.get(file) ?? [])].filter((user) => !user.startsWith("tests/"));
  const folders = [file, ...users].map(getTestFolder);
  const own = tests.filter((test) => folders.some((folder) => test.startsWith(folder)));
  const words = getNameWords(file);
  const similar = tests.filter((test) => getNameWords(test).some((word) => words.includes(word)));
  const nearest = tests.slice(0, NEAREST_COUNT);
  const related = [...similar, ...own].filter((test) => !nearest.includes(test));
  const others = tests.filter((test) => !nearest.includes(test) && !related.includes(test));
  return [nearest, [...new Set(related)], others];
}

/** Returns the words of a file's name, in singular. */
function getNameWords(file: string): string[] {
  const [name = ""] = basename(file).split(".");
  return name.split("-").map((word) => word.replace(/s$/, ""));
}

/** Returns the tests of the rules. Those that mention the last path before a change most often come first. */
async function listRulesTests(before: string): Promise<string[][]> {
  const [path = ""] = before.match(/(?<=match \/|")\w+(?=\/|": \{)/g)?.slice(-1) ?? [];
  const tests = listFiles().filter((file) => isTest(file) && file.startsWith("tests/rules/"));
  const counts = tests.map(async (test) => {
    const code = await readFile(join(folder, test), "utf8");
    return { test, count: code.split(path).length };
  });
  const sorted = (await Promise.all(counts)).toSorted((one, other) => other.count - one.count);
  const names = sorted.map(({ test }) => test);
  return [names.slice(0, NEAREST_COUNT), names.slice(NEAREST_COUNT)];
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

function getTestFolder(file: string): string {
  const [, subject] = /^app\/(\w+)\//.exec(file) ?? [];
  if (subject) return `tests/${subject}/`;
  return file.startsWith("functions/") ? "tests/deploy/" : "tests/site/";
}

/** Runs tests until one fails. Returns its name. */
async function runTests(tests: string[]): Promise<string | undefined> {
  if (tests.length === 0) return undefined;
  const failures: string[] = [];
  const vitest = "node_modules/vitest/vitest.mjs";
  const args = [vitest, "run", ...tests, "--bail=1", "--reporter=verbose", ...OPTIONS];
  const env = { NO_COLOR: "1" };
  const child = startChild(process.execPath, args, {
    cwd: folder,
    env,
    onOutput,
    onError: onOutput,
  });
  const timer = setTimeout(() => void child.stop(), SILENCE_MS);
  const code = await Promise.race([child.exited, stopped]);
  clearTimeout(timer);
  await child.stop();
  if (code === 0) return undefined;
  return failures[0] ?? "no test: they did not run to their end";

  function onOutput(line: string) {
    timer.refresh();
    const [failed] = /(?<=^ *(?:×|FAIL) .*)tests\/.*/.exec(line) ?? [];
    if (failed !== undefined) failures.push(failed);
  }
}

async function describe({ file, start, text, replacement }: Mutation): Promise<string> {
  const before = (await readFile(join(folder, file), "utf8")).slice(0, start);
  return `${file}:${before.split("\n").length}: ${text} → ${replacement}`;
}
