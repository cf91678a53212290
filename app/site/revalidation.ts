import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

import { isAddressReplaced } from "#app/ui/use-replace-address.ts";
import { isOffline } from "./offline.ts";

/** The header of requests that revalidate a page. Remix itself sends none. */
export const REVALIDATION_HEADER = "X-Revalidation";

/** Whether a request revalidates a page that the user has open. */
export function isRevalidation({ headers }: Request): boolean {
  return headers.has(REVALIDATION_HEADER);
}

/** The parameter with the tab of a side panel. */
export const PANEL_PARAM = "panel";

/**
 * Revalidates as Remix does, with two exceptions: after a form that could not be sent, because an error would replace the
 * page; and when only the hash or the side panel changes, for example because Back closes the room.
 */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (isOffline(actionResult) || isAddressReplaced(nextUrl)) return false;
  const isSamePage = toAddress(currentUrl) === toAddress(nextUrl);
  if (isSamePage && currentUrl.href !== nextUrl.href && !formMethod) return false;
  return defaultShouldRevalidate;
}

function toAddress({ pathname, search }: URL): string {
  const query = new URLSearchParams(search);
  query.delete(PANEL_PARAM);
  return `${pathname}?${query}`;
}
