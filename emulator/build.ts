import { createRequire } from "node:module";
import { join } from "node:path";

import { startChild } from "./child.ts";
import { LaunchError } from "./launch-error.ts";
import { aborted } from "./signals.ts";

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
  const child = startChild(process.execPath, [remix, "vite:build"], {
    env: { NODE_ENV: "production" },
    onOutput: collect,
    onError: collect,
  });
  const code = await Promise.race([child.exited, aborted(signal)]);
  await child.stop();
  signal.throwIfAborted();
  if (code !== 0) throw new LaunchError(`${output.join("\n")}\nThe build failed.`);
}
