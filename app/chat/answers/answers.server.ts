import * as z from "zod";
import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { getHiddenPath, MAX_HIDDEN } from "#app/chat/hidden.ts";
import type { Message } from "#app/chat/message.ts";
import { readSubject } from "#app/chat/quotes/quote.ts";
import { readTopic, type Topic } from "#app/chat/quotes/topic.ts";
import { getTopicPath } from "#app/chat/quotes/topics.server.ts";
import { MESSAGES_PATH, toMessageInRoomPath } from "#app/chat/room-address.ts";
import { runRoomAction } from "#app/chat/run-room-action.server.ts";
import { getMessagePath, toMessage } from "#app/chat/stored-messages.server.ts";
import { createServiceGetter, type Env } from "#app/env.server.ts";
import { MAX_WRITES } from "#app/firebase/bulk-writer.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { requireRead } from "#app/firebase/firestore-error.server.ts";
import type { DocumentSnapshot, Firestore, QueryOptions } from "#app/firebase/firestore-types.ts";
import { asUser, PreciseDate } from "#app/firebase/firestore.server.ts";
import { ifUnchanged, retryIfChanged } from "#app/firebase/preconditions.server.ts";
import { createReadCache } from "#app/http/cache.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { ActionFailure, toJsonResponse } from "#app/session/run-action.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { createHiding } from "#app/stories/library/hiding.server.ts";
import { readFollowing, readHiddenItems } from "#app/stories/library/library.server.ts";
import { getFollowingPath, getHiddenItemsPath } from "#app/stories/library/library.ts";
import {
  getLatestTime,
  getPublishedStories,
  type createPublishedService,
  type PublishedStory,
} from "#app/stories/published.server.ts";
import { removeBidiControls } from "#app/ui/bdi.tsx";
import {
  ANSWER_KINDS,
  getAnswersPath,
  getReadRecordPath,
  MAX_ANSWERS,
  MAX_COUNTED,
  MAX_READ_KEYS,
  type AnswerKind,
  type AnswersSummary,
  type ReadRecord,
} from "./answer.ts";

const CALL = { timeoutMs: 2000 };

/** How long new chapters of followed writers are listed. */
const CHAPTERS_MS = 90 * 24 * 60 * 60_000;

const MAX_CHAPTERS = 12;

/** How many answers are read at a time: more than 200, to find those to delete. */
const PAGE_SIZE = 300;

/** How many pages are read to find 200 answers that are shown. */
const MAX_PAGES = 4;

/** How long a count may be reused while nobody writes in the room. Otherwise each request would read several documents. */
const COUNT_MAX_AGE_MS = 60_000;

const MAX_COUNTS = 1000;

/** How many answers are read first to count what is new: some may be read already, deleted, or from hidden people. */
const MAX_READ_TO_COUNT = 50;

const MAX_TRIES = 4;

const MAX_KEY_LENGTH = 150;

/** A stored answer, or what a followed writer has published. */
export type Answer = {
  /** The id of the message; for a story, its id and the time. */
  key: string;
  /** Milliseconds since the Unix epoch, with microseconds as a fraction. */
  at: number;
} & ({ kind: AnswerKind; from: string } | { kind: "chapter"; story: PublishedStory });

const storedSchema = z.object({
  kind: z.enum(ANSWER_KINDS),
  from: z.string().min(1),
  at: z.instanceof(PreciseDate).transform(({ time }) => time),
});

const readRecordSchema = z.object({ until: z.number(), keys: z.array(z.string()) });

const NOTHING_READ: ReadRecord = { until: 0, keys: [] };

export interface AnswerList {
  /** Newest first, without those of hidden people. */
  answers: Answer[];
  record: ReadRecord;
  /** The ids of answers to delete, once there are more than 200: older ones, and those whose messages are gone. */
  surplus: string[];
}

