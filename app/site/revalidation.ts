import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

import { isAddressReplaced } from "#app/ui/use-replace-address.ts";
import { isOffline } from "./offline.ts";

/** Revalidates as Remix does, but not after a form that could not be sent: an error would replace the page. */
export function shouldRevalidate({
  nextUrl,
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (isOffline(actionResult) || isAddressReplaced(nextUrl)) return false;
  return defaultShouldRevalidate;
}
