import { convertToFirestoreDocument } from "firebase-rest-firestore";
import * as z from "zod";

import type { Env } from "./env.server.ts";

const TIMEOUT_MS = 30_000;

/** One change of a commit. Paths are below the database's root. */
export type Write =
  | {
      path: string;
      /** Sets these fields and leaves others of the document alone. */
      fields: Record<string, unknown>;
      /** Fields that the database sets to the time of the commit. */
      times: string[];
    }
  | { path: string; isDeleted: true };

/** `refused` by the rules or by what is already there, `unreachable` when it may or may not have happened. */
export type CommitOutcome =
  | {
      status: "done";
      /** By the database's clock, in milliseconds since the Unix epoch. */
      at: number;
    }
  | { status: "unauthenticated" | "unreachable" }
  | { status: "refused" };

const replySchema = z.object({ commitTime: z.iso.datetime({ offset: true }) });

/**
 * Makes several changes at once or none, as the owner of `idToken`. The library only knows how to make one.
 *
 * @see https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents/commit
 */
export async function commit(env: Env, idToken: string, writes: Write[]): Promise<CommitOutcome> {
  const root = `projects/${env.FIREBASE_PROJECT_ID}/databases/(default)/documents`;
  const origin = env.FIRESTORE_EMULATOR_HOST
    ? `http://${env.FIRESTORE_EMULATOR_HOST}`
    : "https://firestore.googleapis.com";
  try {
    const response = await fetch(`${origin}/v1/${root}:commit`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${idToken}` },
      body: JSON.stringify({ writes: writes.map((write) => toWrite(root, write)) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const reply: unknown = await response.json();
    if (response.ok) {
      return { status: "done", at: Date.parse(replySchema.parse(reply).commitTime) };
    }
    if (response.status === 401) return { status: "unauthenticated" };
    const isRefused = response.status < 500 && response.status !== 429;
    return { status: isRefused ? "refused" : "unreachable" };
  } catch {
    return { status: "unreachable" };
  }
}

function toWrite(root: string, write: Write) {
  const name = `${root}/${write.path}`;
  if ("isDeleted" in write) return { delete: name };
  return {
    update: { name, ...convertToFirestoreDocument(write.fields) },
    updateMask: { fieldPaths: Object.keys(write.fields) },
    updateTransforms: write.times.map((fieldPath) => ({
      fieldPath,
      setToServerValue: "REQUEST_TIME",
    })),
  };
}
