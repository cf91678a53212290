import type { EditorActionData, OpenDraft } from "#app/writing/editor-data.ts";

/**
 * Returns the draft for the editor after a form was submitted without scripts. Its revision is the one that the typed text
 * is based on or was saved as: with a later one, the next save would overwrite the text of another tab or device.
 */
export function getDraftToEdit(
  draft: OpenDraft,
  actionData: EditorActionData | undefined,
): OpenDraft {
  if (!actionData?.typed) return draft;
  const { id, revision, isOngoing } = actionData.typed;
  if (actionData.result?.status !== "saved") {
    return { ...draft, id, revision, isOngoing, deletedAt: null };
  }
  const { revision: saved, updatedAt, storyId, publishedRevision } = actionData.result.draft;
  return { ...actionData.typed, revision: saved, updatedAt, storyId, publishedRevision };
}
