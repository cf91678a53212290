import type * as z from "zod";

import type { DocumentSnapshot, Fields } from "#app/firebase/firestore-types.ts";
import { splitText } from "#app/stories/story-parts.ts";
import { joinText } from "#app/stories/story-text.server.ts";
import { countWords } from "#app/stories/words.ts";
import type { Draft, Manuscript } from "#app/writing/draft.ts";
import { storedDraftSchema } from "./stored-draft-schema.ts";

const HOUR_MS = 60 * 60_000;

/** A stored draft without its text. */
export type Stored = z.infer<typeof storedDraftSchema>;

type StoredWithText = Stored & { draft: Draft };

/** Returns `null` for a document that is not a draft. */
export function toStored({ id, fields }: Pick<DocumentSnapshot, "id" | "fields">): Stored | null {
  return storedDraftSchema.safeParse({ ...fields, id }).data ?? null;
}

/** Returns `null` for fields that are not those of a draft. */
export function toStoredWithText(
  fields: (Fields & { text: string }) | null,
): StoredWithText | null {
  const stored = storedDraftSchema.safeParse(fields).data;
  return fields && stored ? { ...stored, draft: { ...stored.head, text: fields.text } } : null;
}

/**
 * Joins the documents at `pathsWithText` to one with its id and text; `null` when it does not exist.
 *
 * @throws when a part is missing
 */
export function joinFields(
  documents: readonly (DocumentSnapshot | null)[],
): (Fields & { text: string }) | null {
  return joinText(documents.map((document) => document && { ...document.fields, id: document.id }));
}

export function isInTrash({ head }: Stored): boolean {
  return head.deletedAt !== null;
}

/** Whether an hour has passed since the last version, or since the draft was created. */
export function isVersionDue({ versionedAt, head }: Stored, now: number): boolean {
  return now - (versionedAt ?? head.createdAt) >= HOUR_MS;
}

/** Whether a draft and a manuscript can only differ in their texts, which take another request to compare. */
export function areAlike({ head, parts }: Stored, manuscript: Manuscript): boolean {
  return (
    hasSameFields(head, manuscript) &&
    parts === splitText(manuscript.text).length &&
    head.words === countWords(manuscript.text)
  );
}

export function areSame(draft: Manuscript, manuscript: Manuscript): boolean {
  return draft.text === manuscript.text && hasSameFields(draft, manuscript);
}

function hasSameFields(one: Omit<Manuscript, "text">, other: Omit<Manuscript, "text">): boolean {
  return (
    one.title === other.title &&
    one.description === other.description &&
    one.cover === other.cover &&
    one.tags.join() === other.tags.join()
  );
}
