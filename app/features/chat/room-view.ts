import type { Clock } from "#app/schemas/clock.ts";
import type { FirebaseConfig } from "#app/schemas/firebase-config.ts";
import type { Message } from "#app/schemas/message.ts";

/** The room as a page's loader saw it. */
export interface RoomView {
  /** Oldest first; `null` when the database did not answer. */
  messages: Message[] | null;
  /** The id of the message that the composer's form will send. */
  nextId: string;
  clock: Clock;
  /** Milliseconds since the Unix epoch, when the page was made. */
  now: number;
  firebase: FirebaseConfig;
}

/** What a page answers to the composer. A refusal brings back what was typed. */
export type SendReply =
  | { status: "sent"; id: string }
  | { status: "refused"; id: string; text: string; message: string; hint?: string };
