import { decodeJwt } from "jose";

import { getAccounts } from "#app/accounts/account.server.ts";
import { toFormError } from "#app/accounts/form-error.server.ts";
import { listCausePaths, toAnswerDeletions } from "#app/chat/answers/answer-writes.server.ts";
import { ANONYMOUS } from "#app/chat/message.ts";
import {
  getConnectionsPath,
  getStatusPath,
  getUnseenPath,
  TYPING_PATH,
} from "#app/chat/presence.ts";
import { mayBeAboutStory } from "#app/chat/quotes/topics.server.ts";
import { EDITS_PATH, MESSAGES_PATH, TOPICS_PATH } from "#app/chat/room-address.ts";
import { createServiceGetter, type Env } from "#app/env.server.ts";
import { toAuthError } from "#app/firebase/auth-error.server.ts";
import {
  createBulkWriter,
  limitRequests,
  UnfinishedError,
  type BulkWrite,
} from "#app/firebase/bulk-writer.server.ts";
import { deleteValues } from "#app/firebase/database.server.ts";
import { PermissionDeniedError } from "#app/firebase/firestore-error.server.ts";
import type { Write } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { logError } from "#app/http/log-error.server.ts";
import { findPictureBucket, type PictureBucket } from "#app/pictures/picture-bucket.server.ts";
import { getRateRecordsPath, RATE_LIMITS } from "#app/session/rate-record.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import { getSessionsPath, getSlotsPath } from "#app/session/session-record-schema.ts";
import { getSessionCookie, isSessionEndedError } from "#app/session/session.server.ts";
import type { UserWithToken } from "#app/session/user.ts";
import { COUNTS_PATH } from "#app/stories/counts/counts-schema.ts";
import { deleteShares } from "#app/stories/counts/counts.server.ts";
import { removeDevicePositions } from "#app/stories/positions/positions.server.ts";
import { getPublishedStories } from "#app/stories/published.server.ts";
import { deleteReader } from "#app/stories/readers/readers.server.ts";
import { getTogetherPath } from "#app/stories/readers/together.ts";
import { getWriterPath } from "#app/stories/writers/writer.ts";
import { getDraftsPath } from "#app/writing/draft.ts";
import {
  createDeleteWrites,
  deleteDraftVersions,
} from "#app/writing/drafts/stored-draft.server.ts";
import {
  callAuth,
  parseProfileForm,
  reauthenticate,
  type ProfileAction,
  type ProfileActionDone,
} from "./profile-actions.server.ts";
import { deleteAccountSchema, type MessagesChoice } from "./profile-schema.ts";
import { USER_DATA } from "./user-data.server.ts";

/** Firebase Authentication requires a sign-in within the last five minutes to delete an account. */
const RECENT_SECONDS = 5 * 60;

/**
 * Deletes the data first, because without the account nobody could delete it. After an error, the user can start the
 * deletion again.
 */
export async function deleteAccount(action: ProfileAction): Promise<ProfileActionDone> {
  const { request, context, form, user } = action;
  const { email, currentPassword, messages, after } = parseProfileForm(form, deleteAccountSchema);
  if (email.trim().toLowerCase() !== user.email.toLowerCase()) {
    const fieldErrors = { email: ["This isn't your account's e-mail"] };
    throw new ActionFailure({ reason: "invalid", fieldErrors });
  }
  const { idToken } = await requireRecentToken(action, currentPassword);
  const deletion = await deleteUserData(action, idToken, messages, after);
  if (deletion.status === "unfinished") {
    // The form is shown again, and the next attempt continues there.
    form.set("after", deletion.after ?? "");
    throw new ActionFailure({
      reason: "unavailable",
      message: "There's too much to delete at once.",
      hint: "Some of your data is deleted, but you still have your account. Press the button again to continue.",
    });
  }
  await deleteUser(action, idToken);
  const headers = joinHeaders(
    getSessionCookie(context).destroySession(request),
    removeDevicePositions(request, user),
  );
  return { path: "/home", flash: "account-deleted", headers };
}

async function deleteUserData(
  { context, user }: ProfileAction,
  idToken: string,
  messages: MessagesChoice,
  after: string | undefined,
) {
  try {
    return await getUserData(context).deletePermanently(
      { uid: user.uid, idToken },
      messages,
      after,
    );
  } catch (error) {
    // The page does not show the database's error.
    logError("Could not delete a user's data.", error);
    throw new ActionFailure({
      reason: "unavailable",
      message: "We couldn't delete everything.",
      hint: "You still have your account. Try again to delete the rest.",
    });
  } finally {
    getPublishedStories(context).clearLists();
  }
}

