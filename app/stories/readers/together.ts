import { RENEW_EVERY_MS } from "./readers.ts";

/**
 * A user who lets others who read the same story see that, at `readingTogether/{uid}`: one record, for the story in which they
 * read last. The rules show the records of a story only to those whose own record names it.
 */
export interface TogetherRecord {
  /** The id of the story. */
  story: string;
  /** Where the user is, as coarse as in `getPart`. */
  part: number;
  name: string;
  /** When the record was last written, in milliseconds since the Unix epoch. Set by the database. */
  time: number;
}

/** Someone else who reads the same story. */
export interface FellowReader extends Pick<TogetherRecord, "name" | "part"> {
  uid: string;
}

/** A record that was not renewed for this long is not shown: what wrote it is gone. */
export const STALE_AFTER_MS = 2 * RENEW_EVERY_MS + 60_000;

/** At most this many people are shown in a story. `database.rules.json` has the same number. */
export const MAX_FELLOW_READERS = 50;

/** The largest part. `database.rules.json` has the same number. */
export const MAX_PART = 500;

/** The parts of a story without chapters. */
export const QUARTERS = 4;

export const TOGETHER_PATH = "readingTogether";

/** Returns the path of a user's record. Only they can read it alone. */
export function getTogetherPath(uid: string): string {
  return `${TOGETHER_PATH}/${uid}`;
}
