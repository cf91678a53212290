import {
  useNavigation,
  useRevalidator,
  useSearchParams,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { useEffect, useMemo, useRef, useState } from "react";

import { focusComposer } from "#app/chat/dock/focus-composer.ts";
import type { MessageResult, UnsentMessage } from "#app/chat/message.ts";
import { useOutboxes } from "#app/chat/outbox/use-outbox.ts";
import { isSyncingSession } from "#app/session/use-session-sync.ts";
import { isOffline, offlineMessage, type Offline } from "#app/site/offline.ts";
import { useHydrated } from "#app/ui/hydration.ts";
import { isAddressReplaced, useReplaceAddress } from "#app/ui/use-replace-address.ts";
import type { Autosave } from "#app/writing/autosave/autosave.ts";
import type { SaveStatus } from "#app/writing/autosave/state.ts";
import type { EditorActionData, EditorData } from "#app/writing/editor-data.ts";
import {
  ANNOUNCE_PARAM,
  isSameExceptTab,
  toCreatePath,
  type SideTab,
} from "#app/writing/side-tabs.ts";

interface EditorResults {
  /** For the editor. */
  actionData: EditorActionData | undefined;
  /** For the chat panel: a message that was sent or not, alone or with the story. */
  messageResult: MessageResult | UnsentMessage | undefined;
  /** Why the last form did not reach the server, and what to do. */
  offlineHint: string | undefined;
}

/** Splits the result of the Create page's action into what its parts show. */
export function useEditorResults(
  actionResult: EditorActionData | MessageResult | Offline | undefined,
): EditorResults {
  const offlineHint = useOfflineHint(actionResult);
  if (actionResult === undefined || isOffline(actionResult)) {
    return { actionData: undefined, messageResult: undefined, offlineHint };
  }
  return "result" in actionResult
    ? { actionData: actionResult, messageResult: actionResult.message, offlineHint }
    : { actionData: undefined, messageResult: actionResult, offlineHint };
}

/**
 * Returns why the last form did not reach the server, and what to do, which changes once the connection is back.
 *
 * @param actionData what the form's action returned
 */
function useOfflineHint(actionData: unknown): string | undefined {
  const [dataWhenOffline, setDataWhenOffline] = useState<unknown>();
  useEffect(() => {
    if (!isOffline(actionData)) return undefined;
    const onOnline = () => setDataWhenOffline(actionData);
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, [actionData]);
  if (!isOffline(actionData)) return undefined;
  return actionData === dataWhenOffline
    ? "You're back online. Try again."
    : offlineMessage(actionData);
}

/**
 * Returns the editor's data as they were last read: the draft while the same draft can't be read again, and everything
 * after the user has signed out elsewhere.
 */
export function useLastAvailable(editor: EditorData): EditorData {
  const [lastAvailable, setLastAvailable] = useState(editor);
  const isSignedOut = editor.uid === null;
  if (!isSignedOut && !editor.isUnavailable && editor !== lastAvailable) setLastAvailable(editor);
  if (isSignedOut) return lastAvailable;
  const isKnown =
    editor.isUnavailable &&
    !lastAvailable.isUnavailable &&
    lastAvailable.draft.id === editor.draft.id;
  return isKnown ? { ...editor, draft: lastAvailable.draft, isUnavailable: false } : editor;
}

/**
 * Puts the message about the published story into the composer, if the URL asks for it: on pages without scripts as the
 * returned message, otherwise below what has been typed, with the focus.
 */
export function useAnnouncement(
  { announcement, draft, uid }: EditorData,
  nextId: string,
): UnsentMessage | undefined {
  const outboxes = useOutboxes();
  const isHydrated = useHydrated();
  const [params] = useSearchParams();
  const isRequested = params.has(ANNOUNCE_PARAM);
  const replaceAddress = useReplaceAddress();

  useEffect(() => {
    if (!isRequested || announcement === null || uid === null) return;
    const outbox = outboxes.get(uid);
    const typed = outbox.getState().input?.text ?? "";
    if (!typed.includes(announcement)) outbox.appendText(announcement);
    void focusComposer();
    // A reload would add it again.
    replaceAddress(`${toCreatePath(draft.id, "room")}#room`);
  }, [isRequested, announcement, uid, draft.id, outboxes, replaceAddress]);

  return useMemo(
    () =>
      announcement === null || isHydrated
        ? undefined
        : { status: "unsent", id: nextId, text: announcement, uid: uid ?? undefined },
    [announcement, isHydrated, nextId, uid],
  );
}

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
