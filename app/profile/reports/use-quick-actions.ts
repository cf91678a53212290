import { useRevalidator } from "@remix-run/react";
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from "react";

import { useTabState } from "#app/chat/chat-provider.tsx";
import { postAction } from "#app/chat/message-actions.ts";
import { addSignOutTask } from "#app/session/sign-out-tasks.ts";
import {
  createQuickActions,
  EMPTY_STATE,
  type QuickActions,
  type QuickActionsState,
} from "./quick-actions.ts";

/** What the cards of the tab need. */
export interface QuickActionsValue {
  state: QuickActionsState;
  actions: QuickActions;
}

export const QuickActionsContext = createContext<QuickActionsValue | null>(null);

/** @throws outside of the tab */
export function useQuickActionsValue(): QuickActionsValue {
  const value = useContext(QuickActionsContext);
  if (!value) throw new Error("There are no reports");
  return value;
}

/** The actions outlive the page, so that the operator can undo them after visiting another one. */
function createForTab(): QuickActions {
  return createQuickActions({ post: postAction, now: Date.now });
}

/**
 * Returns the quick actions, and loads the reports again once something was done.
 *
 * @param reports what the loader has returned
 */
export function useQuickActions(reports: unknown): QuickActionsValue {
  const actions = useTabState(createForTab);
  const state = useSyncExternalStore(actions.subscribe, actions.getState, () => EMPTY_STATE);
  const { revalidate } = useRevalidator();
  const { done } = state;

  useEffect(() => {
    if (done.length > 0) revalidate();
  }, [done, revalidate]);

  useEffect(() => actions.forgetDone(), [actions, reports]);

  useEffect(() => {
    // Stays after the page, because something may still wait. Adding it again has no effect.
    window.addEventListener("pagehide", actions.flush);
    addSignOutTask(actions.flush);
  }, [actions]);

  return useMemo(() => ({ state, actions }), [state, actions]);
}
