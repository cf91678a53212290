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
  if (isDiskFull(error)) {
    // Only an error of opening a file has its path.
    return error.path === undefined
      ? "The disk is full."
      : `The disk is full: ${error.path} cannot be written.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Whether Node.js could not write a file. */
export function isDiskFull(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && error.code === "ENOSPC";
}
