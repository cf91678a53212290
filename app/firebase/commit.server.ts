import type { Env } from "#app/env.server.ts";
import { requirePath } from "./document-path.server.ts";
import { toRestWrite } from "./firestore-rest.server.ts";
import type { Write } from "./firestore-types.ts";

const TIMEOUT_MS = 30_000;

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
  const body = JSON.stringify({
    writes: writes.map((write) => toRestWrite(write, (path) => `${root}/${requirePath(path)}`)),
  });
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
