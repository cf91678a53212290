import { useEffect, useSyncExternalStore } from "react";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { isVisible } from "#app/http/visible-text.ts";
import { useTabState } from "./chat-provider.tsx";
import {
  MAX_TEXT_LENGTH,
  type Message,
  type MessageError,
  type MessageInput,
  type MessageResult,
  type UnsentMessage,
} from "./message.ts";

const POST_TIMEOUT_MS = 30_000;

/** A stored message that the feed does not show within this time was deleted, or pushed out by newer ones. */
const SHOWN_WITHIN_MS = 5000;

const OFFLINE = "You seem to be offline. Nothing was lost; try again.";
const MAINTENANCE =
  "Inkglade is closed for maintenance. Nothing was lost; try again in a few minutes.";
const UNAVAILABLE = "We can't reach the room right now. Nothing was lost; try again.";

/** What is being typed. */
export interface ComposerInput extends MessageInput {
  /** The failed message that was put back into the composer. The same text is sent again under the same id. */
  returned: MessageInput | null;
}

/** A message that is being sent. It is removed once the feed shows it. */
export interface PendingMessage extends MessageInput {
  status: "waiting" | "sending" | "failed" | "sent";
  /** Set once stored: the id of the document, and when the answer arrived, in milliseconds since the Unix epoch. */
  stored?: { id: string; at: number };
  /** Whether the feed has shown it. */
  isShown: boolean;
}

export interface OutboxState {
  /** `null` until something is typed on this page. */
  input: ComposerInput | null;
  /** In the order in which the messages are sent. */
  queue: readonly PendingMessage[];
  /** Whether a message has failed: the others wait until it is sent again or discarded. */
  isPaused: boolean;
  error: MessageError | null;
}

const EMPTY_OUTBOX: OutboxState = { input: null, queue: [], isPaused: false, error: null };

