import { useState } from "react";

import { createMessageId, type Draft, type Message } from "#app/schemas/message.ts";
import type { SendReply } from "./room-view.ts";

/** A message on its way. `storedId` is known once it has arrived. */
export interface Outgoing extends Draft {
  storedId: string | null;
}

export type Refusal = Extract<SendReply, { status: "refused" }>;

/**
 * Holds what is being written and what is on its way. Pressing Send empties the box at once; a refused
 * message comes back to it, under the id it was sent with, so that trying again makes no second one.
 */
export function useOutbox(nextId: string, reply: SendReply | undefined) {
  const initial = reply?.status === "refused" ? reply : null;
  const [draft, setDraft] = useState<Draft>({
    id: initial?.id ?? nextId,
    text: initial?.text ?? "",
  });
  const [refusal, setRefusal] = useState<Refusal | null>(initial);
  const [outgoing, setOutgoing] = useState<Outgoing[]>([]);

  function send() {
    setRefusal(null);
    setOutgoing((all) => [...all, { id: draft.id, text: draft.text.trim(), storedId: null }]);
    setDraft({ id: createMessageId(), text: "" });
  }

  function settle(id: string, answer: SendReply) {
    if (answer.status === "sent") {
      setOutgoing((all) =>
        all.map((one) => (one.id === id ? { ...one, storedId: answer.id } : one)),
      );
      return;
    }
    setOutgoing((all) => all.filter((one) => one.id !== id));
    setRefusal(answer);
    setDraft((current) =>
      current.text === ""
        ? { id: answer.id, text: answer.text }
        : { ...current, text: `${answer.text}\n${current.text}` },
    );
  }

  return {
    draft,
    refusal,
    send,
    settle,
    setText: (text: string) => setDraft((current) => ({ ...current, text })),
    /** What the feed does not show by itself yet. */
    pending: (messages: Message[]) => {
      const shown = new Set(messages.map(({ id }) => id));
      return outgoing.filter(({ id, storedId }) => !shown.has(storedId ?? id));
    },
  };
}
