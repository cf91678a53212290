import type { DatedFields } from "#app/firebase/documents.server.ts";
import type { Write } from "#app/firebase/firestore-types.ts";
import {
  RATE_LIMITS,
  rateRecordSchema,
  rateRecordsPath,
  type RateKind,
} from "./rate-record-schema.ts";

/** What counts one more, to be written with it in one commit; or how long to wait until there may be one more. */
export type NextRecord =
  | { status: "counted"; write: Write }
  | { status: "too-fast"; waitMs: number };

/** Returns where it is stored how fast a person does something. */
export function rateRecordPath(uid: string, kind: RateKind): string {
  return `${rateRecordsPath(uid)}/${kind}`;
}

/**
 * Counts a document that a person is about to write, as `firestore.rules` demand it.
 *
 * @param stored what is at `rateRecordPath`, `null` for nothing
 * @param now by the database's clock
 */
export function countNext(
  { uid, kind, id }: { uid: string; kind: RateKind; id: string },
  stored: DatedFields | null,
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
  const path = rateRecordPath(uid, kind);
  return {
    status: "counted",
    write: { path, fields: { id, earlier }, serverTimestamps: ["at"], ...precondition },
  };
}
