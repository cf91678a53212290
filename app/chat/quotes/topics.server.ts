import type { ActionFunctionArgs, AppLoadContext } from "@remix-run/cloudflare";

import {
  isBefore,
  PAGE_SIZE,
  sortMessages,
  type Message,
  type MessagePage,
} from "#app/chat/message.ts";
import { TOPICS_PATH } from "#app/chat/room-address.ts";
import { getMessagePath, toMessage } from "#app/chat/stored-messages.server.ts";
import { createServiceGetter, type Env } from "#app/env.server.ts";
import { formatCursor, type Cursor } from "#app/firebase/cursor.ts";
import { requireRead } from "#app/firebase/firestore-error.server.ts";
import type {
  DocumentSnapshot,
  Fields,
  QueryOptions,
  Write,
} from "#app/firebase/firestore-types.ts";
import { asUser, PreciseDate } from "#app/firebase/firestore.server.ts";
import { createReadCache } from "#app/http/cache.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getPositionsPath } from "#app/stories/positions/position.ts";
import { getDevicePositions, readPositionFields } from "#app/stories/positions/positions.server.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import { findStory } from "#app/stories/stories.server.ts";
import { isAbout, type Passage, type Subject } from "./quote.ts";
import { MAX_LISTED, readTopic, type Topic } from "./topic.ts";
import { getLastReached } from "./quoted-story.ts";

/** Short, because a story is readable without what is said about it. */
const OPTIONS = { timeoutMs: 2000 };

/** How long a list may be reused. */
const MAX_AGE_MS = 2000;

/** How long a list of several stories may be reused, and how long by pages that have no request left. */
const MAX_AGE_OF_STORIES_MS = 10_000;
const MAX_REUSED_AGE_MS = 5 * 60_000;

/** How many of the newest messages about several stories are listed. */
const MAX_OF_STORIES = 100;

/** The maximum number of values of an `in` filter in Firestore. */
const MAX_STORIES = 30;

/** A topic with its message's id. */
export interface StoryTopic extends Topic {
  id: string;
  /** The sender of the message. */
  uid: string;
  /** The id of the story. */
  story: string;
  /** The id of the passage's paragraph; `null` for a message about the story as a whole. */
  paragraph: string | null;
  /** When the message was sent, in milliseconds since the Unix epoch. */
  at: number;
}

/** Returns the path of a message's topic. */
export function getTopicPath(messageId: string): string {
  return `${TOPICS_PATH}/${messageId}`;
}

/**
 * Whether the rules look for the topic of a message before its sender may delete it. `firestore.rules` has the same
 * expression.
 */
export function mayBeAboutStory(text: unknown): boolean {
  return typeof text === "string" && /^(?:“|\/read\/)/.test(text);
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

  /** Returns the number that this isolate has last read of a message about a passage. Makes no request. */
  function findNumber({ story, paragraph }: Passage): number | undefined {
    const listed = lists.find(story, { maxAgeMs: MAX_REUSED_AGE_MS })?.value ?? [];
    const topic = listed.find((other) => other.paragraph === paragraph && other.number !== null);
    return topic?.number ?? undefined;
  }

  /**
   * Returns the topics of the newest 100 messages about any of up to 30 stories, newest first; `undefined` if they may not
   * be requested, and this isolate has not read them.
   *
   * @param changedAt as for `listNewest`
   * @throws {UnavailableError}
   */
  async function findNewestOf(
    stories: readonly string[],
    { changedAt, mayAsk }: { changedAt: number; mayAsk: boolean },
  ): Promise<StoryTopic[] | undefined> {
    const key = JSON.stringify(stories);
    if (!mayAsk) return lists.find(key, { maxAgeMs: MAX_REUSED_AGE_MS, changedAt })?.value;
    const where = [["story", "in", stories.slice(0, MAX_STORIES)]] as const;
    const requirements = { maxAgeMs: MAX_AGE_OF_STORIES_MS, changedAt };
    return (await lists.read(key, requirements, () => query({ where, limit: MAX_OF_STORIES })))
      .value;
  }

  function list(story: string, before: Cursor | null, limit = MAX_LISTED): Promise<StoryTopic[]> {
    return query({
      where: [["story", "==", story]],
      limit,
      ...(before && { startAfter: [new PreciseDate(before.time), getTopicPath(before.id)] }),
    });
  }

  async function query(options: QueryOptions): Promise<StoryTopic[]> {
    const documents = await requireRead(
      firestore.query(TOPICS_PATH, { orderBy: ["at", "desc"], ...options }, OPTIONS),
    );
    return documents.flatMap(toStoryTopic);
  }

  /**
   * Returns the messages that topics belong to. Those that were deleted without their topic are missing.
   *
   * @param originals the ids of messages that they answer, to find out which of these have been deleted. A later message
   *   with such an id is another one
   * @throws {UnavailableError}
   */
  async function readMessages(
    topics: readonly StoryTopic[],
    originals: readonly string[] = [],
  ): Promise<Message[]> {
    if (topics.length === 0) return [];
    const ids = [...new Set([...topics.map(({ id }) => id), ...originals])];
    const { documents } = await requireRead(firestore.batchGet(ids.map(getMessagePath), OPTIONS));
    const messages = documents.flatMap((document) => (document ? toMessage(document) : []));
    const isDeleted = (originalId: string, reply: Message) =>
      originals.includes(originalId) &&
      !messages.some((message) => message.id === originalId && isBefore(message, reply));
    return topics.flatMap((topic) => {
      const message = messages.find(({ id, text }) => id === topic.id && isAbout(text, topic));
      if (!message) return [];
      const { number, replyTo } = topic;
      const isOriginalDeleted = replyTo !== null && isDeleted(replyTo, message);
      return {
        ...message,
        topic: { number, replyTo, ...(isOriginalDeleted && { isOriginalDeleted }) },
      };
    });
  }

  /**
   * Returns the newest messages about a story, or those before a cursor, up to 50. A passage has all those among 200 about
   * its story, which its mark counts.
   *
   * @param newest the newest topics of the story, if they have been read
   * @throws {UnavailableError}
   */
  async function listAbout(
    subject: Subject,
    before: Cursor | null,
    newest: readonly StoryTopic[] | null,
  ): Promise<MessagePage> {
    const { story, paragraph } = subject;
    const limit = paragraph === null ? PAGE_SIZE : MAX_LISTED;
    const topics = newest && !before ? newest : await list(story, before, limit);
    const ofSubject = topics.filter((topic) => paragraph === null || topic.paragraph === paragraph);
    const page = ofSubject.slice(0, limit);
    const originals = page.flatMap(({ replyTo }) => replyTo ?? []);
    const messages = await readMessages(page, originals);
    const last = paragraph === null && page.length === PAGE_SIZE ? page.at(-1) : undefined;
    return {
      messages: sortMessages(messages),
      before: last ? formatCursor({ id: last.id, time: last.at }) : null,
    };
  }

  return { listNewest, findNumber, findNewestOf, listAbout, readMessages };
}

