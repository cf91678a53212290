import type { BulkWrite } from "#app/firebase/bulk-writer.server.ts";
import { deleteWithParts } from "./draft-writes.server.ts";

/** Each has three parts, and a commit 500 writes. */
const VERSIONS_PER_COMMIT = 125;

/** Deletes all versions of the draft at a path. */
export function deleteDraftVersions(bulkWrite: BulkWrite, path: string): Promise<void> {
  return bulkWrite(`${path}/versions`, deleteWithParts, { batchSize: VERSIONS_PER_COMMIT });
}
