import type { Env } from "#app/env.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { FirestoreError, UnauthenticatedError } from "./firestore-error.server.ts";
import type { Write } from "./firestore-types.ts";
import { asUser } from "./firestore.server.ts";

/** `refused` by the rules or a precondition; after `unreachable` the writes may have been made. */
export type CommitOutcome = { status: "done" | "refused" | "unauthenticated" | "unreachable" };

/** Makes all writes or none: see `asUser`, which replaces this. */
export async function commit(
  env: Env,
  idToken: string,
  writes: Write[],
  timeoutMs?: number,
): Promise<CommitOutcome> {
  try {
    await asUser(env, { idToken }).commit(writes, { timeoutMs });
    return { status: "done" };
  } catch (error) {
    if (error instanceof UnavailableError) return { status: "unreachable" };
    if (error instanceof UnauthenticatedError) return { status: "unauthenticated" };
    if (error instanceof FirestoreError) return { status: "refused" };
    throw error;
  }
}
