import type { MessageError, MessageInput } from "#app/chat/message.ts";

/** A message on its way to the room. It is removed once the feed shows it. */
export interface OutboxEntry extends MessageInput {
  /** `failed`: the server has rejected it, and it is not sent again by itself. */
  status: "waiting" | "failed" | "sent";
  /** Why it has failed. */
  error?: MessageError;
  /** Set once sent: the id of the document, and when the response arrived, in milliseconds since the Unix epoch. */
  stored?: { id: string; at: number };
}

/** One user's outbox, as the tabs of a browser share it. */
export interface StoredOutbox {
  /** In the order in which the messages are sent. */
  entries: readonly OutboxEntry[];
  /** The unfinished text in the composer. */
  inputText: string;
}

export const EMPTY_STORED_OUTBOX: StoredOutbox = { entries: [], inputText: "" };

/** A sent message that the feed does not show within this time was deleted, or pushed out by newer ones. */
const SHOWN_WITHIN_MS = 5000;

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

/** Keeps a message that another tab sends again: it may be stored by then. */
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
 * Removes the messages that the feed shows, also those whose response was lost, and those it has not shown in time.
 *
 * @param shownIds the ids of the user's messages in the feed
 * @param now milliseconds since the Unix epoch
 */
export function removeShown(shownIds: ReadonlySet<string>, now: number): Change {
  const isExpired = ({ stored }: OutboxEntry) =>
    stored !== undefined && now - stored.at > SHOWN_WITHIN_MS;
  return (entries) => {
    const rest = entries.filter(
      (entry) => !shownIds.has(entry.stored?.id ?? entry.id) && !isExpired(entry),
    );
    return rest.length === entries.length ? entries : rest;
  };
}

function replace(id: string, change: (entry: OutboxEntry) => OutboxEntry): Change {
  return (entries) => entries.map((entry) => (entry.id === id ? change(entry) : entry));
}
