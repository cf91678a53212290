import { useEffect, useSyncExternalStore } from "react";

import type { Message } from "#app/schemas/message.ts";
import { confirm, EMPTY_OUTBOX, forgive, getOutbox, send, subscribe, write } from "./outbox.ts";
import type { SendReply } from "./room-view.ts";

/**
 * Follows what is written and on its way. A page that came back with a refused message starts with it.
 *
 * @param nextId the id that the server chose for the next message
 */
export function useOutbox(nextId: string, reply: SendReply | undefined, shown: Message[]) {
  const state = useSyncExternalStore(subscribe, getOutbox, () => EMPTY_OUTBOX);
  const refused = reply?.status === "refused" ? reply : null;
  const draft = state.draft ?? { id: refused?.id ?? nextId, text: refused?.text ?? "" };

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
