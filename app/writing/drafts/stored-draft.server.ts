import * as z from "zod";

import type { BulkWrite } from "#app/firebase/bulk-writer.server.ts";
import type {
  CommitResult,
  DocumentSnapshot,
  Write,
  DeleteWrite,
  UpdateWrite,
} from "#app/firebase/firestore-types.ts";
import { findLanguage } from "#app/stories/languages.ts";
import {
  joinText,
  splitText,
  MAX_PARTS,
  type FieldsWithText,
} from "#app/stories/story-text.server.ts";
import { createTerms } from "#app/stories/terms.ts";
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

interface Save {
  /** The path of the draft's document. */
  path: string;
  content: DraftContent;
  /** `null` at the first save. */
  stored: (DraftHead & { parts: number }) | null;
  /** The stored draft with its text, if the save makes a version of it. */
  version: NewVersion | null;
  /** Set if the save is also published. */
  publication: Publication | undefined;
  /** Whether the save unpublishes the story. */
  isUnpublishing: boolean;
}

/**
 * A version of the stored draft, which the save is about to replace: after an hour of work, by a restored earlier version,
 * or by the text that the user chose in a conflict.
 */
interface NewVersion {
  reason: "hour" | "replaced" | "conflict";
  draft: Draft;
  /** Whether there is a version of this revision already. */
  isVersion: boolean;
}

interface Publication {
  storyId: string;
  uid: string;
  author: string;
  isOngoing: boolean;
  /** How many chapters the reading page lists. */
  chapters: number;
}

/**
 * Returns the fields that drafts, versions and stories share.
 *
 * @param words the number of words, counted by default, which takes some 100 ms for a long text in Chinese or Japanese
 */
function getSharedFields(
  { title, description, tags, cover, text }: DraftContent,
  words = countWords(text),
) {
  return { title, description, tags, cover, words, parts: splitText(text).length };
}

type SharedFields = ReturnType<typeof getSharedFields>;

/** Returns all writes of a save, for one commit. The first writes the draft's own document. */
export function createSaveWrites(save: Save): [Write, ...Write[]] {
  const { path, content, stored, version, publication, isUnpublishing } = save;
  const revision = (stored?.revision ?? 0) + 1;
  const shared = getSharedFields(content);
  const serverTimestamps = ["updatedAt"];
  const draft: UpdateWrite = {
    path,
    fields: {
      ...shared,
      ...(content.language !== undefined && { language: content.language }),
      revision,
      deletedAt: null,
      ...(stored ? {} : { storyId: null }),
      ...(stored && !isUnpublishing ? {} : { publishedRevision: null, publishedAt: null }),
      ...(publication && {
        storyId: publication.storyId,
        publishedRevision: revision,
        isOngoing: publication.isOngoing,
        publishedChapters: publication.chapters,
      }),
    },
    serverTimestamps,
  };
  if (!stored) serverTimestamps.push("createdAt");
  // The first hour starts with the first save.
  if (!stored || version || publication) serverTimestamps.push("versionedAt");
  if (publication && isUnpublished(stored)) {
    delete draft.fields.publishedAt;
    serverTimestamps.push("publishedAt");
  }
  return [
    draft,
    ...createPartWrites(path, content.text, stored?.parts ?? 0),
    ...(version && !version.isVersion ? createStoredVersionWrites(path, version) : []),
    ...(publication
      ? createVersionWrites(`${path}/versions/${revision}`, content, "published", shared)
      : []),
    ...(publication ? createStoryWrites(publication, save, shared) : []),
    ...(stored && isUnpublishing ? createUnpublishWrites(stored) : []),
  ];
}

/** Returns the writes that delete a draft's published story, if there is one. */
function createUnpublishWrites({ storyId, publishedRevision }: DraftHead): Write[] {
  if (storyId === null || publishedRevision === null) return [];
  return createDeleteWrites(`stories/${storyId}`);
}

/**
 * Returns the writes that delete a draft, a version or a story with its text. They delete the parts first, because
 * the rules for a story's parts read the story.
 *
 * @param updateTime a precondition: the document must not have changed since
 */
export function createDeleteWrites(path: string, updateTime?: string): Write[] {
  return [...createPartDeletes(path, 0), { path, delete: true, updateTime }];
}

/** Returns the writes that delete the parts of a document from number `from` up to, but not including, number `to`. */
function createPartDeletes(path: string, from: number, to = MAX_PARTS): DeleteWrite[] {
  const count = Math.max(0, to - from);
  return Array.from({ length: count }, (_, index) => ({
    path: `${path}/parts/${from + index}`,
    delete: true,
  }));
}

