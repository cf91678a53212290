/** An error that the user can fix. Its message is shown without a stack trace. */
export class LaunchError extends Error {
  override name = "LaunchError";
}

/** The data of an earlier run cannot be read. */
export class SavedDataError extends LaunchError {
  override name = "SavedDataError";
}

/** Returns the text to print for an error thrown while starting or stopping servers. */
export function describeLaunchError(error: unknown): string {
  if (error instanceof LaunchError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
