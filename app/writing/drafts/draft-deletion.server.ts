import type { BulkWrite } from "#app/firebase/bulk-writer.server.ts";
import { createDeleteWrites } from "./draft-writes.server.ts";

/** A version has up to three parts, and a commit at most 500 writes. */
const VERSIONS_PER_COMMIT = 125;

/** Deletes all versions of the draft at this path. */
export function deleteDraftVersions(bulkWrite: BulkWrite, path: string): Promise<void> {
  return bulkWrite(`${path}/versions`, (version) => createDeleteWrites(version), {
    batchSize: VERSIONS_PER_COMMIT,
  });
}
