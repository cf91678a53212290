import { convertToFirestoreDocument } from "firebase-rest-firestore";

import type { Env } from "#app/env.server.ts";
import { requirePath } from "./document-path.server.ts";

const TIMEOUT_MS = 30_000;

/** One change of a commit. Paths are below the database's root. */
export type Write =
  | {
      path: string;
      /** Sets these fields and leaves others of the document alone. */
      fields: Record<string, unknown>;
      /** Fields that the database sets to the time of the commit. */
      times: string[];
      /** Whether the document has to be there already, or must not be. @default neither */
      mustExist?: boolean;
      /** As the database writes it: changes the document only if it was last changed then. */
      updateTime?: string | undefined;
    }
  | {
      path: string;
      isDeleted: true;
      /** As the database writes it: deletes the document only if it was last changed then. */
      updateTime?: string | undefined;
    };

/** `refused` by the rules or by what is already there, `unreachable` when it may or may not have happened. */
export type CommitOutcome =
  | { status: "done" }
  | { status: "unauthenticated" | "unreachable" }
  | { status: "refused" };

/**
 * Makes several changes at once or none, as the owner of `idToken`. The library only knows how to make one.
 *
 * @param timeoutMs @default 30 s
 * @see https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents/commit
 */
export async function commit(
  env: Env,
  idToken: string,
  writes: Write[],
  timeoutMs = TIMEOUT_MS,
): Promise<CommitOutcome> {
  const { root, url } = locateDocuments(env);
  const body = JSON.stringify({ writes: writes.map((write) => toWrite(root, write)) });
  try {
    const response = await fetch(`${url}:commit`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${idToken}` },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (response.ok) return { status: "done" };
    if (response.status === 401) return { status: "unauthenticated" };
    const isRefused = response.status < 500 && response.status !== 429;
    return { status: isRefused ? "refused" : "unreachable" };
  } catch {
    return { status: "unreachable" };
  }
}

/** Returns the name of the database's root, and its address over REST, for what the library cannot ask. */
export function locateDocuments(env: Env): { root: string; url: string } {
  const emulator = env.FIRESTORE_EMULATOR_HOST;
  const origin = emulator ? `http://${emulator}` : "https://firestore.googleapis.com";
  const root = `projects/${env.FIREBASE_PROJECT_ID}/databases/(default)/documents`;
  return { root, url: `${origin}/v1/${root}` };
}

function toWrite(root: string, write: Write) {
  const name = `${root}/${requirePath(write.path)}`;
  if ("isDeleted" in write) return { delete: name, ...toPrecondition(write) };
  return {
    update: { name, ...convertToFirestoreDocument(write.fields) },
    ...toPrecondition(write),
    updateMask: { fieldPaths: Object.keys(write.fields) },
    updateTransforms: write.times.map((fieldPath) => ({
      fieldPath,
      setToServerValue: "REQUEST_TIME",
    })),
  };
}

/** The database knows one of these at a time, and a document that was changed at some time exists. */
function toPrecondition(write: { mustExist?: boolean; updateTime?: string | undefined }) {
  const { mustExist: exists, updateTime } = write;
  if (updateTime !== undefined) return { currentDocument: { updateTime } };
  return exists === undefined ? {} : { currentDocument: { exists } };
}
