import { readEnv } from "#app/env.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { createPublishedService } from "#app/stories/published.server.ts";
import type { DraftContent } from "#app/writing/draft.ts";
import { createDraftService } from "#app/writing/drafts/drafts.server.ts";
import { createVersionService } from "#app/writing/versions/versions.server.ts";
import { getLocalVariables } from "#emulator/local-project.ts";
import { readDocument } from "#tests/support/documents.ts";
import { startFirebase, type TestAccount } from "#tests/support/firebase.ts";

export const content: DraftContent = {
  title: "Salt and Sand",
  description: "A tide comes in.",
  tags: ["sea", "slow"],
  cover: null,
  text: "# One\n\nThe tide had been coming in.\n",
};

/** Starts a Firebase with one writer, and the services of drafts and stories with a clock that the test moves. */
export async function startDrafts() {
  const firebase = await startFirebase();
  const env = readEnv({
    SESSION_SECRET: "a secret that is at least 32 characters",
    ...getLocalVariables(firebase.hosts),
  });
  let ahead = 0;
  const ana = toWriter(await firebase.addAccount({ displayName: "Ana" }));
  return {
    ana,
    drafts: createDraftService(env, () => Date.now() + ahead),
    published: createPublishedService(env, Date.now),
    versions: createVersionService(env),
    /** Returns the numbers of the parts (at most three) that are stored below the document at `path`. */
    async listParts(path: string): Promise<number[]> {
      const parts = [0, 1, 2].map((part) => readDocument(firebase.hosts, `${path}/parts/${part}`));
      const stored = await Promise.all(parts);
      return [0, 1, 2].filter((part) => Object.hasOwn(Object(stored[part]), "text"));
    },
    addWriter: async () => toWriter(await firebase.addAccount()),
    wait: (ms: number) => {
      ahead += ms;
    },
    [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose](),
  };
}

function toWriter({ localId, displayName, idToken }: TestAccount) {
  return { uid: localId, displayName: displayName || null, idToken };
}

/** Returns a new draft as the target of its first save. */
export function createTarget() {
  return { id: createDocumentId(), revision: 0 };
}
