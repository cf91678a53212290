import type { BulkWrite } from "#app/firebase/bulk-writer.server.ts";
import { PermissionDeniedError } from "#app/firebase/firestore-error.server.ts";
import type { Firestore, Write } from "#app/firebase/firestore-types.ts";
import { COUNTS_PATH, getSharesPath, type Share } from "./counts-schema.ts";
import { readShare } from "./counts.server.ts";

/** For each story, the rules read the share and the counts, and they read at most 20 documents a commit. */
const SHARES_PER_COMMIT = 5;

interface CountedStory {
  id: string;
  share: Share;
}

/**
 * Deletes all shares of the user. They are subtracted from the counts first, as the rules require. Can be called again
 * after a failure.
 *
 * @throws {UnfinishedError | FirestoreError | UnavailableError}
 */
export async function deleteShares(
  bulkWrite: BulkWrite,
  firestore: Firestore,
  uid: string,
): Promise<void> {
  const path = getSharesPath(uid);
  const counted: CountedStory[] = [];
  await bulkWrite(
    path,
    (document, fields): Write[] => {
      const share = readShare(fields);
      if (!share) return [{ path: document, delete: true }];
      counted.push({ id: document.slice(path.length + 1), share });
      return [];
    },
    { isKeysOnly: false },
  );
  for (let start = 0; start < counted.length; start += SHARES_PER_COMMIT) {
    await subtract(firestore, path, counted.slice(start, start + SHARES_PER_COMMIT));
  }
  // The shares that no longer count can be deleted all at once.
  if (counted.length > 0) {
    await bulkWrite(path, (document) => [{ path: document, delete: true }]);
  }
}

/** Subtracts shares from the counts. If the writer has deleted the counts of a story, deletes the share. */
async function subtract(
  firestore: Firestore,
  path: string,
  stories: readonly CountedStory[],
): Promise<void> {
  try {
    await firestore.commit(stories.flatMap((story) => createSubtraction(path, story)));
  } catch (error) {
    if (!(error instanceof PermissionDeniedError)) throw error;
    const [first] = stories;
    if (first && stories.length === 1) {
      await firestore.commit([{ path: `${path}/${first.id}`, delete: true }]);
    } else {
      for (const story of stories) await subtract(firestore, path, [story]);
    }
  }
}

function createSubtraction(path: string, { id, share }: CountedStory): Write[] {
  const { opens, finishes, thanks } = share;
  return [
    {
      path: `${path}/${id}`,
      fields: { opens: 0, finishes: 0, thanks: 0 },
      serverTimestamps: ["at"],
    },
    {
      path: `${COUNTS_PATH}/${id}`,
      fields: {},
      increments: { opens: -opens, finishes: -finishes, thanks: -thanks },
    },
  ];
}
