import * as z from "zod";

import type { CommitResult, DocumentSnapshot, Write } from "#app/firebase/firestore-types.ts";
import { findLanguage } from "#app/stories/languages.ts";
import { joinText, splitText, type FieldsWithText } from "#app/stories/story-text.server.ts";
import { countWords } from "#app/stories/words.ts";
import type { Draft, DraftContent, DraftHead } from "#app/writing/draft.ts";

const time = z.date().transform((date) => date.getTime());

/** A draft's document in Firestore: the `head`, which the user sees, and fields that only the server needs. */
const storedDraftSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    cover: z.string().nullable(),
    words: z.number(),
    parts: z.int(),
    revision: z.int(),
    createdAt: time,
    updatedAt: time,
    storyId: z.string().nullable(),
    publishedRevision: z.int().nullable(),
    publishedAt: time.nullable(),
    versionedAt: time.nullable(),
    deletedAt: time.nullable(),
    isOngoing: z.boolean().optional(),
    language: z.unknown().optional().transform(findLanguage),
    publishedChapters: z.int().optional(),
  })
  .transform(({ parts, versionedAt, ...head }) => ({
    head: head satisfies DraftHead,
    parts,
    versionedAt,
  }));

const HOUR_MS = 60 * 60_000;

/** A stored draft without its text. */
export type StoredDraft = z.infer<typeof storedDraftSchema>;

/** Parses a draft's document; `null` if it is not a draft. */
export function toStoredDraft({
  id,
  fields,
}: Pick<DocumentSnapshot, "id" | "fields">): StoredDraft | null {
  return storedDraftSchema.safeParse({ ...fields, id }).data ?? null;
}

/** Parses a draft's fields and text; `null` if they are not a draft's. */
export function toDraft(fields: FieldsWithText | null): Draft | null {
  const stored = storedDraftSchema.safeParse(fields).data;
  if (!fields || !stored) return null;
  return { ...stored.head, text: fields.text, isDamaged: fields.isDamaged };
}

/** Joins the documents at `getPathsWithText` into one set of fields with its id and text; `null` when it does not exist. */
export function joinFields(documents: readonly (DocumentSnapshot | null)[]): FieldsWithText | null {
  return joinText(documents.map((document) => document && { ...document.fields, id: document.id }));
}

export function isInTrash({ head }: StoredDraft): boolean {
  return head.deletedAt !== null;
}

/** Whether an hour has passed since the last version, or since the draft was created. */
export function isVersionDue({ versionedAt, head }: StoredDraft, now: number): boolean {
  return now - (versionedAt ?? head.createdAt) >= HOUR_MS;
}

/** Whether everything is equal that can be compared without the stored text, which takes another request to read. */
export function mayHaveSameContent({ head, parts }: StoredDraft, content: DraftContent): boolean {
  return (
    hasSameFields(head, content) &&
    parts === splitText(content.text).length &&
    head.words === countWords(content.text)
  );
}

export function hasSameContent(draft: DraftContent, content: DraftContent): boolean {
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
    (other.language === undefined || one.language === other.language) &&
    one.tags.join() === other.tags.join()
  );
}

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
