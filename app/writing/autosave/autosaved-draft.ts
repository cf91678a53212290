import type { DraftRefusal, OpenDraft } from "#app/writing/editor-data.ts";
import type { DraftFields } from "#app/writing/editor/draft-fields.ts";

/** Where the last word is. */
export interface KeptDraft {
  place: "nowhere" | "device" | "account";
  /** When it got there, in milliseconds since the Unix epoch. */
  at: number | null;
  /** The save it goes on from: 0 before the first. */
  revision: number;
  publishedRevision: number | null;
  storyId: string | null;
  refusal: DraftRefusal | null;
  /** What another tab or device has saved or put away meanwhile. Nothing goes to the account until somebody has chosen. */
  conflict: OpenDraft | null;
}

/** Where a draft is that nothing has been typed into yet. */
export function toKept(draft: OpenDraft): KeptDraft {
  const { revision, publishedRevision, storyId, updatedAt } = draft;
  return {
    place: revision > 0 ? "account" : "nowhere",
    at: updatedAt,
    revision,
    publishedRevision,
    storyId,
    refusal: null,
    conflict: draft.deletedAt === null ? null : draft,
  };
}

/** A save as other tabs need to know it. */
export interface SavedDraft extends Pick<KeptDraft, "revision" | "publishedRevision" | "storyId"> {
  fields: DraftFields;
  at: number;
}
