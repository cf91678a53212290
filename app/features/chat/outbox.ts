import { createDocumentId } from "#app/schemas/document-id.ts";
import { MAX_TEXT_LENGTH, type Draft } from "#app/schemas/message.ts";
import { postMessage } from "./post-message.ts";
import type { Refusal, SendReply } from "./room-view.ts";

/** A stored message that the feed has not shown by then was taken away, or pushed out by newer ones. */
const FORGET_AFTER_MS = 5000;

/** A message on its way. */
export interface Outgoing extends Draft {
  /** Once it has arrived: under which id, and when, in milliseconds since the Unix epoch. */
  stored?: { id: string; at: number };
  /** The feed has shown it. */
  isShown: boolean;
}

interface OutboxState {
  /** What is being written; `null` until somebody has typed on this page. */
  draft: Draft | null;
  refusal: Refusal | null;
  outgoing: readonly Outgoing[];
}

export const EMPTY_OUTBOX: OutboxState = { draft: null, refusal: null, outgoing: [] };

// It outlives the panels: whoever goes on to another page finds there what they wrote, and what became of it.
let state = EMPTY_OUTBOX;
let delivery: Promise<void> = Promise.resolve();
const subscribers = new Set<() => void>();

function update(change: Partial<OutboxState>): void {
  state = { ...state, ...change };
  for (const notify of subscribers) notify();
}

/** For `useSyncExternalStore`. */
export function subscribe(notify: () => void): () => void {
  subscribers.add(notify);
  return () => void subscribers.delete(notify);
}

/** Returns what is written and on its way in this browser tab. */
export function getOutbox(): OutboxState {
  return state;
}

/** Replaces what is written. */
export function write(draft: Draft): void {
  update({ draft });
}

/** Takes back what was said against the last message, which goes on being written. */
export function forgive(draft: Draft): void {
  update({ draft, refusal: null });
}

/** Adds lines below what is written. */
export function addLines(lines: string): void {
  const { id, text } = state.draft ?? { id: createDocumentId(), text: "" };
  write({ id, text: text.trim() === "" ? lines : `${text}\n${lines}` });
}

/** Sends what is written, after whatever was sent before. The box is empty at once. */
export function send(draft: Draft): void {
  const text = draft.text.trim();
  if (text.length > MAX_TEXT_LENGTH) {
    const hint = `A message holds at most ${MAX_TEXT_LENGTH.toLocaleString("en")} characters.`;
    const refusal = { ...draft, status: "refused", reason: "invalid" } as const;
    update({ refusal: { ...refusal, message: "Not sent.", hint } });
    return;
  }
  const message = { id: draft.id, text };
  update({
    draft: { id: createDocumentId(), text: "" },
    refusal: null,
    outgoing: [...state.outgoing, { ...message, isShown: false }],
  });
  delivery = delivery.then(async () => settle(message.id, await postMessage(message)));
}

/** A refused message goes back into the box, under its own id if it is alone there: trying again makes no second one. */
function settle(id: string, reply: SendReply): void {
  if (reply.status === "sent") {
    const stored = { id: reply.id, at: Date.now() };
    const outgoing = state.outgoing.map((one) => (one.id === id ? { ...one, stored } : one));
    update({ outgoing: outgoing.filter((one) => !(one.stored && one.isShown)) });
    return;
  }
  const isAlone = !state.draft?.text;
  const written = state.draft ?? { id: createDocumentId(), text: "" };
  update({
    outgoing: state.outgoing.filter((one) => one.id !== id),
    refusal: reply,
    draft: isAlone
      ? { id: reply.id, text: reply.text }
      : { id: written.id, text: `${written.text}\n${reply.text}` },
  });
}

/** Takes note of what the feed shows: what it has shown once is its own from then on. */
export function confirm(shownIds: ReadonlySet<string>): void {
  const noted = state.outgoing.map((one) =>
    shownIds.has(one.stored?.id ?? one.id) ? { ...one, isShown: true } : one,
  );
  const isOver = ({ stored, isShown }: Outgoing) =>
    stored !== undefined && (isShown || Date.now() - stored.at > FORGET_AFTER_MS);
  const outgoing = noted.filter((one) => !isOver(one));
  const isChanged =
    outgoing.length !== state.outgoing.length ||
    outgoing.some((one, index) => one !== state.outgoing[index]);
  if (isChanged) update({ outgoing });
}
