import type { ActionFunctionArgs, AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import {
  FailedPreconditionError,
  PermissionDeniedError,
} from "#app/firebase/firestore-error.server.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { getFieldNames, readForm } from "#app/http/form.server.ts";
import { READ_TIMEOUT_MS } from "#app/http/outgoing-calls.server.ts";
import { isVisible } from "#app/http/visible-text.ts";
import { ActionFailure, toJsonResponse } from "#app/session/run-action.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getMessagesPath } from "./message.ts";
import { MAX_DETAILS_LENGTH, REPORT_KINDS, type ReportKind } from "./report.ts";
import { ROOM_ID } from "./room-address.ts";
import { GONE, runRoomAction } from "./run-room-action.server.ts";

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

/** Reports a message to the operators. Responds to scripts with JSON. */
export async function reportMessage(args: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(args.request, [...getFieldNames(formSchema), "uid"]);
  const run = await runRoomAction(args, form, (user) =>
    storeReport(args.context, user, Object.fromEntries(form)),
  );
  return toJsonResponse(run);
}

/**
 * Stores a user's report of a message.
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
  await getReports(context).create(user, messageId, reason);
}

function createReportService(env: Env) {
  return {
    /**
     * Stores a report with a copy of the message, again if it is edited meanwhile. A user's first report of a message is
     * never replaced.
     *
     * @throws {ActionFailure | FirestoreError | UnavailableError}
     */
    async create(user: AuthUser, messageId: string, reason: string): Promise<void> {
      const firestore = asUser(env, user);
      let rejectedVersion: string | undefined;
      for (;;) {
        const message = await firestore.get(`${getMessagesPath(ROOM_ID)}/${messageId}`, {
          timeoutMs: READ_TIMEOUT_MS,
        });
        if (!message) throw new ActionFailure(GONE);
        const { uid: sender, text } = message.fields;
        if (sender === user.uid) throw new ActionFailure({ reason: "denied" });
        // The rules reject a report for two reasons: the message was changed or deleted after it was read, or the user has
        // reported it before. They do not let the user read their report.
        if (message.updateTime === rejectedVersion) return;
        try {
          await firestore.commit([
            {
              path: `reports/${messageId}_${user.uid}`,
              fields: { reporter: user.uid, messageId, sender, text, reason },
              serverTimestamps: ["createdAt"],
              exists: false,
            },
          ]);
          return;
        } catch (error) {
          const isRejected =
            error instanceof PermissionDeniedError || error instanceof FailedPreconditionError;
          if (!isRejected) throw error;
          rejectedVersion = message.updateTime;
        }
      }
    },
  };
}

const getReports = createServiceGetter((env) => createReportService(env));
