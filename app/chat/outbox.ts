import { createDocumentId } from "#app/firebase/document-id.ts";
import { isVisible } from "#app/http/visible-text.ts";
import { MAX_TEXT_LENGTH, type Draft } from "./message.ts";
import { postMessage, type MessagePost } from "./post-message.ts";
import type { Refusal, SendReply } from "./room-data.ts";

/** A stored message that the feed has not shown by then was deleted, or pushed out by newer ones. */
const FORGET_AFTER_MS = 5000;

/** What is being written. */
export interface Composed extends Draft {
  /** The failed message that came back into the composer. Its own text is sent again under its own id. */
  returned: Draft | null;
}

/** A message on its way. It leaves the queue once the feed shows it. */
export interface Queued extends Draft {
  status: "waiting" | "sending" | "failed" | "sent";
  /** Once it has arrived: under which id, and when, in milliseconds since the Unix epoch. */
  stored?: { id: string; at: number };
  /** The feed has shown it. */
  isShown: boolean;
}

export interface OutboxState {
  /** `null` until somebody has typed on this page. */
  draft: Composed | null;
  /** In the order in which they were sent, which is the order in which they are posted. */
  queue: readonly Queued[];
  /** A message has failed: those behind it wait until it is sent again or given up. */
  isPaused: boolean;
  refusal: Refusal | null;
}

export const EMPTY_OUTBOX: OutboxState = { draft: null, queue: [], isPaused: false, refusal: null };

