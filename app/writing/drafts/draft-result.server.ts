import type { CommitResult, DocumentSnapshot, Write } from "#app/firebase/firestore-types.ts";
import type { Draft, DraftHead } from "#app/writing/draft.ts";
import { toStoredDraft } from "./stored-draft.server.ts";

/**
 * `conflict`: another tab or device has changed the draft since, or moved it to the trash. Nothing was overwritten.
 * `too-fast`: the user has published too often, and can publish again after `waitMs`. Nothing was saved.
 */
export type DraftResult =
  | { status: "saved"; draft: DraftHead }
  | { status: "conflict"; remote: Draft }
  | { status: "too-fast"; waitMs: number }
  | { status: "denied" };

/** Returns the draft after the commit, without another read. */
export function toSaved(
  id: string,
  before: DocumentSnapshot | null,
  write: Write,
  { writes: [result] }: CommitResult,
): DraftResult {
  const written = "fields" in write ? write.fields : {};
  const fields = { ...before?.fields, ...written, ...result?.serverTimestamps };
  const stored = toStoredDraft({ id, fields });
  if (!stored) throw new TypeError("The saved draft cannot be read");
  return { status: "saved", draft: stored.head };
}
