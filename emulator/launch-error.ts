/** A failure that a person can act on: its message is the one sentence to show, without a stack. */
export class LaunchError extends Error {
  override name = "LaunchError";
}

/** Returns the sentence to show for anything thrown while starting or stopping servers. */
export function explain(error: unknown): string {
  if (error instanceof LaunchError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
