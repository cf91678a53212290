import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getMessagesPath, sortMessages, type MessagePage } from "#app/chat/message.ts";
import type { Passage } from "#app/chat/quotes/quote.ts";
import { ROOM_ID } from "#app/chat/room-address.ts";
import { toMessage } from "#app/chat/stored-messages.server.ts";
import { getEnv } from "#app/env.server.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import type { DocumentSnapshot } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/require-read.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { getQuoteRecordPath, readQuotedPassages, uncountQuote } from "./quote-record.server.ts";

const OPTIONS = { timeoutMs: 2000 };

type RequestArgs = Pick<LoaderFunctionArgs, "request" | "context">;

/**
 * Returns the newest messages about a passage, up to 20, with two requests. Skips messages that an operator has deleted,
 * and removes one of them from the passage's count.
 *
 * @throws {UnavailableError}
 */
export async function listMessagesAbout(args: RequestArgs, passage: Passage): Promise<MessagePage> {
  const firestore = asUser(getEnv(args.context), null);
  const record = await requireRead(firestore.get(getQuoteRecordPath(passage.story), OPTIONS));
  const ids = readQuotedPassages(record?.fields ?? null)[passage.paragraph]?.ids ?? [];
  if (ids.length === 0) return { messages: [], before: null };
  const paths = ids.map((id) => `${getMessagesPath(ROOM_ID)}/${id}`);
  const { documents } = await requireRead(firestore.batchGet(paths, OPTIONS));
  const missing = ids.find((_, index) => !documents[index]);
  if (missing !== undefined) await uncount(args, record, { passage, id: missing });
  const messages = documents.flatMap((document) => (document ? toMessage(document) : []));
  return { messages: sortMessages(messages), before: null };
}

/** Uncounts a message after the response is sent. The rules let every signed-in user do this. */
async function uncount(
  { request, context }: RequestArgs,
  record: DocumentSnapshot | null,
  message: { passage: Passage; id: string },
): Promise<void> {
  const write = uncountQuote(record, message);
  const { user } = await getUser({ request, context });
  if (!write || !user?.idToken) return;
  const commit = asUser(getEnv(context), user).commit([write], OPTIONS);
  getWaitUntil(context)?.(commit.catch(ignoreFailedCommit));
}

/** Ignores a record that has changed meanwhile, and a Firestore that does not respond: the next visit tries again. */
function ignoreFailedCommit(error: unknown): void {
  if (!(error instanceof FirestoreError) && !(error instanceof UnavailableError)) throw error;
}
