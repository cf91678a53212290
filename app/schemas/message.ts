import * as z from "zod";

/** The one room there is. */
export const ROOM_ID = "general";

/** How many messages a page of the feed holds. */
export const PAGE_SIZE = 50;

/** In UTF-16 units, as the rules count. */
export const MAX_TEXT_LENGTH = 4000;
export const MAX_NAME_LENGTH = 80;

/** The name of whoever has none. */
export const ANONYMOUS = "Anonymous";

/** The path of a room's messages, below the database's root. */
export function messagesPath(roomId: string): string {
  return `rooms/${roomId}/messages`;
}

/** Returns a new id for a message: 20 letters and digits, as Firestore's own. */
export function createMessageId(): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(
    crypto.getRandomValues(new Uint8Array(20)),
    (byte) => letters[byte % letters.length],
  ).join("");
}

/** A message as the composer's form sends it. The form chooses the id, so a repeated submit is no second message. */
export const draftSchema = z.object({
  id: z.string("The form is incomplete. Reload the page and send again.").regex(/^[\w-]{20,36}$/, {
    error: "The form is incomplete. Reload the page and send again.",
  }),
  text: z
    .string("Type a message first.")
    .trim()
    .min(1, "Type a message first.")
    .max(
      MAX_TEXT_LENGTH,
      `A message holds at most ${MAX_TEXT_LENGTH.toLocaleString("en")} characters.`,
    ),
});

export type Draft = z.infer<typeof draftSchema>;

/** The exact fields of a stored message, but for `createdAt`, which the server of the database sets. */
export const messageFieldsSchema = z.strictObject({
  text: z.string().max(MAX_TEXT_LENGTH).regex(/\S/),
  uid: z.string().min(1),
  displayName: z.string().max(MAX_NAME_LENGTH),
  photoURL: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .nullable(),
});

export type MessageFields = z.infer<typeof messageFieldsSchema>;

/** A message as the feed shows it. */
export interface Message extends MessageFields {
  id: string;
  /** Milliseconds since the Unix epoch; `null` until the database has set it. */
  createdAt: number | null;
}

/**
 * Reads a stored document leniently: a name that is missing or blank becomes `Anonymous`, a photo that
 * is no https address becomes none. Anything without a text or a sender is no message.
 */
export const storedMessageSchema = z.object({
  id: z.string(),
  text: z.string().min(1),
  uid: z.string().min(1),
  displayName: z.string().trim().min(1).catch(ANONYMOUS),
  photoURL: messageFieldsSchema.shape.photoURL.catch(null),
  createdAt: z.number().nullable(),
});

/** Returns the messages in the order of the feed: by time, those without a time last, ties by id. */
export function sortMessages(messages: readonly Message[]): Message[] {
  return messages.toSorted(
    (a, b) =>
      (a.createdAt ?? Infinity) - (b.createdAt ?? Infinity) ||
      (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
}
