import { ANONYMOUS, messagesPath, ROOM_ID } from "#app/schemas/message.ts";
import { placesPath } from "#app/schemas/place.ts";
import { presencePath, typingPath } from "#app/schemas/presence.ts";
import type { MessagesFate } from "#app/schemas/profile.ts";
import { eraseDrafts } from "./drafts-erasure.server.ts";
import type { Env } from "./env.server.ts";
import { changeOwnDocuments } from "./own-documents.server.ts";

const TIMEOUT_MS = 30_000;

interface Leaver {
  uid: string;
  idToken: string;
}

/**
 * Knows everything that is a person's besides the account itself, and takes it away when they leave. What is new and
 * a person's belongs on the list below.
 */
export function createPersonDataService(env: Env) {
  return {
    /**
     * Deletes what is a person's, as that person; their messages by choice only lose their name. What is done stays
     * done, so it can be begun again after a failure.
     *
     * @returns `unfinished` when there is more than one request can delete
     * @throws when a database refuses or cannot be reached
     */
    async erase(person: Leaver, messages: MessagesFate): Promise<"done" | "unfinished"> {
      const places = [
        () => eraseMessages(env, person, messages),
        () => eraseDrafts(env, person),
        () => changeOwnDocuments(env, person, placesPath(person.uid), "delete"),
        () => eraseRecord(env, person, presencePath(person.uid)),
        () => eraseRecord(env, person, `${typingPath(ROOM_ID)}/${person.uid}`),
      ];
      for (const erase of places) {
        if ((await erase()) === "unfinished") return "unfinished";
      }
      return "done";
    },
  };
}

function eraseMessages(env: Env, person: Leaver, fate: MessagesFate) {
  const nameless = {
    fields: { displayName: { stringValue: ANONYMOUS }, photoURL: { nullValue: null } },
  };
  const change = fate === "delete" ? "delete" : nameless;
  return changeOwnDocuments(env, person, messagesPath(ROOM_ID), change);
}

/**
 * Deletes a record of the Realtime Database. The token goes into the address: there is no other place for it.
 *
 * @see https://firebase.google.com/docs/database/rest/auth#authenticate_with_an_id_token
 */
async function eraseRecord(env: Env, { idToken }: Leaver, path: string): Promise<"done"> {
  const emulator = env.FIREBASE_DATABASE_EMULATOR_HOST;
  const url = new URL(`${path}.json`, emulator ? `http://${emulator}` : env.FIREBASE_DATABASE_URL);
  if (emulator) url.searchParams.set("ns", `${env.FIREBASE_PROJECT_ID}-default-rtdb`);
  url.searchParams.set("auth", idToken);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: "DELETE", signal });
  if (!response.ok) throw new Error(`The database answered ${response.status} to ${path}`);
  return "done";
}
