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
  const { updatedAt, storyId, publishedRevision, publishedChapters, ...saved } =
    actionData.result.draft;
  const published = { storyId, publishedRevision, publishedChapters };
  return { ...actionData.typed, revision: saved.revision, updatedAt, ...published };
}