async function deleteUser({ context }: ProfileAction, idToken: string): Promise<void> {
  try {
    await getAccounts(context).deleteUser(idToken);
  } catch (error) {
    // A parallel request may have deleted the account.
    if (isSessionEndedError(error)) return;
    const { reason, banner } = toFormError("sign-in", error);
    // The session was deleted with the data.
    const hint =
      "Your data is deleted, but your account isn't. Sign in again and delete it once more.";
    throw new ActionFailure({ reason, ...banner, hint });
  }
}

/**
 * Returns the token of a recent sign-in. Signs in with the password; an account without one uses the session's token.
 */
async function requireRecentToken(action: ProfileAction, password: string | undefined) {
  const { context, user } = action;
  const { hasPassword } = await callAuth("sign-in", () =>
    getAccounts(context).getDetails(user.idToken),
  );
  if (hasPassword) {
    if (password) return reauthenticate(action, password);
    const fieldErrors = { currentPassword: ["Password is required"] };
    throw new ActionFailure({ reason: "invalid", fieldErrors });
  }
  const hint = "Sign in with Google again, then come back here within five minutes.";
  await callAuth("sign-in", async () => requireRecentSignIn(user.idToken, Date.now), { hint });
  return { idToken: user.idToken };
}

/**
 * Requires a recent sign-in, as the provider does. Check it first, because the provider would reject the last step of a
 * deletion after the earlier steps have succeeded.
 *
 * @throws {AuthError} `requires-recent-login`
 */
function requireRecentSignIn(idToken: string, now: () => number): void {
  const signedInAt = Number(decodeJwt(idToken).auth_time);
  if (now() / 1000 - signedInAt <= RECENT_SECONDS) return;
  throw toAuthError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
}

// The rules may read 20 documents a commit. The commits stay a fifth below, as `npm run bench:rules` shows.

/** The rules read the story for each of the three parts of its text. */
const STORIES_PER_COMMIT = 5;

/** The rules read the story's owner for each story's counts. */
const OWNERS_PER_COMMIT = 16;

/** The rules read the message for each record of an edit. */
const EDITS_PER_COMMIT = 16;

/** A topic has up to two answers, and a commit has up to 500 writes. */
const TOPICS_PER_COMMIT = 160;

/** Few, because a batch also deletes the versions of its drafts, and a request should have room for several batches. */
const DRAFTS_PER_COMMIT = 8;

/** `unfinished`: there is too much data for one request. */
export type DeletionResult =
  | { status: "done" }
  | {
      status: "unfinished";
      /** The id of the last message made anonymous, to continue after it. */
      after: string | undefined;
    };

