import { parseArgs } from "node:util";

import { describeLaunchError, LaunchError } from "./launch-error.ts";
import { createStopSignal } from "./signals.ts";

/**
 * Runs a command and exits the process: with 0 when it is done or was asked to stop, with 1 and an error message when it
 * failed.
 */
export async function runCommand(command: (signal: AbortSignal) => Promise<void>): Promise<never> {
  const signal = createStopSignal();
  try {
    await command(signal);
  } catch (error) {
    if (!signal.aborted) {
      console.error(describeLaunchError(error));
      process.exit(1);
    }
  }
  // An open handle of a library would otherwise keep the process alive.
  process.exit(0);
}

/** The options of `npm start` and `npm run emulators`. */
export interface LaunchOptions {
  /** Keeps all data in memory. */
  memory: boolean;
}

/**
 * Reads the options that follow `--` on the command line of npm.
 *
 * @throws LaunchError naming one that does not exist
 */
export function readLaunchOptions(args: string[]): LaunchOptions {
  const { tokens } = parseArgs({
    args,
    options: { memory: { type: "boolean" } },
    strict: false,
    tokens: true,
  });
  const wrong = tokens.find(
    (token) => token.kind !== "option" || token.name !== "memory" || token.value !== undefined,
  );
  if (wrong !== undefined) {
    throw new LaunchError(`"${args[wrong.index]}" is not an option. The only one is --memory.`);
  }
  return { memory: tokens.length > 0 };
}
