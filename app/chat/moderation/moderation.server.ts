import * as z from "zod";

import { listCausePaths, toAnswerDeletions } from "#app/chat/answers/answer-writes.server.ts";
import { getPublicName } from "#app/chat/message.ts";
import { getTopicPath } from "#app/chat/quotes/topics.server.ts";
import { readReportedStory, toStoryReportsId } from "#app/chat/report.ts";
import { EDITS_PATH } from "#app/chat/room-address.ts";
import { getMessagePath } from "#app/chat/stored-messages.server.ts";
import { createServiceGetter, type Env } from "#app/env.server.ts";
import { formatCursor, type Cursor } from "#app/firebase/cursor.ts";
import { DatabaseError, updateValues } from "#app/firebase/database.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { isRejected, requireRead } from "#app/firebase/firestore-error.server.ts";
import type {
  DocumentSnapshot,
  Fields,
  QueryOptions,
  Write,
} from "#app/firebase/firestore-types.ts";
import { asUser, PreciseDate } from "#app/firebase/firestore.server.ts";
import { ifUnchanged } from "#app/firebase/preconditions.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { countDocument, getRateRecordPath } from "#app/session/rate-record.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { MAX_PARTS } from "#app/stories/story-text.server.ts";
import { MODERATION_ACTIONS, type LogEntry, type LogPage, type ModerationAction } from "./log.ts";
import { splitReason, type MutedPage, type MutedPerson, type ReportsSubject } from "./reports.ts";
import { getMutedPath } from "#app/chat/presence.ts";
import { getMutePath, UNTIL_LIFTED } from "./mute.ts";
import { readReports, type StoredReport } from "./report-queue.server.ts";

const LOG_PATH = "moderation";
const MUTES_PATH = "mutes";

/** How many muted people, and entries of the log, are on a page. */
const PAGE_SIZE = 20;

/** How often an action is tried when another operator does something about the same message. */
const MAX_TRIES = 3;

const OPTIONS = { timeoutMs: 2000 };

const HANDLED = { reason: "gone", message: "Another operator has already handled this." } as const;

const MUTED_LONGER = {
  reason: "too-many",
  message: "They're already muted for as long.",
  hint: "Delete the message or dismiss the reports, or lift the mute first.",
} as const;