/** Deletes all data of a user but the account itself. */
export function createUserDataService(env: Env, pictures: PictureBucket | null) {
  return {
    /**
     * Deletes the user's data permanently, as that user. If they chose to keep their messages, these only lose the
     * user's name. Can be called again after a failure: deleted documents are not found again, but anonymous messages
     * are, so the caller continues after the last of them.
     *
     * @throws {FirestoreError} when the rules deny
     * @throws {UnavailableError}
     */
    async deletePermanently(
      user: UserWithToken,
      messages: MessagesChoice,
      after?: string,
    ): Promise<DeletionResult> {
      const firestore = limitRequests(asUser(env, user));
      const bulkWrite = createBulkWriter(firestore, user);
      let lastMessage = messages === "anonymous" ? after : undefined;
      try {
        await deleteShares(bulkWrite, firestore, user.uid);
        for (const kind of Object.keys(RATE_LIMITS)) {
          // A record that still counts stays: only the rules know when it expires.
          await isAllowed(
            firestore.commit(deleteDocument(`${getRateRecordsPath(user.uid)}/${kind}`)),
          );
        }
        await bulkWrite("stories", (path) => createDeleteWrites(path), {
          isOwn: true,
          batchSize: STORIES_PER_COMMIT,
        });
        await bulkWrite("storyOwners", deleteOwner, {
          isOwn: true,
          batchSize: OWNERS_PER_COMMIT,
        });
        await deleteDrafts(bulkWrite, user);
        for (const { getPath, hasDeletionStep } of USER_DATA) {
          if (getPath && !hasDeletionStep) await bulkWrite(getPath(user.uid), deleteDocument);
        }
        if (messages === "delete") {
          await deleteTopics(bulkWrite, user);
          await bulkWrite(MESSAGES_PATH, deleteDocument, {
            isOwn: true,
            isChecked: ({ text }) => mayBeAboutStory(text),
          });
          // Not done for anonymous messages, which stay marked as edited.
          await bulkWrite(EDITS_PATH, deleteDocument, {
            isOwn: true,
            batchSize: EDITS_PER_COMMIT,
          });
        } else {
          await anonymizeMessages(bulkWrite, lastMessage, (id) => {
            lastMessage = id;
          });
        }
        await firestore.commit(deleteDocument(getWriterPath(user.uid)));
        await deletePictures(pictures, user);
        await deleteValues(env, user, listPresence(user));
        await deleteReader(env, user);
        await deleteValues(env, user, [getUnseenPath(user.uid), getSlotsPath(user.uid)]);
        // Last, because deleting the entries of all sessions also ends this one.
        await bulkWrite(getSessionsPath(user.uid), deleteDocument);
        // Again, for a tab that connected meanwhile. From now on, no tab gets a token to connect.
        await deleteValues(env, user, [getSlotsPath(user.uid), ...listPresence(user)]).catch(
          (error: unknown) => logError("Could not delete a user's presence again.", error),
        );
        return { status: "done" };
      } catch (error) {
        if (error instanceof UnfinishedError) return { status: "unfinished", after: lastMessage };
        throw error;
      }
    },
  };
}

/** Together, because an open tab whose status is deleted writes no presence again. */
function listPresence({ uid }: UserWithToken): string[] {
  const typing = `${TYPING_PATH}/${uid}`;
  return [getStatusPath(uid), getConnectionsPath(uid), typing, getTogetherPath(uid)];
}

/** Returns whether the rules allow writes. */
async function isAllowed(writes: Promise<unknown>): Promise<boolean> {
  try {
    await writes;
    return true;
  } catch (error) {
    if (error instanceof PermissionDeniedError) return false;
    throw error;
  }
}

/** Returns the writes that delete the document with a story's owner, and the story's counts. */
function deleteOwner(path: string): Write[] {
  const story = path.slice(path.lastIndexOf("/") + 1);
  return [...deleteDocument(path), ...deleteDocument(`${COUNTS_PATH}/${story}`)];
}

function deleteDrafts(bulkWrite: BulkWrite, { uid }: UserWithToken): Promise<void> {
  const toWrites = async (path: string) => {
    await deleteDraftVersions(bulkWrite, path);
    return createDeleteWrites(path);
  };
  return bulkWrite(getDraftsPath(uid), toWrites, { batchSize: DRAFTS_PER_COMMIT });
}

/** Deletes what the user's messages are about, and what others were told of them. */
function deleteTopics(bulkWrite: BulkWrite, { uid }: UserWithToken): Promise<void> {
  return bulkWrite(
    TOPICS_PATH,
    (path, topic, findRelated) => {
      const cause = { id: path.slice(path.lastIndexOf("/") + 1), uid, topic };
      return [...deleteDocument(path), ...toAnswerDeletions(cause, findRelated)];
    },
    { isOwn: true, toRelated: listCausePaths, batchSize: TOPICS_PER_COMMIT },
  );
}

function deleteDocument(path: string): Write[] {
  return [{ path, delete: true }];
}

function anonymizeMessages(
  bulkWrite: BulkWrite,
  after: string | undefined,
  onCommit: (id: string) => void,
): Promise<void> {
  const fields = { displayName: ANONYMOUS, photoURL: null };
  return bulkWrite(MESSAGES_PATH, (message) => [{ path: message, fields }], {
    isOwn: true,
    startAfter: after && `${MESSAGES_PATH}/${after}`,
    onCommit: (last) => onCommit(last.slice(MESSAGES_PATH.length + 1)),
  });
}

async function deletePictures(bucket: PictureBucket | null, { uid }: UserWithToken): Promise<void> {
  const pictures = (await bucket?.list(uid)) ?? [];
  await bucket?.delete(pictures.map(({ path }) => path));
}

const getUserData = createServiceGetter((env, context) =>
  createUserDataService(env, findPictureBucket(context)),
);
