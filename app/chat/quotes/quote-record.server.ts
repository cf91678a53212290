import * as z from "zod";

import { getMessagesPath, RETRACTED } from "#app/chat/message.ts";
import { getQuotesPath, type Passage } from "#app/chat/quotes/quote.ts";
import { ROOM_ID } from "#app/chat/room-address.ts";
import type { DocumentSnapshot, Write } from "#app/firebase/firestore-types.ts";

/**
 * A story's record has at most this many passages. Further ones are not counted. `firestore.rules` has the same limits.
 */
export const MAX_PASSAGES = 200;

/** A passage has the ids of at most this many messages. */
export const MAX_IDS = 20;

const passageSchema = z.object({
  /** The number of messages that quote the passage. */
  count: z.int(),
  /** The newest of these messages, newest first. */
  ids: z.array(z.string()),
  /** The number of the paragraph when it was first quoted, counted from 0. */
  number: z.int().optional(),
});

const recordSchema = z.object({ passages: z.record(z.string(), passageSchema) });

/** The quoted passages of a story, by the id of their paragraph. */
export type QuotedPassages = Readonly<Record<string, z.infer<typeof passageSchema>>>;

type StoredRecord = Pick<DocumentSnapshot, "fields" | "updateTime"> | null;

/** Returns the path of the record of a story's quotes. */
export function getQuoteRecordPath(story: string): string {
  return `${getQuotesPath(ROOM_ID)}/${story}`;
}

/** Reads the fields of a record. An invalid record has no passages. */
export function readQuotedPassages(fields: Record<string, unknown> | null): QuotedPassages {
  return recordSchema.safeParse(fields).data?.passages ?? {};
}

/** Whether the number of a passage's paragraph is recorded. */
export function hasNumber(stored: StoredRecord, { paragraph }: Passage): boolean {
  return readQuotedPassages(stored?.fields ?? null)[paragraph]?.number !== undefined;
}

/**
 * Returns the write that counts a message, to be made in the same commit. `null` if the story has too many passages.
 *
 * @param number the paragraph's number, if it is known
 */
export function countQuote(
  stored: StoredRecord,
  { passage, id }: { passage: Passage; id: string },
  number: number | undefined,
): Write | null {
  const passages = readQuotedPassages(stored?.fields ?? null);
  const before = passages[passage.paragraph];
  if (!before && Object.keys(passages).length >= MAX_PASSAGES) return null;
  const paragraphNumber = before?.number ?? number;
  const after = {
    ...(paragraphNumber !== undefined && { number: paragraphNumber }),
    count: (before?.count ?? 0) + 1,
    ids: [id, ...(before?.ids ?? [])].slice(0, MAX_IDS),
  };
  return toWrite(stored, { passage, id }, { ...passages, [passage.paragraph]: after });
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

/** Returns the write that uncounts a message, which the rules allow once it is gone; `null` if it is not counted. */
export function uncountQuote(
  stored: StoredRecord,
  { passage, id }: { passage: Passage; id: string },
): Write | null {
  const { [passage.paragraph]: before, ...others } = readQuotedPassages(stored?.fields ?? null);
  if (!before) return null;
  const { count } = before;
  const ids = before.ids.filter((other) => other !== id);
  const after = count === 1 ? {} : { [passage.paragraph]: { ...before, count: count - 1, ids } };
  return toWrite(stored, { passage, id }, { ...others, ...after });
}

function toWrite(
  stored: StoredRecord,
  { passage, id }: { passage: Passage; id: string },
  passages: QuotedPassages,
): Write {
  return {
    path: getQuoteRecordPath(passage.story),
    fields: { passages, paragraph: passage.paragraph, id },
    serverTimestamps: ["at"],
    ...(stored ? { updateTime: stored.updateTime } : { exists: false }),
  };
}
