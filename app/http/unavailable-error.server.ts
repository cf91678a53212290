/** A service did not respond: it timed out, failed or was overloaded. A write may or may not have happened. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}
