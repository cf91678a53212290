import * as z from "zod";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as post } from "#app/routes/create.tsx";
import { action, loader } from "#app/routes/profile.tsx";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import type { TestApp } from "#tests/support/routes.ts";
import { USER_COLLECTIONS } from "#tests/support/user-data.ts";

const accountSchema = z.object({ user: z.object({ uid: z.string() }) });

/** Submits the form that deletes an account with a password, with other values for some of its fields. */
export function deleteAccount(
  app: TestApp,
  cookie: string,
  person: TestAccount,
  fields: Record<string, string>,
) {
  const { email, password: currentPassword } = person;
  const form = { intent: "delete-account", email, currentPassword, messages: "delete", ...fields };
  return app.send(action, "/profile", { cookie, form });
}

/** Sends a message, and clears the rate records, so that they are deleted with the account. */
export async function sendOldMessage(app: TestApp, cookie: string, text: string) {
  await app.send(post, "/create", {
    cookie,
    form: toMessageForm({ id: createDocumentId(), text }),
  });
  await clearRateRecords(app.firebase.hosts, await readUid(app, cookie));
}

/** Returns the uid of the user who is signed in. */
export async function readUid(app: TestApp, cookie: string): Promise<string> {
  const { data } = await app.send(loader, "/profile", { cookie });
  return accountSchema.parse(data).user.uid;
}

/** Returns the paths of all documents of drafts and stories, of edits, and below the paths of users. */
export async function listDocuments(app: TestApp): Promise<string[]> {
  const root = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;
  const groups = await Promise.all(
    ["stories", "storyOwners", "versions", "parts", "edits", ...USER_COLLECTIONS].map(
      async (collectionId) => {
        const from = [{ collectionId, allDescendants: true }];
        const body = JSON.stringify({ structuredQuery: { from } });
        const response = await callFirestore(app, `${root}:runQuery`, body, "owner");
        return [...(await response.text()).matchAll(/"name":\s*"([^"]+)"/g)];
      },
    ),
  );
  return groups.flat().map(([, name = ""]) => name.slice(root.length + 1));
}

/** Makes a request to the local Firestore. */
export function callFirestore(app: TestApp, resource: string, body: string, token: string) {
  const url = `http://${app.firebase.hosts.FIRESTORE_EMULATOR_HOST}/v1/${resource}`;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return fetch(url, { method: "POST", headers, body });
}
