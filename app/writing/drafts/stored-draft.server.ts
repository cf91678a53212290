import type * as z from "zod";

import type { Fields } from "#app/firebase/documents.server.ts";
import { splitText } from "#app/stories/story-parts.ts";
import { countWords } from "#app/stories/words.ts";
import type { Draft, Manuscript } from "#app/writing/draft.ts";
import { storedDraftSchema } from "./stored-draft-schema.ts";

const HOUR_MS = 60 * 60_000;

/** A draft as it is stored, but for its text. */
export type Stored = z.infer<typeof storedDraftSchema>;

/** The same with its text. */
export type StoredWithText = Stored & { draft: Draft };

/** Returns `null` for what is no draft. */
export function toStored(fields: Fields): Stored | null {
  return storedDraftSchema.safeParse(fields).data ?? null;
}

/** Returns `null` for what is no draft. */
export function toStoredWithText(fields: (Fields & { text: string }) | null) {
  const stored = fields && toStored(fields);
  return stored && { ...stored, draft: { ...stored.head, text: fields.text } };
}

/** Whether it has not been put away. */
export function isKept({ head }: Stored): boolean {
  return head.deletedAt === null;
}

/** Whether an hour has passed since the last version was made, or the draft begun. */
export function isVersionDue({ versionedAt, head }: Stored, now: number): boolean {
  return now - (versionedAt ?? head.createdAt) >= HOUR_MS;
}

/** Whether only the text can tell that a draft and a manuscript are not the same: it takes another request. */
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
