import { useNavigation } from "@remix-run/react";
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from "react";

import { addSignOutTask } from "#app/session/sign-out-tasks.ts";
import { useTabState } from "./chat-provider.tsx";
import { readHiddenUids, writeHiddenUids } from "./hidden.ts";
import {
  createMessageActions,
  EMPTY_STATE,
  fetchHiddenUids,
  postAction,
  type MessageActions,
  type MessageActionsState,
} from "./message-actions.ts";
import type { Message } from "./message.ts";

/** What the menus of the messages need. */
export interface MessageActionsValue {
  /** The signed-in user; visitors can only copy. */
  uid: string | undefined;
  state: MessageActionsState;
  actions: MessageActions;
  /** Makes what is in the composer a reply to a message, and moves the focus there; absent if the user is muted. */
  reply: ((message: Message) => void) | undefined;
}

export const MessageActionsContext = createContext<MessageActionsValue | null>(null);

/** @throws outside of a chat panel */
export function useMessageActionsValue(): MessageActionsValue {
  const value = useContext(MessageActionsContext);
  if (!value) throw new Error("There is no chat panel");
  return value;
}

/** Creates the actions of each user of a tab. They outlive pages, so that a deletion can be undone on the next page. */
function createMessageActionsByUser() {
  const byUid = new Map<string | undefined, MessageActions>();
  return {
    get(uid: string | undefined, hiddenUids: readonly string[]): MessageActions {
      const actions = byUid.get(uid) ?? create(uid, hiddenUids);
      byUid.set(uid, actions);
      return actions;
    },
    cancelEdits: (): void => byUid.forEach((actions) => actions.cancelEdit()),
    flush: async (): Promise<void> => {
      await Promise.all([...byUid.values()].map((actions) => actions.flush()));
    },
  };
}

/**
 * Returns the user's actions on messages. Fetches the people they have hidden once the panel is open, and after the
 * profile has shown one of them again.
 *
 * @param hiddenUids the people that the page's loader has returned
 */
export function useMessageActions(
  uid: string | undefined,
  hiddenUids: readonly string[],
  isOpen: boolean,
): Omit<MessageActionsValue, "reply"> {
  const byUser = useTabState(createMessageActionsByUser);
  const actions = byUser.get(uid, hiddenUids);
  const initial = useMemo(
    () => ({ ...EMPTY_STATE, hiddenUids: new Set(hiddenUids) }),
    [hiddenUids],
  );
  const state = useSyncExternalStore(actions.subscribe, actions.getState, () => initial);

  // The profile shows somebody again.
  const isShowing = useNavigation().formData?.get("intent") === "show-person";

  useEffect(() => {
    if (uid === undefined || !isOpen || isShowing) return;
    void actions.loadHidden(() => fetchHiddenUids(uid));
  }, [actions, uid, isOpen, isShowing]);

  useEffect(() => {
    // Stays after the panel is closed, because deletions may still wait. Adding it again has no effect.
    window.addEventListener("pagehide", byUser.flush);
    addSignOutTask(byUser.flush);
  }, [byUser]);

  return useMemo(() => ({ uid, state, actions }), [uid, state, actions]);
}

/**
 * Returns the function that replaces the editor of a message by the composer, so that what is added there is seen. What was
 * typed into the editor is kept.
 */
export function useCancelEdits(): () => void {
  return useTabState(createMessageActionsByUser).cancelEdits;
}

function create(uid: string | undefined, hiddenUids: readonly string[]): MessageActions {
  return createMessageActions({
    uid,
    post: postAction,
    now: Date.now,
    hiddenUids: uid === undefined ? [] : [...readHiddenUids(uid), ...hiddenUids],
    onHiddenChange: (uids) => writeHiddenUids(uid, uids),
  });
}
