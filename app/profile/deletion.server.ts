import { ANONYMOUS, messagesPath, ROOM_ID } from "#app/chat/message.ts";
import { presencePath, typingPath } from "#app/chat/presence.ts";
import { oncePerEnv, type Env } from "#app/env.server.ts";
import { createSweep, UnfinishedError, type Sweep } from "#app/firebase/bulk-delete.server.ts";
import { RefusedError } from "#app/firebase/documents.server.ts";
import type { Write } from "#app/firebase/firestore-types.ts";
import { placesPath } from "#app/reading/position.ts";
import { rateRecordsPath } from "#app/session/rate-record-schema.ts";
import { sessionsPath } from "#app/session/session-record-schema.ts";
import { draftsPath } from "#app/writing/draft.ts";
import { eraseDraft } from "#app/writing/drafts/draft-deletion.server.ts";
import { eraseWithParts } from "#app/writing/drafts/draft-writes.server.ts";
import type { MessagesFate } from "./profile-schema.ts";

const TIMEOUT_MS = 30_000;

/** The rules look at a story for each part of its text, and at no more than 20 documents a commit. */
const STORIES_AT_ONCE = 6;

/** Each is asked for its versions before any is deleted, so one request must have room for several such batches. */
const DRAFTS_AT_ONCE = 8;

interface Leaver {
  uid: string;
  idToken: string;
}

/**
 * `unfinished` when there is more than one request can delete. `sign-in-first` when something was posted or published
 * since the sign-in that the token is from: nothing was deleted.
 */
export type Erasure =
  | { status: "done" | "sign-in-first" }
  | {
      status: "unfinished";
      /** The last message whose name was taken off, to go on after. */
      after: string | undefined;
    };

/**
 * Knows everything that is a person's besides the account itself, and takes it away when they leave. What is new and
 * a person's belongs on the list below.
 */
export function createPersonDataService(env: Env) {
  return {
    /**
     * Deletes what is a person's, as that person; their messages by choice only lose their name. It can be begun
     * again after a failure: what is deleted is not found again. Messages without their name are, so whoever goes on
     * says after which.
     *
     * @throws when a database refuses or cannot be reached
     */
    async erase(person: Leaver, messages: MessagesFate, after?: string): Promise<Erasure> {
      const sweep = createSweep(env, person);
      let last = messages === "anonymous" ? after : undefined;
      try {
        if (!(await eraseRateRecords(sweep, person))) return { status: "sign-in-first" };
        await eraseStories(sweep);
        await sweep("storyOwners", eraseDocument, { isOwn: true });
        await eraseDrafts(sweep, person);
        await sweep(placesPath(person.uid), eraseDocument);
        if (messages === "delete") {
          await sweep(messagesPath(ROOM_ID), eraseDocument, { isOwn: true });
        } else {
          await takeNamesOff(sweep, last, (id) => {
            last = id;
          });
        }
        await eraseRecord(env, person, presencePath(person.uid));
        await eraseRecord(env, person, `${typingPath(ROOM_ID)}/${person.uid}`);
        // Last: without its place on the list the session that does all this would be over.
        await sweep(sessionsPath(person.uid), eraseDocument);
        return { status: "done" };
      } catch (error) {
        if (error instanceof UnfinishedError) return { status: "unfinished", after: last };
        throw error;
      }
    },
  };
}

/** Tells whether they could be deleted: the rules want a sign-in that is later, or else they would limit nothing. */
async function eraseRateRecords(sweep: Sweep, { uid }: Leaver): Promise<boolean> {
  try {
    await sweep(rateRecordsPath(uid), eraseDocument);
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

function eraseStories(sweep: Sweep) {
  return sweep("stories", eraseWithParts, { isOwn: true, batchSize: STORIES_AT_ONCE });
}

function eraseDrafts(sweep: Sweep, { uid }: Leaver) {
  return sweep(draftsPath(uid), (path) => eraseDraft(sweep, path), { batchSize: DRAFTS_AT_ONCE });
}

function eraseDocument(path: string): Write[] {
  return [{ path, delete: true }];
}

/** Takes the name off the messages after the one of that id, and tells how far it came. */
function takeNamesOff(sweep: Sweep, after: string | undefined, onWritten: (id: string) => void) {
  const path = messagesPath(ROOM_ID);
  const fields = { displayName: ANONYMOUS, photoURL: null };
  return sweep(path, (message) => [{ path: message, fields }], {
    isOwn: true,
    after: after && `${path}/${after}`,
    onWritten: (last) => onWritten(last.slice(path.length + 1)),
  });
}

/**
 * Deletes a record of the Realtime Database. The token goes into the address: there is no other place for it.
 *
 * @see https://firebase.google.com/docs/database/rest/auth#authenticate_with_an_id_token
 */
async function eraseRecord(env: Env, { idToken }: Leaver, path: string): Promise<void> {
  const emulator = env.FIREBASE_DATABASE_EMULATOR_HOST;
  const url = new URL(`${path}.json`, emulator ? `http://${emulator}` : env.FIREBASE_DATABASE_URL);
  if (emulator) url.searchParams.set("ns", `${env.FIREBASE_PROJECT_ID}-default-rtdb`);
  url.searchParams.set("auth", idToken);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: "DELETE", signal });
  if (!response.ok) throw new Error(`The database answered ${response.status} to ${path}`);
}

export const getUserData = oncePerEnv((env) => createPersonDataService(env));
