import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

import { isAddressReplaced } from "#app/ui/use-replace-address.ts";

/**
 * Asks the server for a page again after a form, as Remix does, but not after one that did not reach
 * it: that would only turn the page into an error.
 */
export function shouldRevalidate({
  nextUrl,
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (isOffline(actionResult) || isAddressReplaced(nextUrl)) return false;
  return defaultShouldRevalidate;
}

function isOffline(result: unknown): boolean {
  return typeof result === "object" && result !== null && "offline" in result;
}
