import * as z from "zod";

const share = z.int().min(0).max(1);

/**
 * A user's share of a story's counts: whether they have opened and finished it, and thanked its writer. `firestore.rules`
 * repeats the limits.
 */
export const shareSchema = z.strictObject({
  opens: z.literal(1),
  finishes: share,
  thanks: share,
  /** When it last changed, set by the database. */
  at: z.date(),
});

export type Share = Omit<z.infer<typeof shareSchema>, "at">;

const count = z.int().nonnegative();

/** How many users have opened and finished a story, and thanked its writer. */
export const countsSchema = z.object({
  opens: count,
  finishes: count,
  thanks: count,
});

export type StoryCounts = z.infer<typeof countsSchema>;

/** The counts of one story of a writer. */
export interface StoryWithCounts extends StoryCounts {
  id: string;
  title: string;
}

/** The collection of counts. Only the writer of a story, whose uid is a field, can read them. */
export const COUNTS_PATH = "storyCounts";

/** Returns the path of a user's shares. Each document has the id of its story. */
export function getSharesPath(uid: string): string {
  return `users/${uid}/reads`;
}
