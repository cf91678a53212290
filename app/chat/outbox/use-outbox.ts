import { useEffect, useSyncExternalStore } from "react";

import { useTabState } from "#app/chat/chat-provider.tsx";
import {
  toInputId,
  type Message,
  type MessageError,
  type MessageResult,
  type UnsentMessage,
} from "#app/chat/message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { withLock } from "#app/http/browser-tabs.ts";
import { getStorage } from "#app/site/storage.ts";
import {
  createOutbox,
  EMPTY_OUTBOX,
  type ComposerInput,
  type Outbox,
  type OutboxState,
} from "./outbox.ts";
import { postMessage } from "#app/chat/post-message.ts";

export type Outboxes = ReturnType<typeof createOutboxes>;

/**
 * Creates the outboxes of a tab, one for each user. They outlive pages and sessions: a user who signs in again finds
 * what they typed, and another user does not.
 */
export function createOutboxes() {
  const byUid = new Map<string | undefined, Outbox>();
  const restored = new WeakSet<object>();

  function get(uid: string | undefined): Outbox {
    const outbox =
      byUid.get(uid) ??
      createOutbox({
        uid,
        // What a visitor types is not stored.
        storage: uid === undefined ? null : getStorage(),
        subscribe: (onChange) => {
          addEventListener("storage", onChange);
          // A page in the back/forward cache has missed what others have stored meanwhile.
          addEventListener("pageshow", onChange);
        },
        post: postMessage,
        // Without locks two tabs may send the same message, which the server stores once.
        withLock,
        wait: waitUntilOnline,
        now: Date.now,
        createId: createDocumentId,
      });
    byUid.set(uid, outbox);
    return outbox;
  }

  return {
    get,

    /** Restores a submitted message once, even if a user signs in on the page that shows it. */
    restore(
      uid: string | undefined,
      input: ComposerInput,
      submitted: MessageError | UnsentMessage,
    ): void {
      if (restored.has(submitted)) return;
      restored.add(submitted);
      get(uid).restore(input, submitted.status === "error" ? submitted : null);
    },
  };
}

/** @throws outside of `ChatProvider` */
export function useOutboxes(): Outboxes {
  return useTabState(createOutboxes);
}

interface UseOutboxOptions {
  /** The signed-in user. */
  uid: string | undefined;
  /** The id that the server chose for the next message. */
  nextId: string;
  /** What the page's action returned, if the page was submitted without scripts. */
  result: MessageResult | UnsentMessage | undefined;
  /** What was typed before the page was hydrated. */
  typed: string | undefined;
  /** The messages in the feed. */
  shown: Message[];
}

/**
 * Returns the outbox of the user and what is being sent. The composer reads what is being typed from the outbox itself, so
 * that typing does not render the panel again.
 */
export function useOutbox({ uid: signedInUid, nextId, result, typed, shown }: UseOutboxOptions) {
  const outboxes = useOutboxes();
  const submitted = result?.status === "sent" ? undefined : result;
  // A submitted message belongs to the user who wrote it, even if another one is signed in now.
  const uid = submitted?.uid ?? signedInUid;
  const outbox = outboxes.get(uid);
  const initial = toComposerInput(nextId, submitted);
  const submittedError = submitted?.status === "error" ? submitted : null;

  useEffect(() => {
    // Before the start, which adds it to what is stored.
    if (typed) outbox.setText(typed, initial);
    // oxlint-disable-next-line react/exhaustive-deps -- a second run would replace what the user has typed since
  }, []);

  useEffect(() => {
    if (submitted) outboxes.restore(uid, initial, submitted);
  }, [outboxes, uid, submitted, initial]);

  useEffect(() => {
    if (uid === undefined) return;
    // What a visitor typed becomes the user's once they sign in.
    const text = outboxes.get(undefined).clearText();
    if (text) outbox.appendText(text);
    if (uid === signedInUid) outbox.start();
  }, [outboxes, outbox, uid, signedInUid]);

  useEffect(() => {
    const own = shown.filter((message) => message.uid === uid);
    outbox.markShown(new Set(own.flatMap(({ id }) => [id, toInputId(id)])));
  }, [outbox, uid, shown]);

  const received = shown.findLast((message) => message.uid !== uid)?.id;
  // A message of another user has arrived, so the room can be reached again.
  useEffect(() => outbox.retryNow(), [outbox, received]);

  const hasInput = useOutboxState(outbox, ({ input }) => input !== null);
  const lastError = useOutboxState(outbox, ({ error }) => error);
  const entries = useOutboxState(outbox, (state) => state.entries);
  const sending = useOutboxState(outbox, (state) => state.sending);
  const delay = useOutboxState(outbox, (state) => state.delay);

  return {
    outbox,
    uid,
    /** The composer's content until something is typed on this page. */
    initial,
    error: hasInput ? lastError : (lastError ?? submittedError),
    entries,
    sending,
    delay,
  };
}

function useOutboxState<Part>(outbox: Outbox, select: (state: OutboxState) => Part): Part {
  return useSyncExternalStore(
    outbox.subscribe,
    () => select(outbox.getState()),
    () => select(EMPTY_OUTBOX),
  );
}

function toComposerInput(
  nextId: string,
  submitted: MessageError | UnsentMessage | undefined,
): ComposerInput {
  if (!submitted) return { id: nextId, text: "", returned: null };
  const { id, text } = submitted;
  if (submitted.status === "unsent") return { id, text, returned: null };
  return { id: nextId, text, returned: { id, text } };
}

/** Resolves after a while, or once the browser is online again. */
function waitUntilOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    function finish() {
      clearTimeout(timer);
      removeEventListener("online", finish);
      resolve();
    }
    const timer = setTimeout(finish, ms);
    addEventListener("online", finish);
  });
}
