import { getMessagePath } from "#app/chat/stored-messages.server.ts";
import { readTopic } from "#app/chat/quotes/topic.ts";
import type { Fields, Write } from "#app/firebase/firestore-types.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import { getAnswersPath, type AnswerKind } from "./answer.ts";

/** Finds the fields of a document that was read. */
type Find = (path: string) => Fields | undefined;

/** A message that may answer other users: its sender, and the fields of its topic. */
interface Cause {
  id: string;
  uid: string;
  topic: Fields;
}

/** Returns the paths of the documents that name the recipients of a message: the message and the story in its topic. */
export function listCausePaths(topic: Fields): string[] {
  const { replyTo } = readTopic(topic);
  const { story, paragraph } = topic;
  const isQuote = typeof story === "string" && paragraph !== null && isPublishedId(story);
  return [
    ...(replyTo === null ? [] : [getMessagePath(replyTo)]),
    ...(isQuote ? [`stories/${story}`] : []),
  ];
}

/**
 * Returns the writes that tell other users of a message, in the commit that stores it: the sender of the message that it
 * replies to, and the writer of the story that it quotes. A user who is both is told only of the reply.
 */
export function toAnswerWrites(cause: Cause, find: Find): Write[] {
  return listRecipients(cause, find).map(({ to, kind }) => ({
    path: `${getAnswersPath(to)}/${cause.id}`,
    fields: { kind, from: cause.uid },
    serverTimestamps: ["at"],
    exists: false,
  }));
}

/**
 * Returns the writes that delete what `toAnswerWrites` has stored. Finds only recipients whose message or story still
 * exists.
 */
export function toAnswerDeletions(cause: Cause, find: Find): Write[] {
  return listRecipients(cause, find).map(({ to }) => ({
    path: `${getAnswersPath(to)}/${cause.id}`,
    delete: true,
  }));
}

function listRecipients({ uid, topic }: Cause, find: Find): { to: string; kind: AnswerKind }[] {
  const kinds = new Map<string, AnswerKind>();
  for (const path of listCausePaths(topic)) {
    const to = find(path)?.uid;
    if (typeof to !== "string" || to === uid || kinds.has(to)) continue;
    kinds.set(to, path.startsWith("stories/") ? "quote" : "reply");
  }
  return Array.from(kinds, ([to, kind]) => ({ to, kind }));
}
