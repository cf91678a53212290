import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";
import * as z from "zod";

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
});

/** Remix 2 depends on older versions, which follow some redirects to other sites (CVE-2026-53668). */
test.each([
  ["@remix-run/router", [1, 23, 4]],
  ["react-router", [6, 30, 6]],
  ["react-router-dom", [6, 30, 6]],
] as const)("every installed %s is at least %j", async (name, minimum) => {
  const lock = lockSchema.parse(JSON.parse(await readFile("package-lock.json", "utf8")));
  const folders = Object.keys(lock.packages).filter((path) =>
    path.endsWith(`node_modules/${name}`),
  );
  const installed = await Promise.all(folders.map((path) => readVersion(`${path}/package.json`)));
  const locked = folders.map((path) => toNumbers(lock.packages[path]?.version ?? ""));

  expect(folders).not.toEqual([]);
  expect([...locked, ...installed].filter((version) => isOlder(version, minimum))).toEqual([]);
});

async function readVersion(manifest: string): Promise<number[]> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(manifest, "utf8")));
  return toNumbers(version);
}

function toNumbers(version: string): number[] {
  return version.split(".").map(Number);
}

function isOlder(version: number[], minimum: readonly number[]): boolean {
  const index = minimum.findIndex((number, at) => number !== version[at]);
  return index >= 0 && (version[index] ?? 0) < (minimum[index] ?? 0);
}
