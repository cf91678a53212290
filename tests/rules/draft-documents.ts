import { createDocumentId } from "#app/firebase/document-id.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import type { Change, Fields } from "./requests.ts";

/** The fields that drafts, versions and stories have in common. */
export const about: Fields = {
  title: "Salt and Sand",
  description: "",
  tags: ["sea"],
  cover: null,
  words: 3,
  parts: 1,
};

/** Returns a new draft of a user. */
export function createDraft(
  user: Pick<TestAccount, "localId">,
  id = createDocumentId(),
): Required<Change> {
  return {
    path: `users/${user.localId}/drafts/${id}`,
    fields: {
      ...about,
      revision: 1,
      storyId: null,
      publishedRevision: null,
      publishedAt: null,
      deletedAt: null,
    },
    times: ["createdAt", "updatedAt", "versionedAt"],
  };
}

/** Returns an earlier version of a draft. */
export function createVersion(draft: Pick<Change, "path">): Required<Change> {
  return {
    path: `${draft.path}/versions/1`,
    fields: { ...about, reason: "hour" },
    times: ["createdAt"],
  };
}
