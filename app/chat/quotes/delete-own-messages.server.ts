import { getMessagesPath } from "#app/chat/message.ts";
import { readPassage, type Passage } from "#app/chat/quotes/quote.ts";
import { ROOM_ID } from "#app/chat/room-address.ts";
import type { BulkWrite } from "#app/firebase/bulk-writer.server.ts";
import {
  FailedPreconditionError,
  PermissionDeniedError,
} from "#app/firebase/firestore-error.server.ts";
import type { Firestore, Write } from "#app/firebase/firestore-types.ts";
import { getQuoteRecordPath, retractQuote } from "./quote-record.server.ts";

/** The rules read three documents for each message that is retracted, and may read at most 20 for one commit. */
const MAX_STORIES = 6;

/** How often a commit is tried when other messages that quote the same stories are written at the same time. */
const MAX_TRIES = 5;

interface QuotingMessage {
  id: string;
  passage: Passage;
}

/**
 * Deletes all messages of the user. Those that quote a story are retracted first, one for each story at a time, as the
 * rules require. Can be called again after a failure.
 *
 * @throws {UnfinishedError | FirestoreError | UnavailableError}
 */
export async function deleteOwnMessages(bulkWrite: BulkWrite, firestore: Firestore): Promise<void> {
  const path = getMessagesPath(ROOM_ID);
  const quoting: QuotingMessage[] = [];
  await bulkWrite(
    path,
    (message, { text }): Write[] => {
      const passage = typeof text === "string" ? readPassage(text) : null;
      if (!passage) return [{ path: message, delete: true }];
      quoting.push({ id: message.slice(path.length + 1), passage });
      return [];
    },
    { isOwn: true, isKeysOnly: false },
  );
  let remaining = quoting;
  while (remaining.length > 0) {
    const batch = pickOnePerStory(remaining);
    await retract(firestore, batch);
    remaining = remaining.filter((message) => !batch.includes(message));
  }
  // The retracted messages can be deleted all at once.
  if (quoting.length > 0) {
    await bulkWrite(path, (message) => [{ path: message, delete: true }], { isOwn: true });
  }
}

function pickOnePerStory(messages: QuotingMessage[]): QuotingMessage[] {
  const byStory = new Map(messages.map((message) => [message.passage.story, message]));
  return [...byStory.values()].slice(0, MAX_STORIES);
}

async function retract(firestore: Firestore, messages: QuotingMessage[]): Promise<void> {
  const paths = messages.map(({ passage }) => getQuoteRecordPath(passage.story));
  for (let tries = 1; ; tries += 1) {
    const { documents } = await firestore.batchGet(paths);
    const writes = messages.flatMap((message, index) =>
      retractQuote(documents[index] ?? null, message),
    );
    try {
      if (writes.length > 0) await firestore.commit(writes);
      return;
    } catch (error) {
      const isRejected =
        error instanceof PermissionDeniedError || error instanceof FailedPreconditionError;
      if (!isRejected || tries === MAX_TRIES) throw error;
    }
  }
}