function toStoryTopic({ id, fields }: DocumentSnapshot): StoryTopic[] {
  const { at, paragraph, story, uid } = fields;
  if (!(at instanceof PreciseDate) || typeof story !== "string" || typeof uid !== "string")
    return [];
  return [
    {
      ...readTopic(fields),
      id,
      uid,
      story,
      paragraph: typeof paragraph === "string" ? paragraph : null,
      at: at.time,
    },
  ];
}

export const getTopics = createServiceGetter((env) => createTopicService(env, () => Date.now()));

/** Finds the number of the paragraph that a message is about, counted from 0. */
interface NumberFinder {
  /** The document that `getNumber` needs. */
  path?: string;
  /**
   * @param find finds a document that was read
   * @param replyTo the id of the message that this one replies to
   */
  getNumber: (
    find: (path: string) => DocumentSnapshot | null,
    replyTo: string | null,
  ) => Promise<number | undefined> | number;
}

/**
 * Creates the finder for a message. The number for a message about a passage is that of its paragraph; if the text no longer
 * has it, that of an earlier message about it. For a message about a story, it is that of the last paragraph that the
 * sender has reached, or that the answered message is about, whichever is later.
 */
export function createNumberFinder(
  { request, context }: Pick<ActionFunctionArgs, "request" | "context">,
  user: AuthUser,
  { story, paragraph }: Subject,
): NumberFinder {
  if (paragraph !== null) {
    const passage = { story, paragraph };
    const findNumber = loadParagraphFinder({ context }, passage);
    return {
      async getNumber(find, replyTo) {
        const answered = readAnswered(find, replyTo);
        const isSame = answered?.story === story && answered.paragraph === paragraph;
        return (
          (await findNumber()) ??
          (isSame ? readTopic(answered).number : null) ??
          getTopics(context).findNumber(passage)
        );
      },
    };
  }
  const path = `${getPositionsPath(user.uid)}/${story}`;
  return {
    path,
    getNumber(find, replyTo) {
      const account = readPositionFields(story, find(path)?.fields ?? {});
      const device = getDevicePositions(request, user).find((other) => other.story === story);
      const answered = readAnswered(find, replyTo);
      const isSameStory = answered?.story === story;
      return Math.max(
        0,
        getLastReached([account, device]),
        (isSameStory && readTopic(answered).number) || 0,
      );
    },
  };
}

/** Returns the stored topic of the answered message. */
function readAnswered(
  find: (path: string) => DocumentSnapshot | null,
  replyTo: string | null,
): Fields | undefined {
  return replyTo === null ? undefined : find(getTopicPath(replyTo))?.fields;
}

/**
 * Loads a story, and returns a function that finds the number of a paragraph in it, counted from 0; `undefined` if there
 * is no such paragraph, or the story cannot be read now. Only the returned function renders the story.
 */
function loadParagraphFinder(
  args: { context: AppLoadContext },
  { story: id, paragraph }: Passage,
): () => Promise<number | undefined> {
  const loading = catchUnavailable(findStory(args, id));
  // Prevents an unhandled rejection. The returned function throws the error.
  loading.catch(() => {});
  return async () => {
    const story = await loading;
    if (!story || story instanceof UnavailableError) return undefined;
    const { paragraphs } = await getRenderedText(story.markdown, story.language);
    const number = paragraphs.findIndex((candidate) => candidate.id === paragraph);
    return number < 0 ? undefined : number;
  };
}
