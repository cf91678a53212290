import type { MessageInput } from "#app/chat/message.ts";
import { append } from "./outbox-changes.ts";
import type { StoredInput, StoredOutbox, UnfinishedEdit } from "./outbox-store.ts";

/** What a tab is storing, or has just stored. */
export interface UnstoredOutbox extends Required<StoredInput> {
  /** The messages that are waiting to be sent. */
  waiting: readonly MessageInput[];
  /** Every unfinished edit; not set while the stored ones are not known yet. */
  edits?: readonly UnfinishedEdit[];
}

/** A tab's copy of what it is storing, because a reload aborts the transaction. Its functions are synchronous. */
export interface TabCopy {
  find: (uid: string) => UnstoredOutbox | undefined;
  set: (uid: string, outbox: UnstoredOutbox) => void;
  clear: (uid: string) => void;
}

/** Adds messages to a tab's copy: those that the user sends before the outbox is loaded. */
export function addWaiting(
  stored: UnstoredOutbox | undefined,
  waiting: readonly MessageInput[],
): UnstoredOutbox {
  // The stored text is not known yet. The negative time prevents `addUnstored` from replacing it.
  if (!stored) return { waiting, inputText: "", inputTime: -1 };
  return { ...stored, waiting: [...stored.waiting, ...waiting] };
}

/** Returns a change that adds a tab's copy to the stored outbox. The later of the two texts is used. */
export function addUnstored({ waiting, inputText, inputTime, edits }: UnstoredOutbox) {
  return (stored: StoredOutbox): StoredOutbox => ({
    ...stored,
    ...(inputTime >= (stored.inputTime ?? 0) && { inputText, inputTime }),
    ...(edits && { edits }),
    entries: waiting.reduce(
      (entries, { id, text }) => append({ id, text, status: "waiting" })(entries),
      stored.entries,
    ),
  });
}

/** Creates a copy in the session storage, which a tab keeps when it is reloaded. Browsers may block storage. */
export function createTabCopy(): TabCopy {
  const toKey = (uid: string) => `outbox:${uid}`;
  return {
    find(uid) {
      try {
        return parse(sessionStorage.getItem(toKey(uid)));
      } catch {
        return undefined;
      }
    },
    set(uid, outbox) {
      try {
        sessionStorage.setItem(toKey(uid), JSON.stringify(outbox));
      } catch {
        // Without storage a reload may lose the last keystrokes.
      }
    },
    clear(uid) {
      try {
        sessionStorage.removeItem(toKey(uid));
      } catch {
        // Without storage there is nothing to clear.
      }
    },
  };
}

/** Checks only the outer shape, because no other code writes these keys. */
function parse(json: string | null): UnstoredOutbox | undefined {
  const copy: unknown = JSON.parse(json ?? "null");
  const isCopy = typeof copy === "object" && copy !== null && "waiting" in copy;
  return isCopy ? (copy as UnstoredOutbox) : undefined;
}