export interface OutboxOptions {
  /** Whose messages they are. Nothing is posted for anybody else. */
  uid: string | undefined;
  post: (message: MessagePost) => Promise<SendReply>;
  now: () => number;
  createId: () => string;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Posts one person's messages, one after the other. A message keeps its id for every attempt, so that the server
 * recognises one that has arrived already, and never shares it with other words.
 *
 * A failed message returns to the composer if that is empty, else it stays at the head of the queue. Either way the
 * messages behind it wait, so that the room never gets them out of order.
 */
export function createOutbox({ uid, post, now, createId }: OutboxOptions) {
  let state = EMPTY_OUTBOX;
  const subscribers = new Set<() => void>();

  function update(change: Partial<OutboxState>): void {
    state = { ...state, ...change };
    for (const notify of subscribers) notify();
  }

  function newDraft(): Composed {
    return { id: createId(), text: "", returned: null };
  }

  function isEmpty(): boolean {
    return !state.draft || state.draft.text.trim() === "";
  }

  function postNext(): void {
    const next = state.queue.find(({ status }) => status === "waiting");
    if (!next || state.isPaused || state.queue.some(({ status }) => status === "sending")) return;
    update({ queue: replace(state.queue, next.id, { status: "sending" }) });
    const { id, text } = next;
    void post({ id, text, uid }).then((reply) => settle(id, reply));
  }

  function settle(id: string, reply: SendReply): void {
    const message = state.queue.find((one) => one.id === id);
    if (!message) return;
    if (reply.status === "sent") {
      const stored = { id: reply.id, at: now() };
      update({ queue: withoutShown(replace(state.queue, id, { status: "sent", stored })) });
    } else if (message.isShown) {
      // Only the answer was lost.
      update({ queue: without(state.queue, id) });
    } else {
      fail(message, reply);
    }
    postNext();
  }

  function fail({ id, text }: Queued, refusal: Refusal): void {
    const change = isEmpty()
      ? {
          draft: { id: createId(), text, returned: { id, text } },
          queue: without(state.queue, id),
        }
      : { queue: replace(state.queue, id, { status: "failed" }) };
    update({ ...change, isPaused: true, refusal });
  }

  /** What stopped the queue is over. */
  function resume(change: Partial<OutboxState> = {}): void {
    const queue = (change.queue ?? state.queue).map((one) =>
      one.status === "failed" ? { ...one, status: "waiting" as const } : one,
    );
    update({ ...change, queue, isPaused: false, refusal: null });
    postNext();
  }

  return {
    uid,

    /** For `useSyncExternalStore`. */
    subscribe: (notify: () => void): (() => void) => {
      subscribers.add(notify);
      return () => void subscribers.delete(notify);
    },

    get: (): OutboxState => state,

    /** Starts with the message that a page came back with. What has been typed since counts more. */
    open(draft: Composed, refusal: Refusal | null): void {
      update({ draft: state.draft ?? draft, refusal, isPaused: refusal !== null });
    },

    /**
     * Replaces what is written.
     *
     * @param base what the composer held, where nothing was typed on this page before
     */
    write(text: string, base = newDraft()): void {
      update({ draft: { ...(state.draft ?? base), text } });
    },

    /** Adds lines below what is written. */
    addLines(lines: string): void {
      const draft = state.draft ?? newDraft();
      const text = isEmpty() ? lines : `${draft.text}\n${lines}`;
      update({ draft: { ...draft, text } });
    },

    /** Takes what is written out of the composer, for another outbox. */
    takeDraft(): Composed | null {
      const { draft } = state;
      if (isEmpty()) return null;
      update({ draft: null, refusal: null });
      return draft;
    },

    /** Sends what is written, after what was sent before. The composer is empty at once. */
    send(base = newDraft()): void {
      const draft = state.draft ?? base;
      const text = draft.text.trim();
      if (!isVisible(text)) return;
      if (text.length > MAX_TEXT_LENGTH) {
        update({ draft, refusal: refuseLength(draft) });
        return;
      }
      const { returned } = draft;
      const id = returned?.text.trim() === text ? returned.id : draft.id;
      const message = { id, text, status: "waiting", isShown: false } as const;
      // What came back was the first of those that wait.
      const isNext = ({ status }: Queued) => status === "waiting" || status === "failed";
      const next = returned ? state.queue.findIndex(isNext) : -1;
      resume({
        draft: newDraft(),
        queue: next < 0 ? [...state.queue, message] : state.queue.toSpliced(next, 0, message),
      });
    },

    /** Sends the messages that wait. One that came back into the composer and was deleted there is given up. */
    sendAgain: (): void => resume(isEmpty() ? { draft: newDraft() } : {}),

    /** Clears the refusal, for a person who has signed in again. */
    forgive: (): void => update({ refusal: null }),

    /** Takes note of the person's messages in the feed: what it has shown once is its own from then on. */
    confirm(shownIds: ReadonlySet<string>): void {
      const noted = state.queue.map((one) =>
        !one.isShown && shownIds.has(one.stored?.id ?? one.id) ? { ...one, isShown: true } : one,
      );
      const isForgotten = ({ stored }: Queued) =>
        stored !== undefined && now() - stored.at > FORGET_AFTER_MS;
      const queue = withoutShown(noted).filter((one) => !isForgotten(one));

      const { draft } = state;
      const isReturnedShown = draft?.returned ? shownIds.has(draft.returned.id) : false;
      const hadFailed = state.queue.some(({ status }) => status === "failed");
      const hasFailed = queue.some(({ status }) => status === "failed");
      if (isReturnedShown && draft?.returned) {
        const isUntouched = draft.text === draft.returned.text;
        resume({ queue, draft: isUntouched ? newDraft() : { ...draft, returned: null } });
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

/** By uid; the visitor's is under the empty string. */
const outboxes = new Map<string, Outbox>();

/**
 * Returns the outbox of a person in this tab. It outlives the pages they open and their session, so that they find what
 * they wrote after signing in again, and nobody else does.
 */
export function getOutbox(uid: string | undefined): Outbox {
  const known = outboxes.get(uid ?? "");
  if (known) return known;
  const outbox = createOutbox({
    uid,
    post: postMessage,
    now: Date.now,
    createId: createDocumentId,
  });
  // The server's module serves everybody.
  if (typeof document !== "undefined") outboxes.set(uid ?? "", outbox);
  return outbox;
}

function replace(
  queue: readonly Queued[],
  id: string,
  change: Pick<Queued, "status" | "stored">,
): Queued[] {
  return queue.map((one) => (one.id === id ? { ...one, ...change } : one));
}

function without(queue: readonly Queued[], id: string): Queued[] {
  return queue.filter((one) => one.id !== id);
}

/** The answer to one that is being sent is waited for all the same: the next must not overtake it. */
function withoutShown(queue: readonly Queued[]): Queued[] {
  return queue.filter(({ isShown, status }) => !isShown || status === "sending");
}

function refuseLength({ id, text }: Draft): Refusal {
  const hint = `A message can have up to ${MAX_TEXT_LENGTH.toLocaleString("en")} characters.`;
  return { id, text, status: "refused", reason: "invalid", message: "Not sent.", hint };
}
