import * as z from "zod";

import { listCausePaths, toAnswerDeletions } from "#app/chat/answers/answer-writes.server.ts";
import { getEditsPath, getMessagesPath, getPublicName, type Message } from "#app/chat/message.ts";
import { readSubject } from "#app/chat/quotes/quote.ts";
import { getTopicPath } from "#app/chat/quotes/topics.server.ts";
import { readReportedStory, REPORTS_PATH, toStoryReportsId } from "#app/chat/report.ts";
import { ROOM_ID, toMessageInRoomPath } from "#app/chat/room-address.ts";
import { toMessage, getMessagePath } from "#app/chat/stored-messages.server.ts";
import { createServiceGetter, type Env } from "#app/env.server.ts";
import { formatCursor, type Cursor } from "#app/firebase/cursor.ts";
import { DatabaseError, updateValues } from "#app/firebase/database.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { isRejected } from "#app/firebase/firestore-error.server.ts";
import type {
  DocumentSnapshot,
  Fields,
  QueryOptions,
  Write,
} from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { PreciseDate } from "#app/firebase/precise-date.server.ts";
import { requireRead } from "#app/firebase/require-read.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { countDocument, getRateRecordPath } from "#app/session/rate-record.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import { MAX_PARTS } from "#app/stories/story-parts.ts";
import { MODERATION_ACTIONS, type LogEntry, type LogPage, type ModerationAction } from "./log.ts";
import { getMutedPath } from "./mute-copy.ts";
import { getMutePath, UNTIL_LIFTED } from "./mute.ts";
import { splitReason, type MutedPerson, type ReportPage, type ReportedMessage } from "./reports.ts";

const LOG_PATH = "moderation";
const MUTES_PATH = "mutes";

/** How many reports, of all messages, are read at a time. `firestore.rules` has the same limit. */
const MAX_REPORTS = 200;

/** How many messages are shown at a time: each takes two requests, for the messages before and after it. */
const MAX_MESSAGES = 10;

/** How many messages a page can be about, with those that an earlier page has shown: the most that a query compares. */
const MAX_COMPARED = 30;

/** How many muted people are shown. `firestore.rules` has the same limit. */
const MAX_MUTES = 100;

const LOG_PAGE_SIZE = 20;

/** How often an action is tried when another operator does something about the same message. */
const MAX_TRIES = 3;

const OPTIONS = { timeoutMs: 2000 };

const HANDLED = { reason: "gone", message: "Another operator has already handled this." } as const;

const reportSchema = z.object({
  messageId: z.string(),
  sender: z.string(),
  text: z.string(),
  reason: z.string(),
  createdAt: z.instanceof(PreciseDate),
  reporterName: z.string(),
  senderName: z.string(),
  sentAt: z.instanceof(PreciseDate),
});

type StoredReport = z.infer<typeof reportSchema> & { path: string };

const muteSchema = z.object({
  name: z.string(),
  until: z.date(),
  reason: z.string(),
  appeal: z.string().nullable().catch(null),
  at: z.date(),
});

const logSchema = z.object({
  action: z.enum(MODERATION_ACTIONS),
  target: z.string(),
  byName: z.string(),
  person: z.string(),
  name: z.string(),
  reason: z.string(),
  until: z.date().nullable(),
  at: z.instanceof(PreciseDate),
});

const storySchema = z.object({ title: z.string(), uid: z.string(), author: z.string() });

/** What an operator does, as the log says it. */
interface LoggedAction {
  action: ModerationAction;
  /** The id of the message, story or person. */
  target: string;
  /** The uid of the person whose message, mute or story it is. */
  person: string;
  name: string;
  reason: string;
  until?: Date;
}

interface Change {
  entry: LoggedAction;
  writes: Write[];
}

/** What an action reads: documents by path, the reports of its message, and the database's time. */
interface State {
  find: (path: string) => DocumentSnapshot | null;
  reports: StoredReport[];
  now: Date;
}

