/** How a message answers its recipient: it replies to their message, or quotes their story. */
export const ANSWER_KINDS = ["reply", "quote"] as const;

export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** How many answers an account keeps: the newest. */
export const MAX_ANSWERS = 200;

/** The id of the record of what has been read, which is beside the answers. A message cannot have it. */
const READ_RECORD_ID = "~read";

/** How many answers are stored as read one by one: the last ones. `firestore.rules` has the same limit. */
export const MAX_READ_KEYS = 100;

/** A higher count is shown as "9+". */
export const MAX_COUNTED = 9;

/** What is new to a user, for the header of every page. */
export interface AnswersSummary {
  /** At most one more than `MAX_COUNTED`. */
  count: number;
  newest: {
    key: string;
    /** Milliseconds since the Unix epoch. */
    at: number;
    /** Such as "Ilse replied to you". */
    text: string;
    /** The address of the message or the story. */
    path: string;
    /** The address once the room may have newer pages than that of the message. */
    laterPath: string;
  };
}

/** What the user has read: everything up to a time, and some of what is newer. */
export interface ReadRecord {
  /** Milliseconds since the Unix epoch. */
  until: number;
  /** The keys of newer answers and chapters, in the order in which they were read. */
  keys: readonly string[];
}

/**
 * Returns the path of a user's answers, below the database's root. Each has the id of its message, and does not contain
 * its text.
 */
export function getAnswersPath(uid: string): string {
  return `users/${uid}/answers`;
}

export function getReadRecordPath(uid: string): string {
  return `${getAnswersPath(uid)}/${READ_RECORD_ID}`;
}

export function formatAnswerCount(count: number): string {
  return count > MAX_COUNTED ? `${MAX_COUNTED}+` : String(count);
}
