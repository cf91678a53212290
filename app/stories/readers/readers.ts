/** How many people have each story or the room open now, by id. Stories that nobody has open are missing. */
export type ReaderCounts = Readonly<Record<string, number>>;

/**
 * A user who has the room or a story open, at `readers/{key}`. Of several stories, the one that they opened last. The key is
 * random, and only the user knows that it is theirs.
 */
export interface ReaderRecord {
  /** The id of the story, or `ROOM_RECORD`. */
  story: string;
  /**
   * When the record was last renewed, in milliseconds since the Unix epoch. Rounded down, so that a record can't be
   * matched to a user by the time at which they entered the room.
   */
  time: number;
}

/** Used for the chat room in place of a story's id. The ids of published stories end in digits. */
export const ROOM_RECORD = "room";

/** Times of records are multiples of this. `database.rules.json` has the same number. */
const TIME_STEP_MS = 10 * 60_000;

/** How often a visible page renews its record. */
export const RENEW_EVERY_MS = 10 * 60_000;

/** A record that was not renewed for this long, as in a hidden tab, does not count. */
export const STALE_AFTER_MS = 60 * 60_000;

/** Only the newest records are counted. `database.rules.json` allows no query for more. */
export const MAX_READERS = 500;

export const READERS_PATH = "readers";

/** The address of the numbers, for scripts. */
export const READER_COUNTS_URL = "/stories/readers";

/**
 * Returns the path of the keys of a user's two records: `room`, and `story` for the story that they opened last. Only the
 * user can read them.
 */
export function getReaderKeysPath(uid: string): string {
  return `readerKeys/${uid}`;
}

/**
 * Returns the path of the id of the user whose key this is. Nobody can read it: it only keeps others from choosing a key that
 * they have seen in `readers`, also after its record is gone.
 */
export function getKeyOwnerPath(key: string): string {
  return `keyOwners/${key}`;
}

/** Returns the path of the setting that leaves a user out of the numbers: a boolean, or nothing before its first use. */
export function getUncountedPath(uid: string): string {
  return `uncounted/${uid}`;
}

/** Returns stories with the most readers first, and otherwise in their order. */
export function sortByReaders<Item extends { id: string }>(
  stories: readonly Item[],
  readers: ReaderCounts,
): Item[] {
  return [...stories].sort((a, b) => (readers[b.id] ?? 0) - (readers[a.id] ?? 0));
}

/** Returns the time to store in a record. @param now the time by the database's clock */
export function toRecordTime(now: number): number {
  return now - (now % TIME_STEP_MS);
}
