import { useRevalidator } from "@remix-run/react";
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from "react";

import { useTabState } from "#app/chat/chat-provider.tsx";
import { postAction, createUndoQueue, type Undoable } from "#app/chat/message-actions.ts";
import { describeError, type FormError } from "#app/http/form.ts";
import { addSignOutTask } from "#app/session/sign-out-tasks.ts";

/** What an operator can do about a message without a confirmation. */
export type QuickAction = "delete" | "dismiss";

export interface QuickActionsState {
  /** What can still be undone or was sent, by the key of the reports. */
  queue: ReadonlyMap<string, Undoable>;
  /** The action of each key in the queue. */
  actions: ReadonlyMap<string, QuickAction>;
  /** The keys whose actions are done. They stay in the queue until the page has loaded the reports again. */
  done: readonly string[];
  error: FormError | null;
}

const EMPTY_STATE: QuickActionsState = {
  queue: new Map(),
  actions: new Map(),
  done: [],
  error: null,
};

const ERRORS: Record<QuickAction, string> = {
  delete: "We couldn't delete the message.",
  dismiss: "We couldn't dismiss the reports.",
};

export interface QuickActionsOptions {
  /** Posts a form. Never rejects. */
  post: typeof postAction;
  now: () => number;
}

/** Deletes messages and dismisses reports, each after a time in which the operator can undo it. */
export function createQuickActions({ post, now }: QuickActionsOptions) {
  let state = EMPTY_STATE;
  const subscribers = new Set<() => void>();
  /** The user on the page where each action was added. */
  const uids = new Map<string, string>();

  function update(change: Partial<QuickActionsState>): void {
    state = { ...state, ...change };
    for (const notify of subscribers) notify();
  }

  const queue = createUndoQueue({
    async send(key) {
      const action = state.actions.get(key) ?? "dismiss";
      const uid = uids.get(key) ?? "";
      const result = await post("/profile/reports", { action, message: key, uid });
      if (result.status === "done" || result.reason === "gone") {
        update({ done: [...state.done, key] });
        return true;
      }
      update({ error: { message: ERRORS[action], hint: describeError(result) } });
      return false;
    },
    now,
    onChange: (changed) => update({ queue: changed }),
  });

  return {
    subscribe: (notify: () => void): (() => void) => {
      subscribers.add(notify);
      return () => void subscribers.delete(notify);
    },

    getState: (): QuickActionsState => state,

    /** @param uid the user on the page */
    add(key: string, action: QuickAction, uid: string): void {
      if (state.queue.has(key)) return;
      uids.set(key, uid);
      update({ actions: new Map(state.actions).set(key, action), error: null });
      queue.add(key);
    },

    undo: queue.undo,

    /** Forgets what was done. Call it when the reports were loaded again: a message can be reported once more. */
    forgetDone(): void {
      const { done } = state;
      if (done.length === 0) return;
      for (const key of done) queue.remove(key);
      update({ done: [] });
    },

    /** Sends what could still be undone. Call it when the operator leaves the page or signs out. */
    flush: queue.flush,
  };
}

export type QuickActions = ReturnType<typeof createQuickActions>;

/** What the cards of the tab need. */
interface QuickActionsValue {
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