/** Reads, deletes and marks as read the answers to a user. */
function createAnswerService(env: Env, published: ReturnType<typeof createPublishedService>) {
  const counts = createReadCache<AnswersSummary | null>(() => Date.now(), MAX_COUNTS);

  /** @throws {UnavailableError} */
  async function readState(user: AuthUser) {
    const { uid } = user;
    const paths = [getReadRecordPath(uid), getFollowingPath(uid), getHiddenItemsPath(uid)];
    const { documents } = await requireRead(asUser(env, user).batchGet(paths, CALL));
    const [record, following, hidden] = documents;
    return {
      record: readRecordSchema.safeParse(record?.fields).data ?? NOTHING_READ,
      writers: readFollowing(following?.fields).map((writer) => writer.uid),
      findHiding: createHiding(readHiddenItems(hidden?.fields)),
    };
  }

  /**
   * Returns what followed writers have published since a time, newest first, without hidden stories.
   *
   * @throws {UnavailableError}
   */
  async function listChapters(
    { writers, findHiding }: Pick<Awaited<ReturnType<typeof readState>>, "writers" | "findHiding">,
    since: number,
  ): Promise<Answer[]> {
    if (writers.length === 0) return [];
    const from = Math.max(since, Date.now() - CHAPTERS_MS);
    const stories = await published.listUpdated(writers, from);
    return stories
      .filter((story) => !findHiding(story))
      .map(toChapter)
      .filter(({ at }) => at > from)
      .toSorted((a, b) => b.at - a.at)
      .slice(0, MAX_CHAPTERS);
  }

  /** Reads answers, newest first. @throws {UnavailableError} */
  function readStored(
    firestore: Firestore,
    user: AuthUser,
    options: Pick<QueryOptions, "where" | "limit">,
    last?: DocumentSnapshot,
  ): Promise<DocumentSnapshot[]> {
    const startAfter = last && ([last.fields.at, last.path] as const);
    const query = { ...options, orderBy: ["at", "desc"], startAfter } as const;
    return requireRead(firestore.query(getAnswersPath(user.uid), query, CALL));
  }

  /** @throws {UnavailableError} */
  async function list(user: AuthUser): Promise<AnswerList> {
    const firestore = asUser(env, user);
    const readAfter = (last?: DocumentSnapshot) =>
      readStored(firestore, user, { limit: PAGE_SIZE }, last);
    const people = { limit: MAX_HIDDEN, isKeysOnly: true };
    const [newest, hidden, { record, chapters }] = await Promise.all([
      readAfter(),
      requireRead(firestore.query(getHiddenPath(user.uid), people, CALL)),
      readState(user).then(async (state) => ({
        record: state.record,
        chapters: await listChapters(state, 0),
      })),
    ]);
    const hiddenUids = new Set(hidden.map(({ id }) => id));
    const isVisible = (answer: Answer) => !hiddenUids.has(getSender(answer));
    const hasSurplus = newest.length > MAX_ANSWERS;
    const documents: DocumentSnapshot[] = [];
    const existing: Answer[] = [];
    let kept: Answer[] = [];
    for (let page = newest; ; page = await readAfter(page.at(-1))) {
      documents.push(...page);
      const answers = page.flatMap(toAnswer);
      // An answer that is not shown must not take the place of one that is.
      const { messages } = hasSurplus ? await readCauses(firestore, user, answers) : {};
      existing.push(...answers.filter(({ key }) => messages?.has(key) ?? true));
      kept = existing.filter(isVisible).slice(0, MAX_ANSWERS);
      const isEnd = page.length < PAGE_SIZE || documents.length >= MAX_PAGES * PAGE_SIZE;
      if (isEnd || kept.length === MAX_ANSWERS) break;
    }
    // Answers of hidden people stay as long as all others, because their senders could see that they were deleted.
    const storedIds = new Set([...existing.slice(0, MAX_ANSWERS), ...kept].map(({ key }) => key));
    return {
      answers: [...kept, ...chapters.filter(isVisible)].toSorted((a, b) => b.at - a.at),
      record,
      surplus: hasSurplus ? documents.flatMap(({ id }) => (storedIds.has(id) ? [] : [id])) : [],
    };
  }

  /** Counts what is new, up to one more than is shown. @throws {UnavailableError} */
  async function count(user: AuthUser): Promise<AnswersSummary | null> {
    const firestore = asUser(env, user);
    const state = await readState(user);
    const { record } = state;
    const where = [["at", ">", new Date(record.until)]] as const;
    const isUnread = (answer: Answer) => isNew(answer, record);
    const [documents, chapters] = await Promise.all([
      readStored(firestore, user, { where, limit: MAX_READ_TO_COUNT }),
      listChapters(state, record.until),
    ]);
    const answers = [...documents.flatMap(toAnswer), ...chapters];
    const summary = await summarize(firestore, user, answers.filter(isUnread));
    if (summary || documents.length < MAX_READ_TO_COUNT) return summary;
    // Newer ones that are not shown must not hide the others.
    const last = documents.at(-1);
    const others = await readStored(firestore, user, { where, limit: PAGE_SIZE }, last);
    return summarize(firestore, user, others.flatMap(toAnswer).filter(isUnread));
  }

  /** Counts those that are shown, and returns `null` if none is. @throws {UnavailableError} */
  async function summarize(
    firestore: Firestore,
    user: AuthUser,
    answers: readonly Answer[],
  ): Promise<AnswersSummary | null> {
    if (answers.length === 0) return null;
    const { messages, hiddenUids } = await readCauses(firestore, user, answers);
    const shown = answers.filter(
      (answer) =>
        !hiddenUids.has(getSender(answer)) &&
        (answer.kind === "chapter" || messages.has(answer.key)),
    );
    const [newest] = shown.toSorted((a, b) => b.at - a.at);
    return newest
      ? {
          count: Math.min(shown.length, MAX_COUNTED + 1),
          newest: toNewest(newest, messages),
        }
      : null;
  }

  /** Reads the messages, and which of the senders and writers the user has hidden. @throws {UnavailableError} */
  async function readCauses(firestore: Firestore, user: AuthUser, answers: readonly Answer[]) {
    const people = answers.map((answer) => `${getHiddenPath(user.uid)}/${getSender(answer)}`);
    const paths = [...new Set([...people, ...answers.flatMap(listMessagePaths)])];
    const { documents } = await requireRead(firestore.batchGet(paths, CALL));
    const found = documents.flatMap((document) => document ?? []);
    const isPerson = ({ path }: DocumentSnapshot) => people.includes(path);
    return {
      hiddenUids: new Set(found.filter(isPerson).map(({ id }) => id)),
      messages: toMessages(found.filter((document) => !isPerson(document))),
    };
  }

  return {
    list,

    /**
     * Returns how much is new to a user, and the newest of it; `null` if nothing is.
     *
     * @param newestMessage the time of the room's newest message, in milliseconds since the Unix epoch. Until there is a
     *   newer one, nobody has a new answer
     * @param changedAt counts that were read before are not reused. Milliseconds since the Unix epoch
     * @throws {UnavailableError}
     */
    async countNew(
      user: AuthUser,
      newestMessage: number,
      changedAt: number,
    ): Promise<AnswersSummary | null> {
      const requirements = { maxAgeMs: COUNT_MAX_AGE_MS, changedAt };
      const key = `${user.uid} ${newestMessage}`;
      return (await counts.read(key, requirements, () => count(user))).value;
    },

    /**
     * Returns the messages of answers, with what they are about. Those that were deleted are missing.
     *
     * @throws {UnavailableError}
     */
    async findMessages(user: AuthUser, ids: readonly string[]): Promise<Map<string, Message>> {
      if (ids.length === 0) return new Map();
      const paths = ids.flatMap((id) => [getMessagePath(id), getTopicPath(id)]);
      const { documents } = await requireRead(asUser(env, user).batchGet(paths, CALL));
      const found = documents.flatMap((document) => document ?? []);
      const topics = new Map(found.map(({ path, fields }) => [path, readTopic(fields)]));
      const messages = found.filter(({ path }) => path.startsWith(MESSAGES_PATH));
      return toMessages(messages, (id) => topics.get(getTopicPath(id)));
    },

    /** Deletes answers. @throws {FirestoreError | UnavailableError} */
    async remove(user: AuthUser, ids: readonly string[]): Promise<void> {
      const path = getAnswersPath(user.uid);
      const writes = ids.map((id) => ({ path: `${path}/${id}`, delete: true }) as const);
      for (let start = 0; start < writes.length; start += MAX_WRITES) {
        await asUser(env, user).commit(writes.slice(start, start + MAX_WRITES));
      }
    },

    /**
     * Marks everything up to a time as read, or the answer or chapter with a key.
     *
     * @throws {FirestoreError | UnavailableError}
     */
    async markRead(user: AuthUser, read: { until: number } | { key: string }): Promise<void> {
      const firestore = asUser(env, user);
      const path = getReadRecordPath(user.uid);
      // Another device may read something else at the same moment.
      await retryIfChanged(MAX_TRIES, async () => {
        const document = await firestore.get(path);
        const record = readRecordSchema.safeParse(document?.fields).data ?? NOTHING_READ;
        const fields =
          "key" in read
            ? { ...record, keys: [...new Set([...record.keys, read.key])].slice(-MAX_READ_KEYS) }
            : { ...record, until: Math.max(record.until, read.until) };
        await firestore.commit([{ path, fields, ...ifUnchanged(document) }]);
      });
    },
  };
}

