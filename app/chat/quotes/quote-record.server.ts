import * as z from "zod";

import { getMessagesPath, RETRACTED } from "#app/chat/message.ts";
import { getQuotesPath, type Passage } from "#app/chat/quotes/quote.ts";
import { ROOM_ID } from "#app/chat/room-address.ts";
import type { DocumentSnapshot, Write } from "#app/firebase/firestore-types.ts";

/**
 * A story's record has at most this many passages. Further ones are not counted. `firestore.rules` has the same limits.
 */
export const MAX_PASSAGES = 200;

/** Each user can be the first to quote this many of them, so that nobody uses up a story's record. */
export const MAX_BEGUN = 20;

/** A passage has the ids of at most this many messages. */
export const MAX_IDS = 20;

const passageSchema = z.object({
  /** The number of messages that quote the passage. */
  count: z.int(),
  /** The newest of these messages, newest first. */
  ids: z.array(z.string()),
  /** The number of the paragraph when it was first quoted, counted from 0. */
  number: z.int().optional(),
  /** The id of the user who quoted it first. */
  by: z.string().optional(),
});

const recordSchema = z.object({
  passages: z.record(z.string(), passageSchema),
  /** How many of the passages each user quoted first. */
  begun: z.record(z.string(), z.int()).default({}),
});

type QuoteRecord = z.infer<typeof recordSchema>;

/** The quoted passages of a story, by the id of their paragraph. */
export type QuotedPassages = Readonly<QuoteRecord["passages"]>;

type StoredRecord = Pick<DocumentSnapshot, "fields" | "updateTime"> | null;

/** Returns the path of the record of a story's quotes. */
export function getQuoteRecordPath(story: string): string {
  return `${getQuotesPath(ROOM_ID)}/${story}`;
}

/** Reads the fields of a record. An invalid record has no passages. */
export function readQuotedPassages(fields: Record<string, unknown> | null): QuotedPassages {
  return readRecord(fields).passages;
}

function readRecord(fields: Record<string, unknown> | null | undefined): QuoteRecord {
  return recordSchema.safeParse(fields).data ?? { passages: {}, begun: {} };
}

/** Whether a passage is recorded. Its number does not change any more. */
export function isRecorded(stored: StoredRecord, { paragraph }: Passage): boolean {
  return paragraph in readRecord(stored?.fields).passages;
}

/**
 * Returns the write that counts a message, to be made in the same commit. `null` if the story has too many passages, or
 * too many that this user quoted first.
 *
 * @param number the paragraph's number, if it is known
 */
export function countQuote(
  stored: StoredRecord,
  { passage, id, uid }: { passage: Passage; id: string; uid: string },
  number: number | undefined,
): Write | null {
  const { passages, begun } = readRecord(stored?.fields);
  const { paragraph } = passage;
  const before = passages[paragraph];
  if (before) {
    const ids = [id, ...before.ids].slice(0, MAX_IDS);
    const after = { ...before, count: before.count + 1, ids };
    return toWrite(
      stored,
      { passage, id },
      { passages: { ...passages, [paragraph]: after }, begun },
    );
  }
  const own = begun[uid] ?? 0;
  if (Object.keys(passages).length >= MAX_PASSAGES || own >= MAX_BEGUN) return null;
  const first = { ...(number !== undefined && { number }), by: uid, count: 1, ids: [id] };
  return toWrite(
    stored,
    { passage, id },
    { passages: { ...passages, [paragraph]: first }, begun: { ...begun, [uid]: own + 1 } },
  );
}

/**
 * Returns the writes that retract a message and uncount it, after which it can be deleted; none if it is not counted.
 */
export function retractQuote(
  stored: StoredRecord,
  message: { passage: Passage; id: string },
): Write[] {
  const uncounted = uncountQuote(stored, message);
  const path = `${getMessagesPath(ROOM_ID)}/${message.id}`;
  return uncounted ? [{ path, fields: { text: RETRACTED }, exists: true }, uncounted] : [];
}

/**
 * Whether a passage counts a message. Others quote it too, but were sent while the record was full. The ids beyond the
 * newest are unknown.
 */
function isCounted({ count, ids }: QuotedPassages[string], id: string): boolean {
  return ids.includes(id) || count > ids.length;
}

/** Returns the write that uncounts a message, which the rules allow once it is gone; `null` if it is not counted. */
export function uncountQuote(
  stored: StoredRecord,
  { passage, id }: { passage: Passage; id: string },
): Write | null {
  const { passages, begun } = readRecord(stored?.fields);
  const { [passage.paragraph]: before, ...others } = passages;
  if (!before || !isCounted(before, id)) return null;
  const { count, by } = before;
  if (count > 1) {
    const ids = before.ids.filter((other) => other !== id);
    const after = { ...before, count: count - 1, ids };
    return toWrite(
      stored,
      { passage, id },
      { passages: { ...others, [passage.paragraph]: after }, begun },
    );
  }
  const { [by ?? ""]: own = 0, ...remaining } = begun;
  const less = by !== undefined && own > 1 ? { [by]: own - 1 } : {};
  return toWrite(stored, { passage, id }, { passages: others, begun: { ...remaining, ...less } });
}

function toWrite(
  stored: StoredRecord,
  { passage, id }: { passage: Passage; id: string },
  record: QuoteRecord,
): Write {
  return {
    path: getQuoteRecordPath(passage.story),
    fields: { ...record, paragraph: passage.paragraph, id },
    serverTimestamps: ["at"],
    ...(stored ? { updateTime: stored.updateTime } : { exists: false }),
  };
}
