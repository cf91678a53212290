import { explain } from "./launch-error.ts";
import { watchForStop } from "./signals.ts";

/**
 * Runs a command to its end and leaves the process with 0 when it is done or was asked to stop, with 1 and a sentence
 * when it failed.
 */
export async function runCommand(command: (stop: AbortSignal) => Promise<void>): Promise<never> {
  const stop = watchForStop();
  try {
    await command(stop);
  } catch (error) {
    if (!stop.aborted) {
      console.error(explain(error));
      process.exit(1);
    }
  }
  // Not left to an empty event loop: what a library still holds must not keep the terminal.
  process.exit(0);
}
