import type { EditorActionData, OpenDraft } from "#app/writing/editor-data.ts";

/**
 * Returns the draft that the editor continues with after a form without scripts: the revision that the typed text was based
 * on, or became. A later one would overwrite what another tab or device has saved.
 */
export function getDraftToEdit(draft: OpenDraft, answer: EditorActionData | undefined): OpenDraft {
  if (!answer?.typed) return draft;
  const { id, revision } = answer.typed;
  if (answer.reply?.status !== "saved") return { ...draft, id, revision, deletedAt: null };
  const { updatedAt, storyId, publishedRevision, ...saved } = answer.reply.draft;
  return { ...answer.typed, revision: saved.revision, updatedAt, storyId, publishedRevision };
}
