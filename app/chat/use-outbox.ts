import { useEffect, useSyncExternalStore } from "react";

import type { Message } from "./message.ts";
import { EMPTY_OUTBOX, getOutbox, type Composed } from "./outbox.ts";
import type { SendReply, TypedMessage } from "./room-data.ts";

export interface OutboxUse {
  /** Who is signed in. */
  uid: string | undefined;
  /** The id that the server chose for the next message. */
  nextId: string;
  /** The message that the page came back with. */
  reply: SendReply | TypedMessage | undefined;
  /** The messages in the feed. */
  shown: Message[];
}

/** Messages that pages came back with. Each is taken up once, also if somebody signs in on that page. */
const opened = new WeakSet<object>();

/** Follows what is written and on its way. A page that came back with a message starts with it. */
export function useOutbox({ uid: signedIn, nextId, reply, shown }: OutboxUse) {
  const refused = reply?.status === "refused" ? reply : null;
  const typed = reply?.status === "typed" ? reply : refused;
  // A message that came back belongs to the person it was written for, also if somebody else is signed in by now.
  const uid = typed?.uid ?? signedIn;
  const outbox = getOutbox(uid);
  const state = useSyncExternalStore(outbox.subscribe, outbox.get, () => EMPTY_OUTBOX);
  const draft = state.draft ?? toComposed(nextId, typed, refused !== null);
  const isOpened = state.draft !== null;

  useEffect(() => {
    if (!typed || opened.has(typed)) return;
    opened.add(typed);
    outbox.open(toComposed(nextId, typed, refused !== null), refused);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each page that came back
  }, [outbox, typed]);

  useEffect(() => {
    if (uid === undefined) return;
    // The words of a visitor go along when they sign in.
    const words = getOutbox(undefined).takeDraft();
    if (words) outbox.addLines(words.text);
  }, [outbox, uid]);

  useEffect(() => {
    outbox.confirm(new Set(shown.filter((message) => message.uid === uid).map(({ id }) => id)));
  }, [outbox, uid, shown]);

  const hasWaiting = state.queue.some(({ status }) => status !== "sent");
  return {
    uid,
    draft,
    refusal: isOpened ? state.refusal : refused,
    pending: state.queue.filter(({ isShown }) => !isShown),
    isPaused: state.isPaused,
    /** Messages wait that nothing but this sends: the one that stopped them is not in the composer. */
    canSendAgain: state.isPaused && hasWaiting && !(draft.returned && draft.text.trim()),
    setText: (text: string) => outbox.write(text, draft),
    send: () => outbox.send(draft),
    sendAgain: outbox.sendAgain,
    forgive: outbox.forgive,
  };
}

function toComposed(
  nextId: string,
  typed: { id: string; text: string } | null,
  isRefused: boolean,
): Composed {
  if (!typed) return { id: nextId, text: "", returned: null };
  const { id, text } = typed;
  return isRefused ? { id: nextId, text, returned: { id, text } } : { id, text, returned: null };
}