/** What operators see and do. `firestore.rules` allow it only to them, and each action only with its entry in the log. */
function createModerationService(env: Env) {
  /** Returns up to 200 reports that a query finds, newest first. */
  async function readReports(
    user: AuthUser,
    query: Omit<QueryOptions, "limit">,
  ): Promise<StoredReport[]> {
    const documents = await requireRead(
      asUser(env, user).query(REPORTS_PATH, { ...query, limit: MAX_REPORTS }, OPTIONS),
    );
    return documents
      .flatMap(({ path, fields }) => {
        const { data } = reportSchema.safeParse(fields);
        return data ? [{ ...data, path }] : [];
      })
      .toSorted((a, b) => b.createdAt.time - a.createdAt.time);
  }

  /** Returns those messages that a page before the cursor has shown, because they have a newer report. */
  async function findShown(
    user: AuthUser,
    messageIds: readonly string[],
    after: Cursor | null,
  ): Promise<ReadonlySet<string>> {
    if (!after || messageIds.length === 0) return new Set();
    const reports = await readReports(user, { where: [["messageId", "in", messageIds]] });
    const shown = reports.filter(
      ({ createdAt: { time }, path }) =>
        time > after.time || (time === after.time && path >= toReportPath(after.id)),
    );
    return new Set(shown.map(({ messageId }) => messageId));
  }

  /** Reads the documents that name the recipients of a message. */
  async function readCauses(user: AuthUser, topic: Fields) {
    const paths = listCausePaths(topic);
    if (paths.length === 0) return () => undefined;
    const { documents } = await asUser(env, user).batchGet(paths, OPTIONS);
    return (path: string) => documents.find((document) => document?.path === path)?.fields;
  }

  /** Returns the message before or after a time. */
  async function readBeside(createdAt: PreciseDate, side: "before" | "after") {
    const isBefore = side === "before";
    const [document] = await requireRead(
      asUser(env, null).query(
        getMessagesPath(ROOM_ID),
        {
          where: [["createdAt", isBefore ? "<" : ">", createdAt]],
          orderBy: ["createdAt", isBefore ? "desc" : "asc"],
          limit: 1,
        },
        OPTIONS,
      ),
    );
    return (document && toMessage(document)[0]) ?? null;
  }

  /**
   * Commits what an operator does together with its entry in the log, and again if what it depends on changes meanwhile.
   *
   * @param options.messageId of the reports that it closes
   * @param options.mustBeOpen whether there must be such reports
   * @throws {ActionFailure | FirestoreError | UnavailableError}
   */
  async function act(
    user: AuthUser,
    {
      paths,
      messageId,
      mustBeOpen = true,
    }: { paths: readonly string[]; messageId?: string; mustBeOpen?: boolean },
    toChange: (state: State) => Change | Promise<Change>,
  ): Promise<void> {
    const firestore = asUser(env, user);
    const record = getRateRecordPath(user.uid, "moderation");
    for (let tries = 1; ; tries += 1) {
      const [{ documents, readTime: now }, reports] = await Promise.all([
        firestore.batchGet([record, ...paths], OPTIONS),
        messageId === undefined
          ? []
          : readReports(user, { where: [["messageId", "==", messageId]] }),
      ]);
      if (messageId !== undefined && mustBeOpen && reports.length === 0)
        throw new ActionFailure(HANDLED);
      const find = (path: string) => documents.find((found) => found?.path === path) ?? null;
      const { entry, writes } = await toChange({ find, reports, now });
      if (entry.person === user.uid) throw new ActionFailure({ reason: "denied" });
      const id = createDocumentId();
      const count = { uid: user.uid, kind: "moderation", id } as const;
      const next = countDocument(count, find(record), now);
      if (next.status === "too-fast") {
        throw new ActionFailure({ reason: "too-fast", waitMs: next.waitMs });
      }
      const byName = getPublicName(user.displayName);
      const fields = { until: null, ...entry, by: user.uid, byName };
      const log = { path: `${LOG_PATH}/${id}`, fields, serverTimestamps: ["at"], exists: false };
      try {
        await firestore.commit([log, next.write, ...writes]);
        return;
      } catch (error) {
        if (!isRejected(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Sets or removes the copy of a mute, by which the Realtime Database refuses what others would see of the person. */
  async function copyMute(
    user: AuthUser,
    uid: string,
    mute: { until: number; reason: string } | null,
  ): Promise<void> {
    const path = getMutedPath(uid);
    const values = mute
      ? { [`${path}/until`]: mute.until, [`${path}/reason`]: mute.reason }
      : { [path]: null };
    try {
      await updateValues(env, user, values);
    } catch (cause) {
      if (!(cause instanceof DatabaseError || cause instanceof UnavailableError)) throw cause;
      throw new ActionFailure({
        reason: "unavailable",
        ...(mute
          ? {
              message: "They can't post, but others may see them type.",
              hint: "We couldn't reach the Realtime Database.",
            }
          : {
              message: "Not lifted.",
              hint: "We couldn't reach the Realtime Database. Try again.",
            }),
      });
    }
  }

  /** Returns how many messages have open reports, up to 200. */
  async function countOpen(user: AuthUser): Promise<number> {
    const query = { limit: MAX_REPORTS, fields: ["messageId"] };
    const reports = await requireRead(asUser(env, user).query(REPORTS_PATH, query, OPTIONS));
    return new Set(reports.map(({ fields }) => fields.messageId)).size;
  }

  return {
    /** Returns how many messages have open reports, up to 200. @throws {UnavailableError} */
    countOpen,

    /**
     * Returns the messages with open reports, those with the newest reports first: ten of all, or of those after a cursor,
     * and the number of all.
     *
     * @throws {UnavailableError}
     */
    async listReported(user: AuthUser, after: Cursor | null): Promise<ReportPage> {
      const startAfter = after
        ? ([new PreciseDate(after.time), toReportPath(after.id)] as const)
        : undefined;
      const [read, count] = await Promise.all([
        readReports(user, { orderBy: ["createdAt", "desc"], startAfter }),
        after ? countOpen(user) : null,
      ]);
      const byMessage = new Map<string, StoredReport[]>();
      for (const report of read) {
        byMessage.set(report.messageId, [...(byMessage.get(report.messageId) ?? []), report]);
      }
      const compared = [...byMessage.keys()].slice(0, MAX_COMPARED);
      const shownBefore = await findShown(user, compared, after);
      const ids = compared.filter((id) => !shownBefore.has(id)).slice(0, MAX_MESSAGES);
      const end = ids.length === MAX_MESSAGES ? ids.at(-1) : compared.at(-1);
      const next = findNext(read, [...byMessage.keys()], end);
      const total = count ?? byMessage.size;
      const shown = ids.map((id) => byMessage.get(id) ?? []);
      const paths = shown.flatMap(([report]) =>
        report ? [toReportedPath(report), ...toStoryPaths(report)] : [],
      );
      if (paths.length === 0) return { total, messages: [], next };
      const firestore = asUser(env, user);
      const { documents } = await requireRead(firestore.batchGet([...new Set(paths)], OPTIONS));
      const find = (path: string) => documents.find((document) => document?.path === path);
      const messages = await Promise.all(
        shown.map(async ([first, ...others]): Promise<ReportedMessage[]> => {
          if (!first) return [];
          const isStory = readReportedStory(first.messageId) !== null;
          const found = find(toReportedPath(first));
          // Another person may have used the id of a deleted message.
          const stored = found?.fields.uid === first.sender ? found : null;
          const createdAt = stored?.fields.createdAt;
          const [before, after] =
            !isStory && createdAt instanceof PreciseDate
              ? await Promise.all([readBeside(createdAt, "before"), readBeside(createdAt, "after")])
              : [null, null];
          const [storyPath = ""] = toStoryPaths(first);
          const story = storySchema.safeParse(find(storyPath)?.fields).data;
          return [
            {
              isStory,
              message: toReportedMessage(first, isStory ? null : stored),
              path: stored ? toPath(first) : null,
              isOwn: first.sender === user.uid,
              before,
              after,
              story:
                story && story.uid !== user.uid
                  ? { id: storyPath.slice(storyPath.indexOf("/") + 1), title: story.title }
                  : null,
              reports: [first, ...others].map(({ reporterName, reason, text, createdAt }) => ({
                reporterName,
                ...splitReason(reason),
                text: text === first.text ? null : text,
                at: createdAt.getTime(),
              })),
            },
          ];
        }),
      );
      return { total, messages: messages.flat(), next };
    },

    /** Returns the people who are muted now, those whose mute ends last first. @throws {UnavailableError} */
    async listMuted(user: AuthUser, now: number): Promise<MutedPerson[]> {
      const documents = await requireRead(
        asUser(env, user).query(
          MUTES_PATH,
          {
            where: [["until", ">", new Date(now)]],
            orderBy: ["until", "desc"],
            limit: MAX_MUTES,
          },
          OPTIONS,
        ),
      );
      return documents.flatMap(({ id, fields }) => {
        const { data } = muteSchema.safeParse(fields);
        return data
          ? [{ ...data, uid: id, until: data.until.getTime(), at: data.at.getTime() }]
          : [];
      });
    },

    /** Returns the newest entries of the log, or those before a cursor. @throws {UnavailableError} */
    async listLog(user: AuthUser, before: Cursor | null): Promise<LogPage> {
      const documents = await requireRead(
        asUser(env, user).query(
          LOG_PATH,
          {
            orderBy: ["at", "desc"],
            limit: LOG_PAGE_SIZE + 1,
            ...(before && {
              startAfter: [new PreciseDate(before.time), `${LOG_PATH}/${before.id}`],
            }),
          },
          OPTIONS,
        ),
      );
      const entries = documents.flatMap(({ id, fields }) => {
        const { data } = logSchema.safeParse(fields);
        return data ? [{ ...data, id }] : [];
      });
      const page = entries.slice(0, LOG_PAGE_SIZE);
      const last = entries.length > LOG_PAGE_SIZE ? page.at(-1) : undefined;
      return {
        entries: page.map(({ target, until, at, ...entry }): LogEntry => ({
          ...entry,
          isStory: readReportedStory(target) !== null,
          until: until?.getTime() ?? null,
          at: at.getTime(),
        })),
        before: last ? formatCursor({ id: last.id, time: last.at.time }) : null,
      };
    },

    /** Deletes a reported message and closes its reports. @throws {ActionFailure | FirestoreError | UnavailableError} */
    delete(user: AuthUser, messageId: string): Promise<void> {
      const own = [
        getMessagePath(messageId),
        `${getEditsPath(ROOM_ID)}/${messageId}`,
        getTopicPath(messageId),
      ];
      return act(user, { paths: own, messageId }, async ({ find, reports }) => {
        const subject = toSubject(reports);
        const topic = find(getTopicPath(messageId))?.fields;
        const cause = topic && { id: messageId, uid: subject.person, topic };
        const sender = find(getMessagePath(messageId))?.fields.uid;
        const isAnothers = sender !== undefined && sender !== subject.person;
        return {
          entry: { action: "delete", ...subject },
          writes: [
            ...(isAnothers ? [] : own.filter((path) => find(path)).map(toDeletion)),
            ...(cause && !isAnothers
              ? toAnswerDeletions(cause, await readCauses(user, cause.topic))
              : []),
            ...close(reports),
          ],
        };
      });
    },

    /** Closes the reports of a message. @throws {ActionFailure | FirestoreError | UnavailableError} */
    dismiss(user: AuthUser, messageId: string): Promise<void> {
      return act(user, { paths: [], messageId }, ({ reports }) => ({
        entry: { action: "dismiss", ...toSubject(reports) },
        writes: close(reports),
      }));
    },

    /**
     * Mutes the sender of a reported message.
     *
     * @param durationMs `Infinity` until it is lifted
     * @param isClosing whether that closes the message's reports
     * @throws {ActionFailure | FirestoreError | UnavailableError}
     */
    async mute(
      user: AuthUser,
      {
        messageId,
        durationMs,
        reason,
        isClosing,
      }: { messageId: string; durationMs: number; reason: string; isClosing: boolean },
    ): Promise<void> {
      let muted = { person: "", until: 0 };
      await act(user, { paths: [], messageId }, ({ reports, now }) => {
        const subject = toSubject(reports);
        const { person, name } = subject;
        const until = new Date(Math.min(now.getTime() + durationMs, UNTIL_LIFTED));
        muted = { person, until: until.getTime() };
        return {
          entry: { action: "mute", ...subject, reason, until },
          writes: [
            {
              path: getMutePath(person),
              fields: { name, until, reason, appeal: null },
              serverTimestamps: ["at"],
            },
            ...(isClosing ? close(reports) : []),
          ],
        };
      });
      await copyMute(user, muted.person, { until: muted.until, reason });
    },

    /** Lets a muted person post again. @throws {ActionFailure | FirestoreError | UnavailableError} */
    async lift(user: AuthUser, person: string): Promise<void> {
      const path = getMutePath(person);
      // First, because the mute is listed, and can be lifted again, until it is deleted.
      await copyMute(user, person, null);
      await act(user, { paths: [path] }, ({ find }) => {
        const { data } = muteSchema.safeParse(find(path)?.fields);
        if (!data) throw new ActionFailure(HANDLED);
        const { name, reason } = data;
        return {
          entry: { action: "lift", target: person, person, name, reason },
          writes: [toDeletion(path)],
        };
      });
    },

    /** Unpublishes a story, as its writer does, and closes its reports. @throws {ActionFailure | FirestoreError | UnavailableError} */
    unpublish(user: AuthUser, story: string, reason: string): Promise<void> {
      const path = `stories/${story}`;
      const messageId = toStoryReportsId(story);
      const options = { paths: [path], messageId, mustBeOpen: false };
      return act(user, options, ({ find, reports }) => {
        const { data } = storySchema.safeParse(find(path)?.fields);
        if (!data) throw new ActionFailure(HANDLED);
        const parts = Array.from({ length: MAX_PARTS }, (_, part) => `${path}/parts/${part}`);
        const { uid: person, author: name } = data;
        return {
          entry: { action: "unpublish", target: story, person, name, reason },
          writes: [...[...parts, path].map(toDeletion), ...close(reports)],
        };
      });
    },
  };
}

function toReportPath(id: string): string {
  return `${REPORTS_PATH}/${id}`;
}

/**
 * Returns the cursor after the last report that a page needs.
 *
 * @param messageIds of the reports, in their order
 * @param end the last message that the page is about
 */
function findNext(
  reports: readonly StoredReport[],
  messageIds: readonly string[],
  end: string | undefined,
): string | null {
  const following = end === undefined ? undefined : messageIds[messageIds.indexOf(end) + 1];
  // Later reports of the page's messages may be read again, and are then left out.
  const index = reports.findIndex(({ messageId }) => messageId === following);
  const isFull = reports.length === MAX_REPORTS;
  const last = index > 0 ? reports[index - 1] : isFull ? reports.at(-1) : undefined;
  if (!last) return null;
  return formatCursor({ id: last.path.slice(toReportPath("").length), time: last.createdAt.time });
}

/** Returns the path of what was reported, in the database. */
function toReportedPath({ messageId }: Pick<StoredReport, "messageId">): string {
  const story = readReportedStory(messageId);
  return story === null ? getMessagePath(messageId) : `stories/${story}`;
}

/** Returns the address of what was reported. */
function toPath({ messageId, sentAt }: StoredReport): string {
  const story = readReportedStory(messageId);
  return story === null
    ? toMessageInRoomPath(messageId, { sentAt: sentAt.time })
    : toStoryPath(story);
}

/** Returns the path of the published story that was reported, or that a message is about. */
function toStoryPaths({ messageId, text }: Pick<StoredReport, "messageId" | "text">): string[] {
  const story = readReportedStory(messageId) ?? readSubject(text)?.story ?? "";
  return isPublishedId(story) ? [`stories/${story}`] : [];
}

/** Returns the message as it was reported. */
function toReportedMessage(
  { messageId: id, sender: uid, senderName, sentAt, text }: StoredReport,
  stored: DocumentSnapshot | null,
): Message {
  const [current] = stored ? toMessage(stored) : [];
  return {
    id,
    uid,
    text,
    displayName: current?.displayName ?? senderName,
    photoURL: current?.photoURL ?? null,
    createdAt: current?.createdAt ?? sentAt.time,
  };
}

/** Returns what the log says about the message of these reports. */
function toSubject(reports: readonly StoredReport[]) {
  const [{ messageId: target, sender: person, senderName: name, reason } = EMPTY_REPORT] = reports;
  return { target, person, name, reason: splitReason(reason).kind };
}

const EMPTY_REPORT = { messageId: "", sender: "", senderName: "", reason: "" };

function close(reports: readonly StoredReport[]): Write[] {
  return reports.map(({ path }) => toDeletion(path));
}

function toDeletion(path: string): Write {
  return { path, delete: true };
}

export const getModeration = createServiceGetter((env) => createModerationService(env));