const muteSchema = z.object({
  name: z.string(),
  until: z.instanceof(PreciseDate),
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
  at: z.date(),
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

/** A query whose pages are ordered by a time. */
type PageQuery = Pick<QueryOptions, "where"> & { orderBy: [field: string, direction: "desc"] };

/** What an action reads: documents by path, the reports of its message, and the database's time. */
interface State {
  find: (path: string) => DocumentSnapshot | null;
  reports: StoredReport[];
  now: Date;
}

/**
 * What operators do, the mutes and the log. `firestore.rules` allows it only to them, and each action only with its entry
 * in the log.
 */
function createModerationService(env: Env) {
  /** Reads the documents that name the recipients of a message. */
  async function readCauses(user: AuthUser, topic: Fields) {
    const paths = listCausePaths(topic);
    if (paths.length === 0) return () => undefined;
    const { documents } = await asUser(env, user).batchGet(paths, OPTIONS);
    return (path: string) => documents.find((document) => document?.path === path)?.fields;
  }

  /**
   * Commits what an operator does together with its entry in the log, and again if what it depends on changes meanwhile.
   *
   * @param options.messageId of the reports that it closes
   * @param options.sender whose reports must be open. @default reports of all senders, if there are any
   * @throws {ActionFailure | FirestoreError | UnavailableError}
   */
  async function act(
    user: AuthUser,
    { paths, messageId, sender }: { paths: readonly string[] } & Partial<ReportsSubject>,
    toChange: (state: State) => Change | Promise<Change>,
  ): Promise<void> {
    const firestore = asUser(env, user);
    const record = getRateRecordPath(user.uid, "moderation");
    for (let tries = 1; ; tries += 1) {
      const [{ documents, readTime: now }, reports] = await Promise.all([
        firestore.batchGet([record, ...paths], OPTIONS),
        messageId === undefined
          ? []
          : readReports(env, user, {
              where: [
                ["messageId", "==", messageId],
                ...(sender === undefined ? [] : [["sender", "==", sender] as const]),
              ],
            }),
      ]);
      if (sender !== undefined && reports.length === 0) throw new ActionFailure(HANDLED);
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

  /** Reads a page of documents by the time in the field that orders them, and the cursor of the next page. */
  async function readPage(user: AuthUser, path: string, query: PageQuery, after: Cursor | null) {
    const documents = await requireRead(
      asUser(env, user).query(
        path,
        {
          ...query,
          // One more shows whether there is a next page.
          limit: PAGE_SIZE + 1,
          ...(after && { startAfter: [new PreciseDate(after.time), `${path}/${after.id}`] }),
        },
        OPTIONS,
      ),
    );
    const page = documents.slice(0, PAGE_SIZE);
    const last = documents.length > PAGE_SIZE ? page.at(-1) : undefined;
    const time = last?.fields[query.orderBy[0]];
    const next =
      last && time instanceof PreciseDate ? formatCursor({ id: last.id, time: time.time }) : null;
    return { documents: page, next };
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

  return {
    /**
     * Returns the people who are muted now, those whose mute ends last first, or those after a cursor.
     *
     * @throws {UnavailableError}
     */
    async listMuted(user: AuthUser, now: number, after: Cursor | null): Promise<MutedPage> {
      const query: PageQuery = {
        where: [["until", ">", new Date(now)]],
        orderBy: ["until", "desc"],
      };
      const { documents, next } = await readPage(user, MUTES_PATH, query, after);
      const people = documents.flatMap(({ id, fields }): MutedPerson[] => {
        const { data } = muteSchema.safeParse(fields);
        return data
          ? [{ ...data, uid: id, until: data.until.getTime(), at: data.at.getTime() }]
          : [];
      });
      return { people, next };
    },

    /** Returns the newest entries of the log, or those before a cursor. @throws {UnavailableError} */
    async listLog(user: AuthUser, before: Cursor | null): Promise<LogPage> {
      const query: PageQuery = { orderBy: ["at", "desc"] };
      const { documents, next } = await readPage(user, LOG_PATH, query, before);
      const entries = documents.flatMap(({ id, fields }): LogEntry[] => {
        const { data } = logSchema.safeParse(fields);
        if (!data) return [];
        const { target, until, at, ...entry } = data;
        return [
          {
            ...entry,
            id,
            isStory: readReportedStory(target) !== null,
            until: until?.getTime() ?? null,
            at: at.getTime(),
          },
        ];
      });
      return { entries, before: next };
    },

    /** Deletes a reported message and closes its reports. @throws {ActionFailure | FirestoreError | UnavailableError} */
    delete(user: AuthUser, reported: ReportsSubject): Promise<void> {
      const { messageId, sender: person } = reported;
      const own = [
        getMessagePath(messageId),
        `${EDITS_PATH}/${messageId}`,
        getTopicPath(messageId),
      ];
      return act(user, { paths: own, ...reported }, async ({ find, reports }) => {
        const topic = find(getTopicPath(messageId))?.fields;
        const cause = topic && { id: messageId, uid: person, topic };
        const sender = find(getMessagePath(messageId))?.fields.uid;
        const isAnothers = sender !== undefined && sender !== person;
        return {
          entry: { action: "delete", ...toSubject(reports) },
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
    dismiss(user: AuthUser, reported: ReportsSubject): Promise<void> {
      return act(user, { paths: [], ...reported }, ({ reports }) => ({
        entry: { action: "dismiss", ...toSubject(reports) },
        writes: close(reports),
      }));
    },

    /**
     * Mutes the sender of a reported message, and closes its reports. A mute that ends as late stays, with the person's
     * appeal.
     *
     * @param durationMs `Infinity` until it is lifted
     * @param alsoDelete whether the message is deleted, too
     * @throws {ActionFailure | FirestoreError | UnavailableError}
     */
    async mute(
      user: AuthUser,
      {
        reported,
        durationMs,
        reason,
        alsoDelete,
      }: { reported: ReportsSubject; durationMs: number; reason: string; alsoDelete: boolean },
    ): Promise<void> {
      const path = getMutePath(reported.sender);
      let mutedUntil = 0;
      await act(user, { paths: [path], ...reported }, ({ find, reports, now }) => {
        const subject = toSubject(reports);
        const until = new Date(Math.min(now.getTime() + durationMs, UNTIL_LIFTED));
        mutedUntil = until.getTime();
        const current = find(path);
        const { data } = muteSchema.safeParse(current?.fields);
        if (data && data.until.getTime() >= mutedUntil) throw new ActionFailure(MUTED_LONGER);
        return {
          entry: { action: "mute", ...subject, reason, until },
          writes: [
            {
              path,
              fields: { name: subject.name, until, reason, appeal: null },
              serverTimestamps: ["at"],
              // Another operator may mute them meanwhile.
              ...ifUnchanged(current),
            },
            // The deletion closes them, too.
            ...(alsoDelete ? [] : close(reports)),
          ],
        };
      });
      try {
        // First, because the Realtime Database may not respond.
        if (alsoDelete) await this.delete(user, reported);
      } finally {
        await copyMute(user, reported.sender, { until: mutedUntil, reason });
      }
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

    /** Logs an action outside of Firestore. @throws {ActionFailure | FirestoreError | UnavailableError} */
    log: (user: AuthUser, entry: LoggedAction): Promise<void> =>
      act(user, { paths: [] }, () => ({ entry, writes: [] })),

    /**
     * Unpublishes a story, as its writer does, and closes its reports.
     *
     * @throws {ActionFailure | FirestoreError | UnavailableError}
     */
    unpublish(user: AuthUser, story: string, reason: string): Promise<void> {
      const path = `stories/${story}`;
      const messageId = toStoryReportsId(story);
      return act(user, { paths: [path], messageId }, ({ find, reports }) => {
        const { data } = storySchema.safeParse(find(path)?.fields);
        if (!data) throw new ActionFailure(HANDLED);
        const parts = Array.from({ length: MAX_PARTS }, (_, part) => `${path}/parts/${part}`);
        const { uid: person, author: name } = data;
        return {
          entry: { action: "unpublish", target: story, person, name, reason },
          writes: [
            ...[...parts, path].map(toDeletion),
            ...close(reports.filter(({ sender }) => sender === person)),
          ],
        };
      });
    },
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
