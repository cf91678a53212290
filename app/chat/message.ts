import { isVisible } from "#app/http/visible-text.ts";

/** The one room there is. */
export const ROOM_ID = "general";

/** How many messages a page of the feed holds. */
export const PAGE_SIZE = 50;

/** In UTF-16 units. Rules may count characters instead, of which there are never more. */
export const MAX_TEXT_LENGTH = 4000;
export const MAX_NAME_LENGTH = 80;

/** The name of a person who has none. */
export const ANONYMOUS = "Anonymous";

/**
 * Returns a person's name as their messages and stories carry it, never cut through a character of two units. The rules
 * take no other, so `name` has to be that of the ID token it is sent with.
 */
export function fitName(name: string | null): string {
  if (name === null || !isVisible(name)) return ANONYMOUS;
  return name.slice(0, MAX_NAME_LENGTH).replace(/[\uD800-\uDBFF]$/, "");
}

/** The path of a room's messages, below the database's root. */
export function messagesPath(roomId: string): string {
  return `rooms/${roomId}/messages`;
}

/** A message on its way. */
export interface Draft {
  id: string;
  text: string;
}

/** A message as the feed shows it. */
export interface Message extends Draft {
  /** Whoever wrote it. */
  uid: string;
  displayName: string;
  /** An https address, or `null` for none. */
  photoURL: string | null;
  /** Milliseconds since the Unix epoch; `null` until the database has set it. */
  createdAt: number | null;
}

/** Returns the messages in the order of the feed: by time, those without a time last, ties by id. */
export function sortMessages(messages: readonly Message[]): Message[] {
  return messages.toSorted(
    (a, b) =>
      (a.createdAt ?? Infinity) - (b.createdAt ?? Infinity) ||
      (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
}
