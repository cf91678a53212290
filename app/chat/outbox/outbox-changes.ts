import type { MessageError } from "#app/chat/message.ts";
import type { OutboxEntry, UnfinishedEdit } from "./outbox-store.ts";

/** A sent message that the feed does not show within this time was deleted, or pushed out by newer ones. */
const SHOWN_WITHIN_MS = 5000;

/** How many unfinished edits are kept: the last ones. */
const MAX_EDITS = 10;

/*
 * Each change is made twice: at once in its tab, and then in the shared storage, where another tab may have made the same
 * change. So it must have the same result when it is repeated.
 */
type Change = (entries: readonly OutboxEntry[]) => readonly OutboxEntry[];

export function append(entry: OutboxEntry): Change {
  return (entries) => (entries.some(({ id }) => id === entry.id) ? entries : [...entries, entry]);
}

export function remove(id: string): Change {
  return (entries) => entries.filter((entry) => entry.id !== id);
}

/** Removes a failed message. It stays if another tab is sending it again, because the server may have stored it by then. */
export function removeFailed(id: string): Change {
  return (entries) => entries.filter((entry) => entry.id !== id || entry.status !== "failed");
}

export function markWaiting(id: string): Change {
  return replace(id, ({ text }) => ({ id, text, status: "waiting" }));
}

export function markFailed(id: string, error: MessageError): Change {
  return replace(id, ({ text }) => ({ id, text, status: "failed", error }));
}

export function markSent(id: string, stored: { id: string; at: number }): Change {
  return replace(id, ({ text }) => ({ id, text, status: "sent", stored }));
}

/**
 * Removes the messages that the feed shows, even those whose response was lost, and those it has not shown in time.
 *
 * @param shownIds the ids of the user's messages in the feed
 * @param now milliseconds since the Unix epoch
 */
export function removeShown(shownIds: ReadonlySet<string>, now: number): Change {
  const isExpired = ({ stored }: OutboxEntry) =>
    stored !== undefined && now - stored.at > SHOWN_WITHIN_MS;
  return (entries) => {
    const remaining = entries.filter(
      (entry) => !shownIds.has(entry.stored?.id ?? entry.id) && !isExpired(entry),
    );
    return remaining.length === entries.length ? entries : remaining;
  };
}

/** @param text `null` removes the edit */
export function setEdit(id: string, text: string | null) {
  return (edits: readonly UnfinishedEdit[] = []): readonly UnfinishedEdit[] => {
    const others = edits.filter((edit) => edit.id !== id);
    return text === null ? others : [...others, { id, text }].slice(-MAX_EDITS);
  };
}

function replace(id: string, change: (entry: OutboxEntry) => OutboxEntry): Change {
  return (entries) => entries.map((entry) => (entry.id === id ? change(entry) : entry));
}
