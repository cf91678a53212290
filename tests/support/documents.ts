import * as z from "zod";

import type { FirebaseHosts } from "#emulator/hosts.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";

const listSchema = z.object({ documents: z.array(z.object({ name: z.string() })).default([]) });

/** Deletes all messages of the room as an administrator. */
export async function clearMessages(hosts: FirebaseHosts): Promise<void> {
  const origin = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1`;
  const root = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;
  const headers = { Authorization: "Bearer owner" };
  const response = await fetch(`${origin}/${root}/rooms/general/messages`, { headers });
  const { documents } = listSchema.parse(await response.json());
  for (const { name } of documents) {
    await fetch(`${origin}/${name}`, { method: "DELETE", headers });
  }
}

/** Returns the stored fields of a Firestore document, bypassing the rules. */
export async function readDocument(hosts: FirebaseHosts, path: string): Promise<unknown> {
  const root = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/projects/${LOCAL_PROJECT_ID}`;
  const response = await fetch(`${root}/databases/(default)/documents/${path}`, {
    headers: { Authorization: "Bearer owner" },
  });
  const document: unknown = await response.json();
  return typeof document === "object" && document && "fields" in document
    ? document.fields
    : document;
}

/** Sets stored fields of a Firestore document, bypassing the rules. */
export async function changeDocument(hosts: FirebaseHosts, path: string, fields: object) {
  const root = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/projects/${LOCAL_PROJECT_ID}`;
  const mask = new URLSearchParams(
    Object.keys(fields).map((name) => ["updateMask.fieldPaths", name]),
  );
  const response = await fetch(`${root}/databases/(default)/documents/${path}?${mask}`, {
    method: "PATCH",
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify({ fields }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
}

/** Deletes a Firestore document, bypassing the rules. */
export async function deleteDocument(hosts: FirebaseHosts, path: string): Promise<void> {
  const root = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/projects/${LOCAL_PROJECT_ID}`;
  const headers = { Authorization: "Bearer owner" };
  await fetch(`${root}/databases/(default)/documents/${path}`, { method: "DELETE", headers });
}
