import type { DocumentSnapshot, Write } from "#app/firebase/firestore-types.ts";
import {
  RATE_LIMITS,
  rateRecordSchema,
  getRateRecordsPath,
  type RateKind,
} from "./rate-record-schema.ts";

/** `write` counts the document and belongs in the same commit. */
export type NextRecord = { status: "counted"; write: Write } | TooFast;

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
  const precondition = stored ? { updateTime: stored.updateTime } : { exists: false };
  const path = getRateRecordPath(uid, kind);
  return {
    status: "counted",
    write: { path, fields: { id, earlier }, serverTimestamps: ["at"], ...precondition },
  };
}
