import type { Subject } from "./quote.ts";

/**
 * What a message is about. Stored beside the message, which has exactly five fields. The first lines of the message say it
 * too, but cannot be searched, and do not say how far the sender had read.
 */
export interface Topic {
  /**
   * The number of the paragraph that it is about, counted from 0: the quoted one, or the one that the sender had reached in
   * the story. `null` if unknown.
   */
  number: number | null;
  /** The id of the message that it replies to. */
  replyTo: string | null;
  /** Whether that message has been deleted, as far as it is known. Not stored. */
  isOriginalDeleted?: boolean;
}

/** The topics of messages, by the message's id. */
export type Topics = ReadonlyMap<string, Topic>;

/** How many of the newest messages about a story are read, to count them. `firestore.rules` has the same limit. */
export const MAX_LISTED = 200;

/** Reads a stored topic. A field that is invalid counts as unknown. */
export function readTopic({ number, replyTo, isOriginalDeleted }: Record<string, unknown>): Topic {
  return {
    number: typeof number === "number" && Number.isInteger(number) && number >= 0 ? number : null,
    replyTo: typeof replyTo === "string" ? replyTo : null,
    ...(isOriginalDeleted === true && { isOriginalDeleted }),
  };
}

/** The messages that a view of the room is limited to. */
export type RoomSubject = Subject & {
  /** The lines that a message about it begins with. */
  quote: string;
  /** Shown above the messages; `null` for a whole story, and if the story can't be read or no longer has the passage. */
  passage: ShownPassage | null;
};

export interface ShownPassage {
  /** Its beginning. */
  words: string;
  /** The number of its paragraph, counted from 0. */
  number: number;
  /** The chapter that it is in, such as "Chapter 2 · The Ninth Row"; `null` if there is none. */
  chapter: string | null;
}
