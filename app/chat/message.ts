import type { FirebaseConfig } from "#app/firebase/config.ts";
import { isPhotoAddress } from "#app/http/picture-path.ts";
import { isVisible } from "#app/http/text.ts";
import type { ActionError, FailureReason } from "#app/session/action-result.ts";
import { MAX_NAME_LENGTH } from "#app/session/user.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { truncate } from "#app/ui/truncate.ts";
import type { OwnMute } from "./moderation/mute.ts";
import type { MessageIntent } from "./message-intents.ts";
import type { QuotedStories } from "./quotes/quoted-story.ts";
import type { RoomSubject, Topic } from "./quotes/topic.ts";

/** The number of messages that are loaded at a time. */
export const PAGE_SIZE = 50;

/** In UTF-16 units, as Google counts in `firestore.rules`. The emulator counts code points, which are never more. */
export const MAX_TEXT_LENGTH = 4000;

/** How long after it was sent a message can be edited. `firestore.rules` has the same limit. */
export const EDIT_WINDOW_MS = 15 * 60_000;

/**
 * The beginning of the ids of operators' messages, by which they are marked. `firestore.rules` lets nobody else use it, and a
 * message has no field for it.
 */
const OPERATOR_PREFIX = "op-";

/** Returns the id under which an operator's message is stored. */
export function toOperatorId(id: string): string {
  return OPERATOR_PREFIX + id;
}

/** Returns the id under which a message was submitted. */
export function toInputId(id: string): string {
  return isFromOperator({ id }) ? id.slice(OPERATOR_PREFIX.length) : id;
}

/** Whether a message was sent by an operator. */
export function isFromOperator({ id }: Pick<Message, "id">): boolean {
  return id.startsWith(OPERATOR_PREFIX);
}

/** The name of a user who has not chosen one. */
export const ANONYMOUS = "Anonymous";

/** A message that has not been sent. */
export interface MessageInput {
  /** Chosen by the form, so that a repeated submit does not create a second message. */
  id: string;
  text: string;
  /** The user who wrote it. The server rejects it while another user is signed in. */
  uid?: string | undefined;
  /** The id of the message that it replies to. */
  replyTo?: string | undefined;
}

/** A message in the feed. */
export interface Message {
  id: string;
  text: string;
  /** The sender. */
  uid: string;
  displayName: string;
  /** An https URL, the path of an uploaded picture, or `null`. */
  photoURL: string | null;
  /** Milliseconds since the Unix epoch, with microseconds as a fraction; `null` until Firestore has set it. */
  createdAt: number | null;
  isEdited?: boolean;
  /** What it is about, if the server has read it. */
  topic?: Topic | undefined;
}

/**
 * A message that was not stored, with the error to show. `draft-not-saved`: the story on the same page has to be saved
 * first.
 */
export interface MessageError
  extends MessageInput, ActionError<FailureReason | "draft-not-saved"> {}

/** After these errors the user has to sign in. */
export const SIGN_IN_REASONS = new Set<MessageError["reason"]>(["unauthenticated", "other-user"]);

/** The server's response when a message is sent. `id` is the stored document. */
export type MessageResult = { status: "sent"; id: string } | MessageError;

/** A message that was submitted with another form of the page, and is still to be sent. */
export interface UnsentMessage extends MessageInput {
  status: "unsent";
}

/** Consecutive messages of the room. */
export interface MessagePage {
  /** Oldest first. */
  messages: Message[];
  /** The cursor of the page before this one; `null` if there is none. */
  before: string | null;
}

/** What the chat panel needs from a page's loader. */
export interface RoomData {
  feed: ({ status: "loaded" } & MessagePage) | { status: "unavailable" };
  /** Whether the feed is an earlier page instead of the newest messages. Such a feed is not live. */
  isEarlier: boolean;
  /** What the messages that are shown and sent here are about: a story or a passage; `null` for all messages. */
  subject: RoomSubject | null;
  /**
   * The story of the page, and how many messages about it the user may read; `null` on pages without a story, or if they
   * can't be counted now.
   */
  talk: { story: string; count: number } | null;
  /** The stories that the messages are about. */
  stories: QuotedStories;
  /** The people whose messages are folded from the start. */
  hiddenUids: readonly string[];
  /** Why and until when the user may not post, as far as the server knows; `null` if they may. */
  mute: OwnMute | null;
  /** What the user has just done on a page of forms; `null` if nothing. */
  done: MessageIntent | null;
  /** The id of the next message that the composer sends. */
  nextId: string;
  locale: Locale;
  /** When the page was rendered, in milliseconds since the Unix epoch. */
  now: number;
  firebase: FirebaseConfig;
}

/** Whether a message can still be edited by its sender. */
export function isEditable({ createdAt }: Pick<Message, "createdAt">, now: number): boolean {
  return createdAt !== null && now < createdAt + EDIT_WINDOW_MS;
}

/**
 * Returns a user's name as their messages and stories show it: at most 80 UTF-16 units, never half a surrogate pair. The
 * rules accept only this name, so pass the one in the request's ID token.
 */
export function getPublicName(name: string | null): string {
  return name === null || !isVisible(name) ? ANONYMOUS : truncate(name, MAX_NAME_LENGTH);
}

/**
 * Reads a stored message. An invisible name becomes `Anonymous`, an invalid photo `null`. Returns `null` without a text or
 * a sender.
 *
 * @param createdAt as in `Message`
 */
export function readMessage(
  id: string,
  { text, uid, displayName, photoURL }: Record<string, unknown>,
  createdAt: number | null,
): Message | null {
  if (typeof text !== "string" || text === "") return null;
  if (typeof uid !== "string" || uid === "") return null;
  const name = typeof displayName === "string" ? displayName.trim() : "";
  return {
    id,
    text,
    uid,
    displayName: isVisible(name) ? name : ANONYMOUS,
    photoURL: isPhotoAddress(photoURL) ? photoURL : null,
    createdAt,
  };
}

type SentMessage = Pick<Message, "id" | "createdAt">;

/** Sorts messages for the feed. */
export function sortMessages(messages: readonly Message[]): Message[] {
  return messages.toSorted((a, b) => (isBefore(a, b) ? -1 : Number(isBefore(b, a))));
}

/** Whether a message comes before another in the feed: by time, then by id. Messages without a time come last. */
export function isBefore(a: SentMessage, b: SentMessage): boolean {
  const [aTime, bTime] = [a.createdAt ?? Infinity, b.createdAt ?? Infinity];
  return aTime < bTime || (aTime === bTime && a.id < b.id);
}
