import { storedDraftSchema } from "#app/schemas/stored-draft-schema.ts";
import { commit, type Write } from "./commit.server.ts";
import { eraseParts, erasePublication } from "./draft-writes.server.ts";
import { draftsPath } from "./drafts.server.ts";
import type { Env } from "./env.server.ts";
import { createFirestoreAs } from "./firestore.server.ts";

/** Each takes two requests at least, and a Worker of the free plan makes 50 for one of its own. */
const MAX_DRAFTS = 15;

/** As many as fit into one commit with their parts. */
const MAX_VERSIONS = 100;

/**
 * Deletes what somebody has written: drafts with their versions, and the stories published from them. It can be begun
 * again at any time.
 *
 * @returns `unfinished` when there is more than one request can delete
 * @throws when Firestore refuses or cannot be reached
 */
export async function eraseDrafts(
  env: Env,
  { uid, idToken }: { uid: string; idToken: string },
): Promise<"done" | "unfinished"> {
  const firestore = createFirestoreAs(env, idToken);
  const { docs: drafts } = await firestore
    .collection(draftsPath(uid))
    .limit(MAX_DRAFTS + 1)
    .get();

  for (const draft of drafts.slice(0, MAX_DRAFTS)) {
    const path = `${draftsPath(uid)}/${draft.id}`;
    const { docs: versions } = await firestore
      .collection(`${path}/versions`)
      .limit(MAX_VERSIONS)
      .get();
    const stored = storedDraftSchema.safeParse({ ...draft.data(), id: draft.id }).data;
    const isLast = versions.length < MAX_VERSIONS;
    const writes = [
      ...versions.flatMap(({ id }) => eraseDocument(`${path}/versions/${id}`)),
      ...(stored ? erasePublication(stored.head) : []),
      ...(isLast ? eraseDocument(path) : []),
    ];
    const { status } = await commit(env, idToken, writes);
    if (status !== "done") throw new Error(`Firestore did not delete a draft: ${status}`);
    if (!isLast) return "unfinished";
  }
  return drafts.length > MAX_DRAFTS ? "unfinished" : "done";
}

function eraseDocument(path: string): Write[] {
  return [...eraseParts(path, 0), { path, isDeleted: true }];
}
