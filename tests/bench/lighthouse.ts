import { execFile } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { promisify } from "node:util";

import { chromium } from "@playwright/test";
import * as z from "zod";

import { findFreePort } from "#emulator/ports.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { median } from "./percentile.ts";
import { startProduction } from "./production.ts";

// Measures the production build with Lighthouse's mobile simulation. Prints the median of five runs for each page, and the
// audits that lower its scores. Exits with 1 when a goal is missed. Other pages can be given as arguments.

/**
 * Not a dependency, because it installs 200 packages that nothing else uses, and one of them only in its latest version,
 * which a lock file cannot pin.
 */
const LIGHTHOUSE = "lighthouse@12.8.2";
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** On a busy machine Lighthouse sometimes records nothing. */
const MAX_ATTEMPTS = 3;

const RUNS = 5;

const PATHS = ["/home", "/login", "/register", "/read/the-lamplighters-orchard"];

/** The lowest scores, in percent. */
const CATEGORIES = { performance: 97, accessibility: 100, "best-practices": 100, seo: 100 };

/** The highest values. Times are in milliseconds. */
const METRICS = { "largest-contentful-paint": 1600, "cumulative-layout-shift": 0.02 };

const score = z.number().nullable();
const reportSchema = z.object({
  categories: z.record(
    z.string(),
    z.object({ score, auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) }),
  ),
  audits: z.record(
    z.string(),
    z.object({
      score,
      title: z.string(),
      displayValue: z.string().default(""),
      numericValue: z.number().optional(),
    }),
  ),
});
type Report = z.infer<typeof reportSchema>;

await using app = await startProduction();
const port = await findFreePort();
await using _browser = await chromium.launch({
  executablePath: requireChromium(),
  args: [`--remote-debugging-port=${port}`],
});
const paths = process.argv.slice(2);
for (const path of paths.length > 0 ? paths : PATHS) {
  const reports: Report[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const report = await measure(path);
    if (report) reports.push(report);
  }
  if (reports.length === RUNS && printReport(path, reports)) continue;
  process.exitCode = 1;
  if (reports.length < RUNS) {
    console.log(`${path}: Lighthouse could not load the page. Try on an idle machine.`);
  }
}

async function measure(path: string): Promise<Report | null> {
  const args = [app.url + path, `--port=${port}`, "--quiet", "--output=json"];
  args.push(`--only-categories=${Object.keys(CATEGORIES).join(",")}`);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const run = promisify(execFile)("npx", ["--yes", LIGHTHOUSE, ...args], {
      maxBuffer: MAX_REPORT_BYTES,
      // npx is a shell script there.
      shell: process.platform === "win32",
    });
    const report = await run.catch(() => null);
    if (report) return reportSchema.parse(JSON.parse(report.stdout));
  }
  return null;
}

/** Prints the results of a page, and returns whether the medians reach all goals. */
function printReport(path: string, reports: Report[]): boolean {
  console.log(
    `${path}  (load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors)`,
  );
  const categories = Object.entries(CATEGORIES).map(([name, limit]) => {
    const values = reports.map(({ categories: all }) => toPercent(all[name]?.score));
    return { name, values, limit, isReached: median(values) >= limit };
  });
  const metrics = Object.entries(METRICS).map(([name, limit]) => {
    const values = reports.map(({ audits }) => audits[name]?.numericValue ?? Infinity);
    return { name, values, limit, isReached: median(values) <= limit };
  });
  const goals = [...categories, ...metrics];
  for (const { name, values, limit, isReached } of goals) {
    const all = values.map(format).join(" ");
    const verdict = isReached ? "" : "  MISSED";
    console.log(`  ${name.padEnd(26)} ${format(median(values))} of ${limit}  (${all})${verdict}`);
  }
  printLowAudits(reports);
  return goals.every(({ isReached }) => isReached);
}

/** Prints the audits that lower a score in most runs. */
function printLowAudits(reports: Report[]) {
  const [{ categories, audits } = { categories: {}, audits: {} }] = reports;
  const scored = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
  );
  for (const id of scored) {
    const percent = median(reports.map((report) => toPercent(report.audits[id]?.score ?? 1)));
    if (percent >= 95) continue;
    console.log(`  ${percent} ${audits[id]?.title} ${audits[id]?.displayValue}`);
  }
}

function toPercent(value: number | null | undefined): number {
  return Math.round((value ?? 0) * 100);
}

function format(value: number): string {
  return value < 1 ? value.toFixed(3) : value.toFixed(0);
}
