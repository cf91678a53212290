import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { startChild } from "./child.ts";
import { LaunchError } from "./launch-error.ts";
import { aborted } from "./signals.ts";

/** The folders whose files a build reads. It also reads files at the top. */
const FOLDERS = new Set(["app", "public"]);

/** Contains the hash of the files that the build was made from. */
const STAMP = "build/made-from";

/**
 * Builds the app for production. Prints nothing.
 *
 * @throws LaunchError with the whole output when the build fails
 */
export async function buildApp(signal: AbortSignal): Promise<void> {
  const require = createRequire(import.meta.url);
  const remix = join(require.resolve("@remix-run/dev/package.json"), "../dist/cli.js");
  const output: string[] = [];
  const collect = (line: string) => void output.push(line);
  const files = await describeFiles();
  await rm(STAMP, { force: true });
  const child = startChild(process.execPath, [remix, "vite:build"], {
    env: { NODE_ENV: "production" },
    onOutput: collect,
    onError: collect,
  });
  const code = await Promise.race([child.exited, aborted(signal)]);
  await child.stop();
  signal.throwIfAborted();
  if (code !== 0) throw new LaunchError(`${output.join("\n")}\nThe build failed.`);
  await writeFile(STAMP, files);
}

/** Returns whether `buildApp` has made a build since the last change of a file. */
export async function isBuilt(): Promise<boolean> {
  const stamp = await readFile(STAMP, "utf8").catch(() => undefined);
  return stamp !== undefined && stamp === (await describeFiles());
}

/** Returns a hash of the names, sizes and times of the files that a build depends on. */
async function describeFiles(): Promise<string> {
  const top = await readdir(".", { withFileTypes: true });
  const nested = await Promise.all(
    top
      .filter((entry) => entry.isDirectory() && FOLDERS.has(entry.name))
      .map(({ name }) => readdir(name, { withFileTypes: true, recursive: true })),
  );
  const paths = [...top, ...nested.flat()]
    // A log is often the output of this launcher.
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".log"))
    .map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.toSorted().map(async (path) => {
      const { size, mtimeMs } = await stat(path);
      return [path, size, mtimeMs];
    }),
  );
  return createHash("sha256").update(JSON.stringify(files)).digest("hex");
}