/** Whether the user has not read an answer. */
export function isNew({ key, at }: Pick<Answer, "key" | "at">, record: ReadRecord): boolean {
  return Math.floor(at) > record.until && !record.keys.includes(key);
}

function toAnswer({ id, fields }: DocumentSnapshot): Answer[] {
  const { data } = storedSchema.safeParse(fields);
  return data ? [{ ...data, key: id }] : [];
}

function toChapter(story: PublishedStory): Answer {
  const at = getLatestTime(story);
  return { kind: "chapter", key: `${story.id}~${Math.floor(at)}`, at, story };
}

/** What the person has done, in the words that follow their name. */
export function describeAnswer(answer: Answer): string {
  if (answer.kind !== "chapter") return ANSWERED[answer.kind];
  const isNewChapter = answer.at > answer.story.publishedAt;
  return isNewChapter ? "published a new chapter" : "published a new story";
}

const ANSWERED = { reply: "replied to you", quote: "quoted your story" };

function toNewest(answer: Answer, messages: ReadonlyMap<string, Message>) {
  const message = messages.get(answer.key);
  const isChapter = answer.kind === "chapter";
  const name = isChapter ? answer.story.author : (message?.displayName ?? "");
  const story = readSubject(message?.text ?? "")?.story;
  const toPath = (sentAt: number | undefined) =>
    isChapter ? toStoryPath(answer.story.id) : toMessageInRoomPath(answer.key, { story, sentAt });
  return {
    key: answer.key,
    at: answer.at,
    text: removeBidiControls(`${name} ${describeAnswer(answer)}`),
    path: toPath(undefined),
    laterPath: toPath(message?.createdAt ?? undefined),
  };
}

/** Returns the uid of the person who has written the message, or the story. */
function getSender(answer: Answer): string {
  return answer.kind === "chapter" ? answer.story.uid : answer.from;
}

function listMessagePaths(answer: Answer): string[] {
  return answer.kind === "chapter" ? [] : [getMessagePath(answer.key)];
}

function toMessages(
  documents: readonly DocumentSnapshot[],
  findTopic: (id: string) => Topic | undefined = () => undefined,
): Map<string, Message> {
  return new Map(
    documents
      .flatMap(toMessage)
      .map((message) => [message.id, { ...message, topic: findTopic(message.id) }]),
  );
}

export const getAnswers = createServiceGetter((env, context) =>
  createAnswerService(env, getPublishedStories(context)),
);

/** Marks the answer that the user opens as read. Responds to scripts with JSON. */
export async function readAnswer(args: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(args.request, ["uid", "answer"]);
  const run = await runRoomAction(args, form, async (user) => {
    const key = form.get("answer") ?? "";
    if (!isDocumentId(key) || key.length > MAX_KEY_LENGTH) {
      throw new ActionFailure({ reason: "invalid" });
    }
    await getAnswers(args.context).markRead(user, { key });
  });
  return toJsonResponse(run);
}