export interface OutboxOptions {
  /** The user who writes the messages; `undefined` for a visitor. */
  uid: string | undefined;
  post: (message: MessageInput) => Promise<MessageResult>;
  now: () => number;
  createId: () => string;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Sends one user's messages, one after the other. A message keeps its id for every attempt, so that the server recognises
 * it if it has been stored already; another text gets another id.
 *
 * A failed message is put back into the composer if that is empty, or else stays at the head of the queue. Either way the
 * messages behind it wait, so that the room shows them in order.
 */
export function createOutbox({ uid, post, now, createId }: OutboxOptions) {
  let state = EMPTY_OUTBOX;
  const subscribers = new Set<() => void>();

  function update(change: Partial<OutboxState>): void {
    state = { ...state, ...change };
    for (const notify of subscribers) notify();
  }

  function createInput(): ComposerInput {
    return { id: createId(), text: "", returned: null };
  }

  function isEmpty(): boolean {
    return !state.input || state.input.text.trim() === "";
  }

  function sendNext(): void {
    const next = state.queue.find(({ status }) => status === "waiting");
    if (!next || state.isPaused || state.queue.some(({ status }) => status === "sending")) return;
    update({ queue: replace(state.queue, next.id, { status: "sending" }) });
    const { id, text } = next;
    void post({ id, text, uid }).then((result) => onResult(id, result));
  }

  function onResult(id: string, result: MessageResult): void {
    const message = state.queue.find((one) => one.id === id);
    if (!message) return;
    if (result.status === "sent") {
      const stored = { id: result.id, at: now() };
      update({ queue: withoutShown(replace(state.queue, id, { status: "sent", stored })) });
    } else if (message.isShown) {
      // The message was stored, and only the answer was lost.
      update({ queue: without(state.queue, id) });
    } else {
      fail(message, result);
    }
    sendNext();
  }

  function fail({ id, text }: PendingMessage, error: MessageError): void {
    const change = isEmpty()
      ? {
          input: { id: createId(), text, returned: { id, text } },
          queue: without(state.queue, id),
        }
      : { queue: replace(state.queue, id, { status: "failed" }) };
    update({ ...change, isPaused: true, error });
  }

  function resume(change: Partial<OutboxState> = {}): void {
    const queue = (change.queue ?? state.queue).map((one) =>
      one.status === "failed" ? { ...one, status: "waiting" as const } : one,
    );
    update({ ...change, queue, isPaused: false, error: null });
    sendNext();
  }

  return {
    subscribe: (notify: () => void): (() => void) => {
      subscribers.add(notify);
      return () => void subscribers.delete(notify);
    },

    getState: (): OutboxState => state,

    /** Starts with a message that was submitted without scripts. What has been typed since takes precedence. */
    restore(input: ComposerInput, error: MessageError | null): void {
      update({ input: state.input ?? input, error, isPaused: error !== null });
    },

    /** @param base the composer's content, if nothing has been typed on this page before */
    setText(text: string, base = createInput()): void {
      update({ input: { ...(state.input ?? base), text } });
    },

    /** Adds lines below what has been typed. */
    appendText(lines: string): void {
      const input = state.input ?? createInput();
      update({ input: { ...input, text: isEmpty() ? lines : `${input.text}\n${lines}` } });
    },

    /** Empties the composer, and returns the text that was in it. */
    clearText(): string {
      const text = isEmpty() ? "" : (state.input?.text ?? "");
      if (text) update({ input: null, error: null });
      return text;
    },

    /** Sends what has been typed, after the messages that wait, and empties the composer. */
    send(base = createInput()): void {
      const input = state.input ?? base;
      const text = input.text.trim();
      if (!isVisible(text)) return;
      if (text.length > MAX_TEXT_LENGTH) {
        const hint = `A message can have up to ${MAX_TEXT_LENGTH.toLocaleString("en")} characters.`;
        update({ input, error: toError(input, "invalid", hint) });
        return;
      }
      const { returned } = input;
      const id = returned?.text.trim() === text ? returned.id : input.id;
      const message = { id, text, status: "waiting", isShown: false } as const;
      // A message that was put back goes before those that wait, as it did before.
      const isNext = ({ status }: PendingMessage) => status === "waiting" || status === "failed";
      const next = returned ? state.queue.findIndex(isNext) : -1;
      resume({
        input: createInput(),
        queue: next < 0 ? [...state.queue, message] : state.queue.toSpliced(next, 0, message),
      });
    },

    /** Sends the messages that wait. A message that was put back and then deleted in the composer is discarded. */
    retry: (): void => resume(isEmpty() ? { input: createInput() } : {}),

    clearError: (): void => update({ error: null }),

    /** Updates the queue with the ids of the user's messages in the feed. A message counts as shown from then on. */
    markShown(shownIds: ReadonlySet<string>): void {
      const marked = state.queue.map((one) =>
        !one.isShown && shownIds.has(one.stored?.id ?? one.id) ? { ...one, isShown: true } : one,
      );
      const isExpired = ({ stored }: PendingMessage) =>
        stored !== undefined && now() - stored.at > SHOWN_WITHIN_MS;
      const queue = withoutShown(marked).filter((one) => !isExpired(one));

      const { input } = state;
      const hadFailed = state.queue.some(({ status }) => status === "failed");
      const hasFailed = queue.some(({ status }) => status === "failed");
      if (input?.returned && shownIds.has(input.returned.id)) {
        const isUnchanged = input.text === input.returned.text;
        resume({ queue, input: isUnchanged ? createInput() : { ...input, returned: null } });
      } else if (hadFailed && !hasFailed) {
        resume({ queue });
      } else if (
        queue.length !== state.queue.length ||
        queue.some((one, index) => one !== state.queue[index])
      ) {
        update({ queue });
      }
    },
  };
}

export type Outboxes = ReturnType<typeof createOutboxes>;

/**
 * Creates the outboxes of a tab, one for each user. They outlive pages and sessions: a user who signs in again finds what
 * they typed, and another user does not.
 */
export function createOutboxes() {
  const byUid = new Map<string | undefined, Outbox>();
  const restored = new WeakSet<object>();

  function get(uid: string | undefined): Outbox {
    const options = { uid, post: postMessage, now: Date.now, createId: createDocumentId };
    const outbox = byUid.get(uid) ?? createOutbox(options);
    byUid.set(uid, outbox);
    return outbox;
  }

  return {
    get,

    /** Restores a submitted message once, also if a user signs in on the page that shows it. */
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
  /** What the page's action answered, if the page was submitted without scripts. */
  result: MessageResult | UnsentMessage | undefined;
  /** The messages in the feed. */
  shown: Message[];
}

/** Returns what is being typed and sent, and the functions that change it. */
export function useOutbox({ uid: signedInUid, nextId, result, shown }: UseOutboxOptions) {
  const outboxes = useOutboxes();
  const submitted = result?.status === "sent" ? undefined : result;
  // A submitted message belongs to the user who wrote it, even if another one is signed in now.
  const uid = submitted?.uid ?? signedInUid;
  const outbox = outboxes.get(uid);
  const state = useSyncExternalStore(outbox.subscribe, outbox.getState, () => EMPTY_OUTBOX);
  const initial = toComposerInput(nextId, submitted);
  const input = state.input ?? initial;
  const submittedError = submitted?.status === "error" ? submitted : null;

  useEffect(() => {
    if (submitted) outboxes.restore(uid, initial, submitted);
    // oxlint-disable-next-line react/exhaustive-deps -- `initial` is new at every render
  }, [outboxes, uid, submitted]);

  useEffect(() => {
    if (uid === undefined) return;
    // What a visitor typed becomes the user's once they sign in.
    const text = outboxes.get(undefined).clearText();
    if (text) outbox.appendText(text);
  }, [outboxes, outbox, uid]);

  useEffect(() => {
    outbox.markShown(new Set(shown.filter((message) => message.uid === uid).map(({ id }) => id)));
  }, [outbox, uid, shown]);

  const isSending = state.queue.some(({ status }) => status !== "sent");
  return {
    uid,
    input,
    error: state.input ? state.error : submittedError,
    pending: state.queue.filter(({ isShown }) => !isShown),
    isPaused: state.isPaused,
    /** Whether messages wait behind one that is not in the composer. */
    canRetry: state.isPaused && isSending && !(input.returned && input.text.trim()),
    setText: (text: string) => outbox.setText(text, input),
    send: () => outbox.send(input),
    retry: outbox.retry,
    clearError: outbox.clearError,
  };
}

/** Sends a message by script. Never rejects: every failure becomes an error with the text. */
export async function postMessage(message: MessageInput): Promise<MessageResult> {
  const { id, text, uid } = message;
  const fields = { messageId: id, message: text, ...(uid !== undefined && { messageUid: uid }) };
  try {
    const response = await fetch("/rooms/general/messages", {
      method: "POST",
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(POST_TIMEOUT_MS),
    });
    const result: unknown = await response.json().catch(() => null);
    if (isMessageResult(result)) return result;
    const isMaintenance = response.status === 503 && response.headers.has("Retry-After");
    return toError(message, "unavailable", isMaintenance ? MAINTENANCE : UNAVAILABLE);
  } catch (error) {
    // `fetch` rejects with a `TypeError` for every network error.
    return toError(message, "unavailable", error instanceof TypeError ? OFFLINE : UNAVAILABLE);
  }
}

/** A proxy or captive portal may answer in place of our server. */
function isMessageResult(result: unknown): result is MessageResult {
  const isObject = typeof result === "object" && result !== null;
  return isObject && "status" in result && (result.status === "sent" || result.status === "error");
}

function toError({ id, text }: MessageInput, reason: MessageError["reason"], hint: string) {
  return { status: "error", reason, id, text, message: "Not sent.", hint } as const;
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

function replace(
  queue: readonly PendingMessage[],
  id: string,
  change: Pick<PendingMessage, "status" | "stored">,
): PendingMessage[] {
  return queue.map((one) => (one.id === id ? { ...one, ...change } : one));
}

function without(queue: readonly PendingMessage[], id: string): PendingMessage[] {
  return queue.filter((one) => one.id !== id);
}

/** Keeps a message whose answer is still to come: the next one must not overtake it. */
function withoutShown(queue: readonly PendingMessage[]): PendingMessage[] {
  return queue.filter(({ isShown, status }) => !isShown || status === "sending");
}
