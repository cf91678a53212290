import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

import { isSyncingSession } from "#app/session/use-session-sync.ts";
import { isOffline } from "#app/site/offline.ts";
import { isAddressReplaced } from "#app/ui/use-replace-address.ts";
import { isSameExceptTab } from "#app/writing/side-tabs.ts";

/**
 * Revalidates as Remix does, except when only the address or the tab of the side panel changes, after a form with the
 * field `stay`, such as a preview, and when the editor and its text would be replaced: after a form that could not be
 * sent, and after the user has signed out in the chat panel or in another tab.
 */
export function shouldRevalidate({
  formData,
  currentUrl,
  nextUrl,
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (formData?.has("stay") || isSyncingSession() || isOffline(actionResult)) return false;
  if (isAddressReplaced(nextUrl) || isSameExceptTab(currentUrl, nextUrl)) return false;
  return defaultShouldRevalidate;
}
