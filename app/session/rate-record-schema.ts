import * as z from "zod";

/** At most so many in so many milliseconds, wherever these begin. */
export interface RateLimit {
  count: number;
  windowMs: number;
}

/** How often a person may post and publish. `firestore.rules` has the same numbers. */
export const RATE_LIMITS = {
  messages: [
    { count: 5, windowMs: 10_000 },
    { count: 30, windowMs: 60_000 },
  ],
  publications: [{ count: 20, windowMs: 60 * 60_000 }],
} satisfies Record<string, RateLimit[]>;

export type RateKind = keyof typeof RATE_LIMITS;

/** What was posted or published last, and when it and those before it were. */
export const rateRecordSchema = z.object({
  /** The document that was written with it. */
  id: z.string(),
  /** By the database's clock. */
  at: z.date(),
  /** Those before, oldest first, in milliseconds since the Unix epoch: as many as the longest limit counts. */
  earlier: z.array(z.number()),
});

/** The collection of a person's records, below the database's root. */
export function rateRecordsPath(uid: string): string {
  return `users/${uid}/limits`;
}
