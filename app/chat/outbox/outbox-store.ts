import type { MessageInput } from "#app/chat/message.ts";
import { isReply } from "#app/chat/quotes/quote.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { openUnsentText, type ReadUnsentText } from "#app/site/unsent-text.ts";

/** A message on its way to the room. It is removed once the feed shows it. */
export interface OutboxEntry extends MessageInput {
  /** `failed`: the server has rejected it, and it is not sent again automatically. */
  status: "waiting" | "failed" | "sent";
  /** Messages are sent in this order. */
  order: number;
  /** Set once sent: the id of the document, and when the response arrived, in milliseconds since the Unix epoch. */
  stored?: { id: string; at: number };
}

/** What is typed in the editor of a stored message, until it is saved or cancelled. */
export interface UnfinishedEdit {
  /** The message's id. */
  id: string;
  /** Without the message's quote, which is not edited. */
  text: string;
  /** Highest for the one that was changed last. */
  order: number;
}

/** What is typed in the composer. */
export interface TypedInput {
  text: string;
  /** The id of the message that it answers. */
  replyTo?: string | undefined;
  /** The lines that repeat that message. They are not in the text. */
  answered?: string | undefined;
}

/**
 * Opens one user's unsent text, which the tabs of a browser share.
 *
 * @param storage `null` if nothing may be stored
 */
export function openOutboxStore(uid: string | undefined, storage: Storage | null) {
  return {
    messages: openKind(`inkglade.message.${uid}.`, readEntry, storage),
    edits: openKind(`inkglade.edit.${uid}.`, readEdit, storage),
    /** What is typed in the composers, by their user. */
    composer: openKind("inkglade.composer.", readTypedInput, storage),
  };
}

/** Opens unsent text of one kind. What the browser does not store is kept in this tab. */
function openKind<Value extends object>(
  prefix: string,
  read: ReadUnsentText<Value>,
  storage: Storage | null,
) {
  const stored = openUnsentText(prefix, read, storage);
  const unstored = new Map<string, Value>();
  return {
    get: (name: string): Value | null => unstored.get(name) ?? stored.get(name),
    list: (): Value[] => [...new Map([...stored.list(), ...unstored]).values()],
    set(name: string, value: Value): void {
      if (stored.set(name, value)) unstored.delete(name);
      else unstored.set(name, value);
    },
    remove(name: string): void {
      stored.remove(name);
      unstored.delete(name);
    },
    isStored: (name: string): boolean => stored.get(name) !== null,
    /** Whether everything survives the page. */
    isPersistent: (): boolean => unstored.size === 0,
  };
}

function readEntry(fields: Record<string, unknown>, id: string): OutboxEntry | null {
  const { text, status, order } = fields;
  const replyTo = typeof fields.replyTo === "string" ? fields.replyTo : undefined;
  if (typeof text !== "string" || typeof order !== "number") return null;
  if (status === "waiting" || status === "failed") return { id, text, replyTo, status, order };
  const stored = readStored(fields.stored);
  return status === "sent" && stored ? { id, text, replyTo, status, order, stored } : null;
}

function readStored(value: unknown): OutboxEntry["stored"] | null {
  const { id, at }: Record<string, unknown> = { ...(typeof value === "object" && value) };
  return typeof id === "string" && typeof at === "number" ? { id, at } : null;
}

function readEdit({ text, order }: Record<string, unknown>, id: string): UnfinishedEdit | null {
  return typeof text === "string" && typeof order === "number" ? { id, text, order } : null;
}

function readTypedInput(fields: Record<string, unknown>): TypedInput | null {
  const { text, replyTo, answered } = fields;
  if (typeof text !== "string") return null;
  const isAnswer = isDocumentId(replyTo) && typeof answered === "string" && isReply(answered);
  return isAnswer ? { text, replyTo, answered } : { text };
}
