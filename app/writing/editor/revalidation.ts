import { useNavigation, useRevalidator, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { useEffect, useRef } from "react";

import { isSyncingSession } from "#app/session/use-session-sync.ts";
import { isOffline } from "#app/site/offline.ts";
import { isAddressReplaced } from "#app/ui/use-replace-address.ts";
import type { Autosave } from "#app/writing/autosave/autosave.ts";
import type { SaveStatus } from "#app/writing/autosave/state.ts";
import { isSameExceptTab, type SideTab } from "#app/writing/side-tabs.ts";

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
  if (formData?.has("stay") || isOffline(actionResult)) return false;
  // Meanwhile the user may open another draft.
  if (isSyncingSession() && currentUrl.search === nextUrl.search) return false;
  if (isAddressReplaced(nextUrl) || isSameExceptTab(currentUrl, nextUrl)) return false;
  return defaultShouldRevalidate;
}

/**
 * Refreshes the side panel when the draft is saved for the first time, moved to the trash or restored.
 *
 * @param loadedAt changes whenever the page's data is loaded
 */
export function useRefreshAfterChange(
  autosave: Autosave | undefined,
  { revision, conflict }: SaveStatus,
  tab: SideTab | null,
  loadedAt: number,
) {
  const { revalidate } = useRevalidator();
  const isNavigating = useNavigation().state !== "idle";
  const isSaved = revision > 0;
  const isTrashed = conflict !== null && conflict.deletedAt !== null;
  const before = useRef<{ isSaved: boolean; isTrashed: boolean }>();
  const isDue = useRef(false);

  useEffect(() => {
    isDue.current = false;
  }, [loadedAt]);

  useEffect(() => {
    if (!autosave) return;
    const lastDraft = before.current;
    before.current = { isSaved, isTrashed };
    if (lastDraft && (lastDraft.isSaved !== isSaved || lastDraft.isTrashed !== isTrashed))
      isDue.current = true;
    // Not during a navigation, which a revalidation would abort and which usually loads the list. A navigation to
    // another tab loads nothing, but cancels a running revalidation, which therefore starts again.
    if (isDue.current && !isNavigating) revalidate();
  }, [autosave, isSaved, isTrashed, tab, isNavigating, revalidate]);
}
