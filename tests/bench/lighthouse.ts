import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { chromium } from "@playwright/test";
import * as z from "zod";

import { findFreePort } from "#emulator/ports.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { startProduction } from "./production.ts";

// Prints Lighthouse's mobile scores of the production build, and the audits that lower them.

/**
 * Not a dependency, because it installs 200 packages that nothing else uses, and one of them only in its latest version,
 * which a lock file cannot pin.
 */
const LIGHTHOUSE = "lighthouse@12.8.2";
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** On a busy machine Lighthouse sometimes records nothing. */
const MAX_ATTEMPTS = 3;

const PATHS = ["/home", "/login", "/register", "/read/the-lamplighters-orchard"];
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

const score = z.number().nullable();
const reportSchema = z.object({
  categories: z.record(
    z.string(),
    z.object({ score, auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) }),
  ),
  audits: z.record(
    z.string(),
    z.object({ score, title: z.string(), displayValue: z.string().default("") }),
  ),
});

await using app = await startProduction();
const port = await findFreePort();
await using _browser = await chromium.launch({
  executablePath: requireChromium(),
  args: [`--remote-debugging-port=${port}`],
});
for (const path of PATHS) {
  const report = await measure(path);
  if (report) print(path, report);
  else
    console.log(`${path.padEnd(32)} Lighthouse could not load the page. Try on an idle machine.`);
}

async function measure(path: string) {
  const args = [app.url + path, `--port=${port}`, "--quiet", "--output=json"];
  args.push(`--only-categories=${CATEGORIES.join(",")}`);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const run = promisify(execFile)("npx", ["--yes", LIGHTHOUSE, ...args], {
      maxBuffer: MAX_REPORT_BYTES,
    });
    const report = await run.catch(() => null);
    if (report) return reportSchema.parse(JSON.parse(report.stdout));
  }
  return null;
}

function print(path: string, { categories, audits }: z.infer<typeof reportSchema>) {
  const scores = CATEGORIES.map((name) => `${name} ${toPercent(categories[name]?.score)}`);
  console.log(`${path.padEnd(32)} ${scores.join("  ")}`);

  const scored = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
  );
  for (const id of scored) {
    const audit = audits[id];
    if (!audit || audit.score === null || audit.score >= 0.95) continue;
    console.log(`  ${toPercent(audit.score)} ${audit.title} ${audit.displayValue}`);
  }
}

function toPercent(value: number | null | undefined): string {
  return typeof value === "number" ? String(Math.round(value * 100)).padStart(3) : "  ?";
}
