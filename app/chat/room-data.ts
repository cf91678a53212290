import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import type { Draft, Message } from "./message.ts";

/** The room as a page's loader saw it. */
export interface RoomView {
  /** Oldest first; `null` when the database did not answer. */
  messages: Message[] | null;
  /** The id of the message that the composer's form will send. */
  nextId: string;
  locale: Locale;
  /** Milliseconds since the Unix epoch, when the page was made. */
  now: number;
  firebase: FirebaseConfig;
}

/**
 * A message that was not stored: what was typed, and in words why. `held` by something else that had to go first,
 * `other-user` while somebody else is signed in than the person who wrote it.
 */
export interface Refusal extends TypedDraft {
  status: "refused";
  reason:
    | "unauthenticated"
    | "other-user"
    | "invalid"
    | "denied"
    | "unreachable"
    | "held"
    | "too-fast";
  message: string;
  hint?: string;
}

/** What the server answers to the composer. */
export type SendReply = { status: "sent"; id: string } | Refusal;

/** A message that was not to be sent yet, on a page that came back for something else. */
export interface TypedMessage extends TypedDraft {
  status: "typed";
}

/** What was typed in a composer. */
export interface TypedDraft extends Draft {
  /** The person it was written by, where the form says so. */
  uid?: string;
}
