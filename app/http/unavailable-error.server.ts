import { setPartial } from "./page-record.server.ts";

/** A service did not respond: it timed out, failed or was overloaded. A write may or may not have happened. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}

/**
 * Resolves with the `UnavailableError` instead of rejecting, for pages that are shown without the result. Such pages
 * are not cached.
 */
export async function catchUnavailable<Result>(
  promise: Promise<Result>,
): Promise<Result | UnavailableError> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    setPartial("unavailable");
    return error;
  }
}
