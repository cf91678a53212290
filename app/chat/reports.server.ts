import { getMessagePath } from "./stored-messages.server.ts";
import type { AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { isRejected } from "#app/firebase/firestore-error.server.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { READ_TIMEOUT_MS } from "#app/http/outgoing-calls.server.ts";
import { isVisible } from "#app/http/text.ts";
import {
  countDocument,
  getRateRecordPath,
  MAX_REPORTS_A_DAY,
} from "#app/session/rate-record.server.ts";
import { describeWait } from "#app/session/rate-limit.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getPublicName } from "./message.ts";
import {
  MAX_DETAILS_LENGTH,
  readReportedStory,
  REPORT_KINDS,
  REPORTS_PATH,
  toStoryReportsId,
  type ReportKind,
} from "./report.ts";
import { GONE } from "./run-room-action.server.ts";

/** How often a report is tried when its message changes meanwhile. */
const MAX_TRIES = 5;

const KINDS = Object.keys(REPORT_KINDS) as ReportKind[]; // the keys of a constant

const formSchema = z.object({
  messageId: z.string().max(100).refine(isDocumentId),
  kind: z.enum(KINDS, "Choose a reason."),
  details: z
    .string()
    .trim()
    .refine(
      (details) => details.length <= MAX_DETAILS_LENGTH,
      `The details can have up to ${MAX_DETAILS_LENGTH} characters.`,
    )
    .default(""),
});

/**
 * Stores a user's report of a message or a story.
 *
 * @param fields as they were submitted
 * @throws {ActionFailure | FirestoreError | UnavailableError}
 */
export async function storeReport(
  context: AppLoadContext,
  user: AuthUser,
  fields: object,
): Promise<void> {
  const { data, error } = formSchema.safeParse(fields);
  if (!data) {
    const issue = error.issues.find(({ path }) => path[0] !== "messageId");
    throw new ActionFailure({ reason: "invalid", hint: issue?.message });
  }
  const { messageId, kind, details } = data;
  const reason = isVisible(details) ? `${REPORT_KINDS[kind]}: ${details}` : REPORT_KINDS[kind];
  const story = readReportedStory(messageId);
  await getReports(context).create(
    user,
    story === null ? toMessage(messageId) : toStory(story),
    reason,
  );
}

/** What a report is about. */
interface Subject {
  /** The `messageId` of its reports. */
  id: string;
  /** The id in the rate record. */
  countId: string;
  path: string;
  /** Returns the copy in the report. */
  copy: (fields: Fields) => {
    sender: unknown;
    senderName: unknown;
    sentAt: unknown;
    text: unknown;
  };
  gone: { reason: "gone"; message: string };
}

function toMessage(id: string): Subject {
  return {
    id,
    countId: id,
    path: getMessagePath(id),
    copy: ({ uid: sender, displayName: senderName, createdAt: sentAt, text }) => ({
      sender,
      senderName,
      sentAt,
      text,
    }),
    gone: GONE,
  };
}

function toStory(id: string): Subject {
  return {
    id: toStoryReportsId(id),
    countId: id,
    path: `stories/${id}`,
    copy: ({ uid: sender, author: senderName, publishedAt: sentAt, title: text }) => ({
      sender,
      senderName,
      sentAt,
      text,
    }),
    gone: { reason: "gone", message: "This story isn't published any more." },
  };
}

function createReportService(env: Env) {
  return {
    /**
     * Stores a report with a copy of the message or of the story's title, and counts it. Tries again if what it has read
     * changes meanwhile. A user's first report of a message is never replaced, and not counted twice.
     *
     * @throws {ActionFailure | FirestoreError | UnavailableError}
     */
    async create(user: AuthUser, subject: Subject, reason: string): Promise<void> {
      const firestore = asUser(env, user);
      const { id: messageId, countId, path, copy, gone } = subject;
      const paths = [path, getRateRecordPath(user.uid, "reports")];
      let rejectedState: string | undefined;
      for (let tries = 1; ; tries += 1) {
        const call = { timeoutMs: READ_TIMEOUT_MS };
        const { documents, readTime } = await firestore.batchGet(paths, call);
        const [found, record = null] = documents;
        if (!found) throw new ActionFailure(gone);
        const copied = copy(found.fields);
        if (copied.sender === user.uid) throw new ActionFailure({ reason: "denied" });
        // The rules reject a report for two reasons: what was read has changed since, or the user has reported the message
        // before. They do not let the user read their report.
        const state = `${found.updateTime} ${record?.updateTime}`;
        if (state === rejectedState) return;
        const count = { uid: user.uid, kind: "reports", id: countId } as const;
        const next = countDocument(count, record, readTime);
        if (next.status === "too-fast") {
          const wait = describeWait(next.waitMs).words;
          const hint = `You can send ${MAX_REPORTS_A_DAY} reports a day. Try again in ${wait}.`;
          throw new ActionFailure({ reason: "too-fast", waitMs: next.waitMs, hint });
        }
        const reporterName = getPublicName(user.displayName);
        const reporter = { reporter: user.uid, reporterName };
        try {
          await firestore.commit([
            {
              path: `${REPORTS_PATH}/${messageId}_${user.uid}`,
              fields: { ...reporter, messageId, ...copied, reason },
              serverTimestamps: ["createdAt"],
              exists: false,
            },
            next.write,
          ]);
          return;
        } catch (error) {
          if (!isRejected(error) || tries === MAX_TRIES) throw error;
          rejectedState = state;
        }
      }
    },
  };
}

const getReports = createServiceGetter((env) => createReportService(env));
