import * as z from "zod";

import type { FirebaseHosts } from "#emulator/hosts.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";

/** The maximum number of writes in one commit. */
const MAX_WRITES = 500;

const ROOT = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;

const listSchema = z.object({ documents: z.array(z.object({ name: z.string() })).default([]) });

/** Deletes all messages of the room as an administrator. */
export async function clearMessages(hosts: FirebaseHosts): Promise<void> {
  const response = await requestDocument(hosts, "rooms/general/messages");
  const { documents } = listSchema.parse(await response.json());
  for (const { name } of documents) {
    await deleteDocument(hosts, name.slice(name.indexOf("rooms/general/")));
  }
}

/** Returns the stored fields of a Firestore document, bypassing the rules. */
export async function readDocument(hosts: FirebaseHosts, path: string): Promise<unknown> {
  const response = await requestDocument(hosts, path);
  const document: unknown = await response.json();
  return typeof document === "object" && document && "fields" in document
    ? document.fields
    : document;
}

/** Sets stored fields of a Firestore document, bypassing the rules. */
export async function changeDocument(hosts: FirebaseHosts, path: string, fields: object) {
  const mask = new URLSearchParams(
    Object.keys(fields).map((name) => ["updateMask.fieldPaths", name]),
  );
  const init = { method: "PATCH", body: JSON.stringify({ fields }) };
  const response = await requestDocument(hosts, `${path}?${mask}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
}

/** Sets Firestore documents, bypassing the rules. Up to 500 are set in one commit. */
export async function setDocuments(
  hosts: FirebaseHosts,
  documents: { path: string; fields: object }[],
): Promise<void> {
  const writes = documents.map(({ path, fields }) => ({
    update: { name: `${ROOT}/${path}`, fields },
  }));
  for (let start = 0; start < writes.length; start += MAX_WRITES) {
    const body = JSON.stringify({ writes: writes.slice(start, start + MAX_WRITES) });
    const response = await request(hosts, `${ROOT}:commit`, { method: "POST", body });
    if (!response.ok) throw new Error(`The documents were not set: ${response.status}`);
  }
}

/** Deletes a Firestore document, bypassing the rules. */
export async function deleteDocument(hosts: FirebaseHosts, path: string): Promise<void> {
  await requestDocument(hosts, path, { method: "DELETE" });
}

/** Sends a REST request for a document or a collection as an administrator. */
export function requestDocument(
  hosts: FirebaseHosts,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  return request(hosts, `${ROOT}/${path}`, init);
}

function request(hosts: FirebaseHosts, path: string, init: RequestInit): Promise<Response> {
  return fetch(`http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${path}`, {
    ...init,
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
  });
}
