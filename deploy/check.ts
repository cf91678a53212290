import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { WRANGLER_ENV } from "#emulator/wrangler-env.ts";
import { checkFirebaseFiles } from "./firebase-files.ts";

// `npm run check:deploy` checks what can be checked without an account or a network: that wrangler bundles the
// functions of Pages and the Worker, and that Firebase's files have the form that firebase-tools expects. It needs a
// build, and exits with 1 when something is wrong.

const run = promisify(execFile);
const wrangler = join(
  createRequire(import.meta.url).resolve("wrangler/package.json"),
  "../bin/wrangler.js",
);
const folder = await mkdtemp(join(tmpdir(), "check-deploy-"));
const env = {
  ...process.env,
  ...WRANGLER_ENV,
  NODE_ENV: "production",
  // Prevents wrangler from writing to the user's home folder.
  WRANGLER_LOG_PATH: join(folder, "logs"),
  XDG_CONFIG_HOME: join(folder, "config"),
} satisfies NodeJS.ProcessEnv;

async function runWrangler(...args: string[]): Promise<void> {
  await run(process.execPath, [wrangler, ...args], { env });
}

const CHECKS: [string, () => Promise<void>][] = [
  [
    "The functions of Pages",
    () => runWrangler("pages", "functions", "build", "--outdir", join(folder, "pages")),
  ],
  [
    "The Worker",
    () =>
      runWrangler(
        ...["deploy", "--dry-run", "--config", "wrangler.worker.toml"],
        ...["--outdir", join(folder, "worker")],
      ),
  ],
  ["Firebase's files", () => checkFirebaseFiles(".")],
];

for (const [name, check] of CHECKS) {
  try {
    await check();
    console.log(`ok     ${name}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`WRONG  ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
await rm(folder, { recursive: true });
