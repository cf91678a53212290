import * as z from "zod";

/** At most `count` documents in any `windowMs` milliseconds. */
export interface RateWindow {
  count: number;
  windowMs: number;
}

/** How often a user may publish, and post or edit messages. `firestore.rules` has the same numbers. */
export const RATE_LIMITS = {
  messages: [
    { count: 5, windowMs: 10_000 },
    { count: 30, windowMs: 60_000 },
  ],
  publications: [{ count: 20, windowMs: 60 * 60_000 }],
} satisfies Record<string, RateWindow[]>;

export type RateKind = keyof typeof RATE_LIMITS;

/** The last message, edit or publication, and the times of the previous ones. */
export const rateRecordSchema = z.object({
  /** The message or story written in the same commit. */
  id: z.string(),
  /** Set by the database's clock. */
  at: z.date(),
  /** The times of the previous ones, oldest first, in milliseconds since the Unix epoch; at most the largest `count`. */
  earlier: z.array(z.number()),
});

/** Returns the path of the collection of a user's records. */
export function getRateRecordsPath(uid: string): string {
  return `users/${uid}/limits`;
}
