import { toMessage } from "#app/chat/stored-messages.server.ts";
import { createServiceGetter, type Env } from "#app/env.server.ts";
import { formatCursor, type Cursor } from "#app/firebase/cursor.ts";
import type { DocumentSnapshot, Write } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { PreciseDate } from "#app/firebase/precise-date.server.ts";
import { requireRead } from "#app/firebase/require-read.server.ts";
import { createReadCache } from "#app/http/read-cache.server.ts";
import { getMessagesPath, PAGE_SIZE, sortMessages, type MessagePage } from "#app/chat/message.ts";
import { ROOM_ID } from "#app/chat/room-address.ts";
import { isAbout, type Subject } from "./quote.ts";
import { getTopicsPath, readTopic, type Topic } from "./topic.ts";

/** The newest messages about a story, of which the marks in its margin are counted. `firestore.rules` has the same limit. */
export const MAX_LISTED = 200;

/** Short, because a story is readable without what is said about it. */
const OPTIONS = { timeoutMs: 2000 };

/** How long a list may be reused. */
const MAX_AGE_MS = 2000;

/** A topic with its message's id. */
export interface StoryTopic extends Topic {
  id: string;
  /** The id of the passage's paragraph; `null` for a message about the story as a whole. */
  paragraph: string | null;
  /** When the message was sent, in milliseconds since the Unix epoch. */
  at: number;
}

/** Returns the path of a message's topic. */
export function getTopicPath(messageId: string): string {
  return `${getTopicsPath(ROOM_ID)}/${messageId}`;
}

/** Returns the write that stores what a message is about, in the commit that stores the message. */
export function toTopicWrite(
  { id, uid, subject }: { id: string; uid: string; subject: Subject | null },
  { number, replyTo }: Topic,
): Write {
  const { story = null, paragraph = null } = subject ?? {};
  return {
    path: getTopicPath(id),
    fields: { uid, story, paragraph, number, replyTo },
    serverTimestamps: ["at"],
    exists: false,
  };
}

/** Reads what messages are about. */
function createTopicService(env: Env, now: () => number) {
  const lists = createReadCache<StoryTopic[]>(now, 100);
  const firestore = asUser(env, null);

  /**
   * Returns the topics of the newest 200 messages about a story, newest first.
   *
   * @param changedAt topics that were read before are not reused. Milliseconds since the Unix epoch
   * @throws {UnavailableError}
   */
  async function listNewest(story: string, changedAt: number): Promise<StoryTopic[]> {
    const requirements = { maxAgeMs: MAX_AGE_MS, changedAt };
    return (await lists.read(story, requirements, () => list(story, null))).value;
  }

  async function list(story: string, before: Cursor | null): Promise<StoryTopic[]> {
    const documents = await requireRead(
      firestore.query(
        getTopicsPath(ROOM_ID),
        {
          where: [["story", "==", story]],
          orderBy: ["at", "desc"],
          limit: before ? PAGE_SIZE : MAX_LISTED,
          ...(before && { startAfter: [new PreciseDate(before.time), getTopicPath(before.id)] }),
        },
        OPTIONS,
      ),
    );
    return documents.flatMap(toStoryTopic);
  }

  /**
   * Returns the messages about a story or a passage, up to 50: the newest, or those before a cursor. A passage has those
   * among the newest 200 about its story. Messages that were deleted without their topic are missing.
   *
   * @param newest the newest topics of the story, if they have been read
   * @throws {UnavailableError}
   */
  async function listMessages(
    subject: Subject,
    before: Cursor | null,
    newest: readonly StoryTopic[] | null,
  ): Promise<MessagePage> {
    const { story, paragraph } = subject;
    const topics = await (before ? list(story, before) : (newest ?? list(story, null)));
    const ofSubject = topics.filter((topic) => paragraph === null || topic.paragraph === paragraph);
    const page = ofSubject.slice(0, PAGE_SIZE);
    if (page.length === 0) return { messages: [], before: null };
    const topicsById = new Map(
      page.map(({ id, number, replyTo }) => [id, { number, replyTo }] as const),
    );
    const paths = page.map(({ id }) => `${getMessagesPath(ROOM_ID)}/${id}`);
    const { documents } = await requireRead(firestore.batchGet(paths, OPTIONS));
    const messages = documents
      .flatMap((document) => (document ? toMessage(document) : []))
      .filter(({ text }) => isAbout(text, subject))
      .map((message) => ({ ...message, topic: topicsById.get(message.id) }));
    const last = paragraph === null && page.length === PAGE_SIZE ? page.at(-1) : undefined;
    return {
      messages: sortMessages(messages),
      before: last ? formatCursor({ id: last.id, time: last.at }) : null,
    };
  }

  return { listNewest, listMessages };
}

function toStoryTopic({ id, fields }: DocumentSnapshot): StoryTopic[] {
  const { at, paragraph } = fields;
  if (!(at instanceof PreciseDate)) return [];
  return [
    {
      ...readTopic(fields),
      id,
      paragraph: typeof paragraph === "string" ? paragraph : null,
      at: at.time,
    },
  ];
}

export const getTopics = createServiceGetter((env) => createTopicService(env, () => Date.now()));
