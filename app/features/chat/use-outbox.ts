import { useEffect, useSyncExternalStore } from "react";

import type { Message } from "#app/schemas/message.ts";
import { confirm, EMPTY_OUTBOX, forgive, getOutbox, send, subscribe, write } from "./outbox.ts";
import type { SendReply, TypedMessage } from "./room-view.ts";

/**
 * Follows what is written and on its way. A page that came back with a message starts with it.
 *
 * @param nextId the id that the server chose for the next message
 */
export function useOutbox(
  nextId: string,
  reply: SendReply | TypedMessage | undefined,
  shown: Message[],
) {
  const state = useSyncExternalStore(subscribe, getOutbox, () => EMPTY_OUTBOX);
  const refused = reply?.status === "refused" ? reply : null;
  const typed = reply?.status === "typed" ? reply : refused;
  const draft = state.draft ?? { id: typed?.id ?? nextId, text: typed?.text ?? "" };

  useEffect(() => confirm(new Set(shown.map(({ id }) => id))), [shown]);

  return {
    draft,
    refusal: state.draft ? state.refusal : refused,
    pending: state.outgoing.filter(({ isShown }) => !isShown),
    setText: (text: string) => write({ id: draft.id, text }),
    send: () => send(draft),
    forgive: () => forgive(draft),
  };
}
