import type { Sweep } from "#app/firebase/bulk-delete.server.ts";
import type { Write } from "#app/firebase/firestore-types.ts";
import { eraseWithParts } from "./draft-writes.server.ts";

/** Each with its three parts. */
const VERSIONS_AT_ONCE = 125;

/**
 * Deletes the versions of the draft at a path, and returns what deletes the draft itself.
 *
 * @param updateTime when the draft must have been changed last, if that matters
 */
export async function eraseDraft(
  sweep: Sweep,
  path: string,
  updateTime?: string,
): Promise<Write[]> {
  await sweep(`${path}/versions`, eraseWithParts, { batchSize: VERSIONS_AT_ONCE });
  return eraseWithParts(path, updateTime);
}
