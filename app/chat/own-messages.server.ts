import { getMessagePath } from "./stored-messages.server.ts";
import type { ActionFunctionArgs, AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import {
  FirestoreError,
  PermissionDeniedError,
  isRejected,
} from "#app/firebase/firestore-error.server.ts";
import type { DocumentSnapshot, Fields, Write } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { READ_TIMEOUT_MS } from "#app/http/outgoing-calls.server.ts";
import { isVisible } from "#app/http/text.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { countDocument, getRateRecordPath } from "#app/session/rate-record.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { listCausePaths, toAnswerDeletions } from "./answers/answer-writes.server.ts";
import { messageFormSchema, NO_TEXT } from "./create-message.server.ts";
import { isEditable } from "./message.ts";
import { requireUnmuted } from "./moderation/mute.server.ts";
import { getMutePath } from "./moderation/mute.ts";
import { splitQuote, splitReply } from "./quotes/quote.ts";
import { getTopicPath } from "./quotes/topics.server.ts";
import { EDITS_PATH } from "./room-address.ts";
import { GONE } from "./run-room-action.server.ts";

/** How often a change is tried when the same message changes meanwhile. */
const MAX_TRIES = 5;

const TOO_LATE = {
  reason: "too-late",
  message: "This message can't be edited any more.",
  hint: "You can edit a message for 15 minutes.",
} as const;

const SAME_QUOTE = "You can't change the quote. Edit the text below it, or send a new message.";

/**
 * Replaces the text of a message as its sender.
 *
 * @param text as it was submitted
 * @throws {ActionFailure | FirestoreError | UnavailableError}
 */
export async function editMessage(
  args: Pick<ActionFunctionArgs, "request" | "context">,
  user: AuthUser,
  id: string | undefined,
  text: string,
): Promise<void> {
  if (!isDocumentId(id)) throw new ActionFailure(GONE);
  const { data, error } = messageFormSchema.shape.message.safeParse(text);
  if (data === undefined) {
    throw new ActionFailure({ reason: "invalid", hint: error.issues[0]?.message });
  }
  const { context } = args;
  return getOwnMessages(context).edit(user, id, data, (...mute) => requireUnmuted(args, ...mute));
}

/** Deletes a message as its sender. @throws {ActionFailure | FirestoreError | UnavailableError} */
export async function deleteMessage(
  context: AppLoadContext,
  user: AuthUser,
  id: string | undefined,
): Promise<void> {
  if (!isDocumentId(id)) throw new ActionFailure(GONE);
  return getOwnMessages(context).delete(user, id);
}

/** Changes messages as their sender. */
function createOwnMessageService(env: Env) {
  /** Reads a message with its edit and the user's rate record, and commits the writes that `toWrites` returns, if any. */
  async function change(
    user: AuthUser,
    id: string,
    toWrites: (state: MessageState) => Write[] | Promise<Write[]>,
  ): Promise<void> {
    const firestore = asUser(env, user);
    const { message, editRecord } = getPaths(id);
    const paths = [message, editRecord, getRateRecordPath(user.uid, "messages"), getTopicPath(id)];
    for (let tries = 1; ; tries += 1) {
      const options = { timeoutMs: READ_TIMEOUT_MS };
      // The mute is read only after the rules have denied the change, to say why.
      const asked = tries === 1 ? paths : [...paths, getMutePath(user.uid)];
      const { documents, readTime } = await firestore.batchGet(asked, options);
      const stored = documents[0] ? messageSchema.parse(documents[0].fields) : null;
      if (stored && stored.uid !== user.uid) throw new ActionFailure({ reason: "denied" });
      const isEdited = documents[1]?.fields.uid === user.uid;
      const rateRecord = documents[2] ?? null;
      const topic = documents[3]?.fields.uid === user.uid ? documents[3].fields : null;
      const mute = documents[4] ?? null;
      const state = { message: stored, isEdited, topic, rateRecord, mute, now: readTime };
      try {
        const writes = await toWrites(state);
        if (writes.length > 0) await firestore.commit(writes);
        return;
      } catch (error) {
        if (!isRejected(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Returns the writes that delete a topic, and what others were told of its message. */
  async function toTopicDeletions(user: AuthUser, id: string, topic: Fields): Promise<Write[]> {
    const paths = listCausePaths(topic);
    const options = { timeoutMs: READ_TIMEOUT_MS };
    const causes = paths.length > 0 ? await asUser(env, user).batchGet(paths, options) : null;
    const find = (path: string) => causes?.documents[paths.indexOf(path)]?.fields;
    const cause = { id, uid: user.uid, topic };
    return [{ path: getTopicPath(id), delete: true }, ...toAnswerDeletions(cause, find)];
  }

  /**
   * Deletes the edit record of a deleted message. The rules deny this if an earlier request has already deleted the
   * record.
   */
  async function deleteEditRecord(user: AuthUser, path: string): Promise<void> {
    try {
      await asUser(env, user).commit([{ path, delete: true }]);
    } catch (error) {
      if (!(error instanceof PermissionDeniedError)) throw error;
    }
  }

  return {
    /**
     * Replaces the text of a message, and records and counts the edit, within 15 minutes after it was sent. A quote stays
     * the same.
     *
     * @param requireMayPost called with the user's mute
     * @throws {ActionFailure | FirestoreError | UnavailableError}
     */
    edit(
      user: AuthUser,
      id: string,
      text: string,
      requireMayPost: (mute: DocumentSnapshot | null, now: Date) => void,
    ): Promise<void> {
      const { message: path, editRecord } = getPaths(id);
      return change(user, id, ({ message, topic, rateRecord, mute, now }) => {
        if (!message) throw new ActionFailure(GONE);
        if (message.text === text) return [];
        requireMayPost(mute, now);
        if (!isEditable({ createdAt: message.createdAt.getTime() }, now.getTime())) {
          throw new ActionFailure(TOO_LATE);
        }
        if (splitQuote(message.text)[0] !== splitQuote(text)[0]) {
          throw new ActionFailure({ reason: "invalid", hint: SAME_QUOTE });
        }
        if (topic?.replyTo && !isVisible(splitReply(text)[1])) {
          throw new ActionFailure({ reason: "invalid", hint: NO_TEXT });
        }
        const next = countDocument({ uid: user.uid, kind: "messages", id }, rateRecord, now);
        if (next.status === "too-fast") {
          throw new ActionFailure({ reason: "too-fast", waitMs: next.waitMs });
        }
        return [
          { path, fields: { text }, exists: true },
          { path: editRecord, fields: { uid: user.uid }, serverTimestamps: ["editedAt"] },
          next.write,
        ];
      });
    },

    /**
     * Deletes the topic of the message and what others were told of it, then the message, and then its edit record: the
     * rules want that order. Can be called again.
     *
     * @throws {ActionFailure | FirestoreError | UnavailableError}
     */
    async delete(user: AuthUser, id: string): Promise<void> {
      const { message: path, editRecord } = getPaths(id);
      let hasEditRecord = false;
      let hasBegun = false;
      try {
        await change(user, id, async ({ message, isEdited, topic }) => {
          hasEditRecord = isEdited;
          if (topic) await asUser(env, user).commit(await toTopicDeletions(user, id, topic));
          hasBegun ||= topic !== null;
          return message ? [{ path, delete: true }] : [];
        });
      } catch (error) {
        const isFailure = error instanceof FirestoreError || error instanceof UnavailableError;
        if (!hasBegun || !isFailure) throw error;
        throw new ActionFailure({ reason: "unavailable", hint: "Delete it again to finish." });
      }
      if (hasEditRecord) await deleteEditRecord(user, editRecord);
    },
  };
}

interface MessageState {
  message: z.infer<typeof messageSchema> | null;
  /** Whether the message was edited by the user. */
  isEdited: boolean;
  /** What is stored of what the message is about. */
  topic: Fields | null;
  rateRecord: DocumentSnapshot | null;
  mute: DocumentSnapshot | null;
  /** The database's time. */
  now: Date;
}

const messageSchema = z.object({ uid: z.string(), text: z.string(), createdAt: z.date() });

function getPaths(id: string) {
  return {
    message: getMessagePath(id),
    editRecord: `${EDITS_PATH}/${id}`,
  };
}

const getOwnMessages = createServiceGetter((env) => createOwnMessageService(env));