/** Returns the writes of a version that has the id and the time of a stored revision. */
function createStoredVersionWrites(draftPath: string, { draft, reason }: NewVersion): Write[] {
  const path = `${draftPath}/versions/${draft.revision}`;
  const shared = getSharedFields(draft, draft.words);
  const fields = { ...shared, reason, createdAt: new Date(draft.updatedAt) };
  return [{ path, fields }, ...createPartWrites(path, draft.text, 0)];
}

/** Returns the writes of a version of a text that was not saved to the draft before. */
export function createVersionWrites(
  path: string,
  content: DraftContent,
  reason: "published" | "conflict",
  shared = getSharedFields(content),
): Write[] {
  const fields = { ...shared, reason };
  return [
    { path, fields, serverTimestamps: ["createdAt"] },
    ...createPartWrites(path, content.text, 0),
  ];
}

/** What an import knows of a draft or a version. */
interface Imported {
  path: string;
  content: DraftContent;
  words: number;
}

/**
 * Returns the writes of a draft from another account, which is not published here. The rules let drafts only begin with the
 * first revision, now.
 *
 * @param isInTrash whether it is deleted permanently a day from now
 */
export function createImportedDraftWrites(
  { path, content, words }: Imported,
  { isInTrash, isOngoing }: { isInTrash: boolean; isOngoing: boolean | undefined },
): Write[] {
  const { language } = content;
  const fields = {
    ...getSharedFields(content, words),
    ...(language !== undefined && { language }),
    revision: 1,
    storyId: null,
    publishedRevision: null,
    publishedAt: null,
    ...(isInTrash ? {} : { deletedAt: null }),
    ...(isOngoing === undefined ? {} : { isOngoing }),
  };
  const serverTimestamps = ["createdAt", "updatedAt", "versionedAt"];
  if (isInTrash) serverTimestamps.push("deletedAt");
  return [
    { path, fields, serverTimestamps, exists: false },
    ...createPartWrites(path, content.text, 0),
  ];
}

/** Returns the writes of a version from another account. */
export function createImportedVersionWrites(
  { path, content, words }: Imported,
  { reason, createdAt }: { reason: string; createdAt: Date },
): Write[] {
  const fields = { ...getSharedFields(content, words), reason, createdAt };
  return [{ path, fields, exists: false }, ...createPartWrites(path, content.text, 0)];
}

function createStoryWrites(
  { storyId, uid, author, isOngoing, chapters }: Publication,
  { content, stored }: Save,
  shared: SharedFields,
): Write[] {
  const path = `stories/${storyId}`;
  const language = content.language ?? stored?.language;
  const fields = {
    ...shared,
    ...(language !== undefined && { language }),
    ...{ uid, author, isOngoing },
    terms: createTerms({ ...shared, author, language }),
  };
  const isNew = isUnpublished(stored);
  const times = isNew ? ["publishedAt", "updatedAt"] : ["updatedAt"];
  if (!isNew && chapters > (stored?.publishedChapters ?? Infinity)) times.push("newChapterAt");
  return [
    { path, fields, serverTimestamps: times },
    // Stays when the story is unpublished, to reserve its address.
    { path: `storyOwners/${storyId}`, fields: { uid } },
    ...createPartWrites(path, content.text, isNew ? 0 : MAX_PARTS),
  ];
}

/**
 * Returns the writes of the parts of a text. They also delete the remaining parts of a longer text, which had `before`
 * parts.
 */
function createPartWrites(path: string, text: string, before: number): Write[] {
  const parts = splitText(text);
  return [
    ...parts.map((part, index) => ({
      path: `${path}/parts/${index}`,
      fields: { text: part },
    })),
    ...createPartDeletes(path, parts.length, before),
  ];
}

function isUnpublished(stored: Save["stored"]): boolean {
  return stored === null || stored.publishedRevision === null;
}

/** A version has up to three parts, and a commit at most 500 writes. */
const VERSIONS_PER_COMMIT = 125;

/** Deletes all versions of the draft at this path. */
export function deleteDraftVersions(bulkWrite: BulkWrite, path: string): Promise<void> {
  return bulkWrite(`${path}/versions`, (version) => createDeleteWrites(version), {
    batchSize: VERSIONS_PER_COMMIT,
  });
}
