import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/**
 * Asks the server for a page again after a form, as Remix does, but not after one that did not reach
 * it: that would only turn the page into an error.
 */
export function shouldRevalidate({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return isOffline(actionResult) ? false : defaultShouldRevalidate;
}

function isOffline(result: unknown): boolean {
  return typeof result === "object" && result !== null && "offline" in result;
}
