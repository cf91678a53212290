import { createRequire } from "node:module";
import { join } from "node:path";

import { startChild } from "./child.ts";
import { LaunchError } from "./launch-error.ts";
import { aborted } from "./signals.ts";

/**
 * Builds the app for production, quietly.
 *
 * @throws LaunchError with all the build said, when it fails
 */
export async function buildApp(stop: AbortSignal): Promise<void> {
  const require = createRequire(import.meta.url);
  const remix = join(require.resolve("@remix-run/dev/package.json"), "../dist/cli.js");
  const output: string[] = [];
  const keep = (line: string) => void output.push(line);
  const child = startChild(process.execPath, [remix, "vite:build"], {
    env: { NODE_ENV: "production" },
    onOutput: keep,
    onError: keep,
  });
  const code = await Promise.race([child.exited, aborted(stop)]);
  await child.stop();
  stop.throwIfAborted();
  if (code !== 0) throw new LaunchError(`${output.join("\n")}\nThe build failed.`);
}
