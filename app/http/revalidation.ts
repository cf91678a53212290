import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

import { isAddressReplaced } from "#app/ui/use-replace-address.ts";

/** Revalidates as Remix does, but not after a form that could not be sent: that would replace the page by an error. */
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
