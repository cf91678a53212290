import { describeLaunchError } from "./launch-error.ts";
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
