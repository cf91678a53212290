import * as z from "zod";

import type { Message } from "#app/chat/message.ts";
import { readSubject } from "#app/chat/quotes/quote.ts";
import { readReportedStory, REPORTS_PATH } from "#app/chat/report.ts";
import { MESSAGES_PATH, toMessageInRoomPath } from "#app/chat/room-address.ts";
import { toMessage, getMessagePath } from "#app/chat/stored-messages.server.ts";
import { createServiceGetter, type Env } from "#app/env.server.ts";
import { formatCursor, type Cursor } from "#app/firebase/cursor.ts";
import type { DocumentSnapshot, QueryOptions } from "#app/firebase/firestore-types.ts";
import { asUser, PreciseDate } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/firestore-error.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import {
  readReportsKey,
  splitReason,
  toReportsKey,
  type ReportPage,
  type ReportedMessage,
} from "./reports.ts";

/** How many reports, of all messages, are read at a time. `firestore.rules` has the same limit. */
const MAX_REPORTS = 200;

/** How many messages are shown at a time: each takes two requests, for the messages before and after it. */
const MAX_MESSAGES = 10;

/** How many messages a page can be about, with those that an earlier page has shown: the limit of an `in` filter. */
const MAX_COMPARED = 30;

const OPTIONS = { timeoutMs: 2000 };

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

export type StoredReport = z.infer<typeof reportSchema> & { path: string };

/** What the queue shows of a story. */
const storySchema = z.object({ title: z.string(), uid: z.string() });

/** Returns up to 200 reports that a query finds, newest first. */
export async function readReports(
  env: Env,
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

/** The messages and stories with open reports. `firestore.rules` allows only operators to read them. */
function createReportQueue(env: Env) {
  /** Returns the keys of those messages that a page before the cursor has shown, because they have a newer report. */
  async function findShown(
    user: AuthUser,
    keys: readonly string[],
    after: Cursor | null,
  ): Promise<ReadonlySet<string>> {
    if (!after || keys.length === 0) return new Set();
    const messageIds = [...new Set(keys.map((key) => readReportsKey(key).messageId))];
    const reports = await readReports(env, user, { where: [["messageId", "in", messageIds]] });
    const shown = reports.filter(
      ({ createdAt: { time }, path }) =>
        time > after.time || (time === after.time && path >= toReportPath(after.id)),
    );
    return new Set(shown.map(toReportsKey));
  }

  /** Returns the message before or after a time. */
  async function readBeside(createdAt: PreciseDate, side: "before" | "after") {
    const isBefore = side === "before";
    const [document] = await requireRead(
      asUser(env, null).query(
        MESSAGES_PATH,
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

  /** Returns how many messages have open reports, up to 200. */
  async function countOpen(user: AuthUser): Promise<number> {
    const query = { limit: MAX_REPORTS, fields: ["messageId", "sender"] };
    const reports = await requireRead(asUser(env, user).query(REPORTS_PATH, query, OPTIONS));
    const keys = reports.map(({ fields }) => JSON.stringify([fields.messageId, fields.sender]));
    return new Set(keys).size;
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
        readReports(env, user, { orderBy: ["createdAt", "desc"], startAfter }),
        after ? countOpen(user) : null,
      ]);
      const byMessage = new Map<string, StoredReport[]>();
      for (const report of read) {
        const key = toReportsKey(report);
        byMessage.set(key, [...(byMessage.get(key) ?? []), report]);
      }
      const compared = [...byMessage.keys()].slice(0, MAX_COMPARED);
      const shownBefore = await findShown(user, compared, after);
      const keys = compared.filter((key) => !shownBefore.has(key)).slice(0, MAX_MESSAGES);
      const end = keys.length === MAX_MESSAGES ? keys.at(-1) : compared.at(-1);
      const next = findNext(read, [...byMessage.keys()], end);
      const total = count ?? byMessage.size;
      const shown = keys.map((key) => byMessage.get(key) ?? []);
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
              key: toReportsKey(first),
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
  };
}

function toReportPath(id: string): string {
  return `${REPORTS_PATH}/${id}`;
}

/**
 * Returns the cursor after the last report that a page needs.
 *
 * @param keys of the reports, in their order
 * @param end the key of the last message that the page is about
 */
function findNext(
  reports: readonly StoredReport[],
  keys: readonly string[],
  end: string | undefined,
): string | null {
  const following = end === undefined ? undefined : keys[keys.indexOf(end) + 1];
  // Later reports of the page's messages may be read again, and are then left out.
  const index = reports.findIndex((report) => toReportsKey(report) === following);
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

export const getReportQueue = createServiceGetter((env) => createReportQueue(env));
