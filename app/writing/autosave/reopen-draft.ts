import type { DeskReply, OpenDraft } from "#app/writing/editor-data.ts";

/**
 * Returns what the editor of a page that came back goes on from: the save that the typed words started from, or became.
 * Going on from any later one would overwrite what another tab or device has saved.
 */
export function reopenDraft(draft: OpenDraft, back: DeskReply | undefined): OpenDraft {
  if (!back?.typed) return draft;
  const { id, revision } = back.typed;
  if (back.reply?.status !== "saved") return { ...draft, id, revision, deletedAt: null };
  const { updatedAt, storyId, publishedRevision, ...saved } = back.reply.draft;
  return { ...back.typed, revision: saved.revision, updatedAt, storyId, publishedRevision };
}
