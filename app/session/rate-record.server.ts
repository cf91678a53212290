import * as z from "zod";

import type { DocumentSnapshot, Write } from "#app/firebase/firestore-types.ts";
import { ifUnchanged } from "#app/firebase/preconditions.server.ts";

/** At most `count` documents in any `windowMs` milliseconds. */
interface RateWindow {
  count: number;
  windowMs: number;
}

/** How many messages a user may report in a day. */
export const MAX_REPORTS_A_DAY = 20;

/**
 * How often a user may publish stories, post or edit messages, and report messages; and how often an operator may act.
 * `firestore.rules` has the same numbers.
 */
export const RATE_LIMITS = {
  messages: [
    { count: 5, windowMs: 10_000 },
    { count: 30, windowMs: 60_000 },
  ],
  publications: [{ count: 20, windowMs: 60 * 60_000 }],
  reports: [{ count: MAX_REPORTS_A_DAY, windowMs: 24 * 60 * 60_000 }],
  moderation: [{ count: 30, windowMs: 60_000 }],
} satisfies Record<string, RateWindow[]>;

export type RateKind = keyof typeof RATE_LIMITS;

/** The last document of a kind that the user has written, and the times of the previous ones. */
export const rateRecordSchema = z.object({
  /** The message, story, reported message or log entry written in the same commit. */
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

/** `write` counts the document and belongs in the same commit. */
type NextRecord = { status: "counted"; write: Write } | TooFast;

export interface TooFast {
  status: "too-fast";
  /** The time until another one is allowed. */
  waitMs: number;
}

/** Returns the path of the document that records how often a user does something. */
export function getRateRecordPath(uid: string, kind: RateKind): string {
  return `${getRateRecordsPath(uid)}/${kind}`;
}

/**
 * Counts a document that a user is about to write, as `firestore.rules` require.
 *
 * @param stored the document at `getRateRecordPath`, or `null`
 * @param now the database's time
 */
export function countDocument(
  { uid, kind, id }: { uid: string; kind: RateKind; id: string },
  stored: Pick<DocumentSnapshot, "fields" | "updateTime"> | null,
  now: Date,
): NextRecord {
  const record = stored && rateRecordSchema.parse(stored.fields);
  const limits = RATE_LIMITS[kind];
  const times = record ? [...record.earlier, record.at.getTime()] : [];
  const earlier = times.slice(-Math.max(...limits.map(({ count }) => count)));
  const waits = limits.map(({ count, windowMs }) => {
    const first = earlier.at(-count);
    return first === undefined ? 0 : first + windowMs - now.getTime();
  });
  const waitMs = Math.max(...waits);
  if (waitMs > 0) return { status: "too-fast", waitMs };
  const path = getRateRecordPath(uid, kind);
  return {
    status: "counted",
    write: { path, fields: { id, earlier }, serverTimestamps: ["at"], ...ifUnchanged(stored) },
  };
}
