import { FailedPreconditionError } from "./firestore-error.server.ts";
import type { DocumentSnapshot, Precondition } from "./firestore-types.ts";

/** Returns the precondition that nobody has changed a document since it was read, or created it if there was none. */
export function ifUnchanged(
  document: Pick<DocumentSnapshot, "updateTime"> | null | undefined,
): Precondition {
  return document ? { updateTime: document.updateTime } : { exists: false };
}

/**
 * Reads and commits, and does so again when another commit came in between, for example from a second tab.
 *
 * @param maxTries after which the error is thrown
 */
export async function retryIfChanged(
  maxTries: number,
  readAndCommit: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await readAndCommit();
    } catch (error) {
      if (!(error instanceof FailedPreconditionError) || tries === maxTries) throw error;
    }
  }
}
