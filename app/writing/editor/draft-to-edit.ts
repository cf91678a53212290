import type { EditorActionData, OpenDraft } from "#app/writing/editor-data.ts";

/**
 * Returns the draft for the editor after a form was submitted without scripts. Its revision is the one that the typed text
 * is based on or was saved as: with a later one, the next save would overwrite the text of another tab or device.
 */
export function getDraftToEdit(draft: OpenDraft, answer: EditorActionData | undefined): OpenDraft {
  if (!answer?.typed) return draft;
  const { id, revision } = answer.typed;
  if (answer.reply?.status !== "saved") return { ...draft, id, revision, deletedAt: null };
  const { updatedAt, storyId, publishedRevision, publishedChapters, ...saved } = answer.reply.draft;
  const published = { storyId, publishedRevision, publishedChapters };
  return { ...answer.typed, revision: saved.revision, updatedAt, ...published };
}
