import type * as z from "zod";

import type { DocumentSnapshot, Fields } from "#app/firebase/firestore-types.ts";
import { splitText } from "#app/stories/story-parts.ts";
import { joinText } from "#app/stories/story-text.server.ts";
import { countWords } from "#app/stories/words.ts";
import type { Draft, DraftContent } from "#app/writing/draft.ts";
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

/** Whether a draft and a content can only differ in their texts, which take another request to compare. */
export function areAlike({ head, parts }: Stored, content: DraftContent): boolean {
  return (
    hasSameFields(head, content) &&
    parts === splitText(content.text).length &&
    head.words === countWords(content.text)
  );
}

export function areSame(draft: DraftContent, content: DraftContent): boolean {
  return draft.text === content.text && hasSameFields(draft, content);
}

function hasSameFields(
  one: Omit<DraftContent, "text">,
  other: Omit<DraftContent, "text">,
): boolean {
  return (
    one.title === other.title &&
    one.description === other.description &&
    one.cover === other.cover &&
    one.tags.join() === other.tags.join()
  );
}
