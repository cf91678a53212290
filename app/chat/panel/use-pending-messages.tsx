import { useEffect, useMemo, useState } from "react";

import { focusComposer } from "#app/chat/dock/focus-composer.ts";
import { ANONYMOUS, type Message, type MessageError } from "#app/chat/message.ts";
import type { OutboxEntry } from "#app/chat/outbox/outbox-store.ts";
import type { Outbox, OutboxState } from "#app/chat/outbox/outbox.ts";
import { useMessageActionsValue } from "#app/chat/use-message-actions.ts";
import type { User } from "#app/session/user.ts";
import type { BubbleProps } from "./bubble.tsx";
import styles from "./message-list.module.css";

/** One of the user's messages on its way to the room. */
export interface PendingMessage extends Message {
  pending: Pick<BubbleProps, "status" | "isFailed" | "actions">;
}

interface UsePendingMessagesOptions {
  outbox: Outbox;
  entries: OutboxState["entries"];
  sending: OutboxState["sending"];
  /** Why messages wait. */
  waitsFor: MessageError["reason"] | undefined;
  /** The user who wrote them. */
  user: User | null;
}

/** Returns the user's messages on their way to the room, to show below those of the feed. */
export function usePendingMessages({
  outbox,
  entries,
  sending,
  waitsFor,
  user,
}: UsePendingMessagesOptions): readonly PendingMessage[] {
  const isSlow = useIsSlow(sending, Date.now);
  return useMemo(() => {
    const { uid = "", photoURL = null, displayName } = user ?? {};

    function describe({ id, status }: OutboxEntry): string | undefined {
      if (status === "sent") return undefined;
      if (status === "failed") return "Not sent";
      if (waitsFor) return waitsFor === "unavailable" ? "Waiting for connection" : "Waiting";
      return isSlow && sending?.id === id ? "Still sending…" : "Sending…";
    }

    return entries.map((entry) => ({
      id: entry.stored?.id ?? entry.id,
      text: entry.text,
      uid,
      displayName: displayName ?? ANONYMOUS,
      photoURL,
      createdAt: null,
      topic: entry.replyTo ? { number: null, replyTo: entry.replyTo } : undefined,
      pending: {
        status: describe(entry),
        isFailed: entry.status === "failed",
        actions: entry.status === "failed" ? <Actions id={entry.id} outbox={outbox} /> : null,
      },
    }));
  }, [outbox, entries, sending, waitsFor, user, isSlow]);
}

/** What the user can do about a message that the server has rejected. */
function Actions({ id, outbox }: { id: string; outbox: Outbox }) {
  const { actions } = useMessageActionsValue();

  function edit() {
    // The composer takes the place of the editor.
    actions.cancelEdit();
    outbox.edit(id);
    void focusComposer();
  }

  return (
    <div className={styles.actions}>
      <button type="button" onClick={() => outbox.retry(id)}>
        Retry
      </button>
      <button type="button" onClick={edit}>
        Edit
      </button>
      <button type="button" data-danger onClick={() => outbox.discard(id)}>
        Discard
      </button>
    </div>
  );
}

const SLOW_MS = 5000;

/**
 * Returns whether a message has been on its way for five seconds, even if the panel was opened only later.
 *
 * @param now returns milliseconds since the Unix epoch
 */
function useIsSlow(sending: OutboxState["sending"], now: () => number): boolean {
  const [slowMessage, setSlowMessage] = useState<OutboxState["sending"]>(null);
  useEffect(() => {
    if (!sending) return undefined;
    const timer = setTimeout(() => setSlowMessage(sending), sending.since + SLOW_MS - now());
    return () => clearTimeout(timer);
  }, [sending, now]);
  return sending !== null && sending === slowMessage;
}
