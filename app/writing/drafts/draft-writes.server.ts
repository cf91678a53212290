import type { DeleteWrite, UpdateWrite, Write } from "#app/firebase/firestore-types.ts";
import { MAX_PARTS, splitText } from "#app/stories/story-parts.ts";
import { countWords } from "#app/stories/words.ts";
import type { Draft, DraftHead, DraftContent } from "#app/writing/draft.ts";

interface Save {
  /** The path of the draft's document. */
  path: string;
  content: DraftContent;
  /** `null` at the first save. */
  stored: (DraftHead & { parts: number }) | null;
  /** The stored draft with its text, when it is to become a version. */
  version: NewVersion | null;
  /** Set when the save is also published. */
  publication: Publication | undefined;
  /** Whether the story is withdrawn. */
  isWithdrawn: boolean;
}

/**
 * A save that is about to be replaced: after an hour of work, by an earlier version that is restored, or by another text
 * that the user chose in a conflict.
 */
interface NewVersion {
  reason: "hour" | "replaced" | "conflict";
  draft: Draft;
  /** Whether it is a version already, which doesn't change. */
  isVersion: boolean;
}

interface Publication {
  storyId: string;
  uid: string;
  author: string;
}

/**
 * Returns the fields that drafts, versions and stories share.
 *
 * @param words counted again by default, which takes some 100 ms for a long text in Chinese or Japanese
 */
function describe(
  { title, description, tags, cover, text }: DraftContent,
  words = countWords(text),
) {
  return { title, description, tags, cover, words, parts: splitText(text).length };
}

type About = ReturnType<typeof describe>;

/** Returns all writes of a save, for one commit. The first is that of the draft's own document. */
export function writeSave(save: Save): [Write, ...Write[]] {
  const { path, content, stored, version, publication, isWithdrawn } = save;
  const revision = (stored?.revision ?? 0) + 1;
  const about = describe(content);
  const serverTimestamps = ["updatedAt"];
  const draft: UpdateWrite = {
    path,
    fields: {
      ...about,
      revision,
      deletedAt: null,
      ...(stored ? {} : { storyId: null }),
      ...(stored && !isWithdrawn ? {} : { publishedRevision: null, publishedAt: null }),
      ...(publication && { storyId: publication.storyId, publishedRevision: revision }),
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
    ...writeParts(path, content.text, stored?.parts ?? 0),
    ...(version && !version.isVersion ? writeStoredVersion(path, version) : []),
    ...(publication
      ? writeVersion(`${path}/versions/${revision}`, content, "published", about)
      : []),
    ...(publication ? writeStory(publication, save, about) : []),
    ...(stored && isWithdrawn ? unpublish(stored) : []),
  ];
}

/** Withdraws a draft's story, if it is published. Deletes its parts first, because their rules read the story. */
function unpublish({ storyId, publishedRevision }: DraftHead): Write[] {
  if (storyId === null || publishedRevision === null) return [];
  return deleteWithParts(`stories/${storyId}`);
}

/**
 * Deletes a draft, a version or a story with its text.
 *
 * @param updateTime the document must not have changed since
 */
export function deleteWithParts(path: string, updateTime?: string): Write[] {
  return [...deleteParts(path, 0), { path, delete: true, updateTime }];
}

/** Deletes the parts of a document from number `from` to before number `to`. */
function deleteParts(path: string, from: number, to = MAX_PARTS): DeleteWrite[] {
  const count = Math.max(0, to - from);
  return Array.from({ length: count }, (_, index) => ({
    path: `${path}/parts/${from + index}`,
    delete: true,
  }));
}

/** A version of a save has the save's revision as its id, and its time. */
function writeStoredVersion(draftPath: string, { draft, reason }: NewVersion): Write[] {
  const path = `${draftPath}/versions/${draft.revision}`;
  const about = describe(draft, draft.words);
  const fields = { ...about, reason, createdAt: new Date(draft.updatedAt) };
  return [{ path, fields }, ...writeParts(path, draft.text, 0)];
}

/** Makes a version of a text that the draft did not contain before. */
export function writeVersion(
  path: string,
  content: DraftContent,
  reason: "published" | "conflict",
  about = describe(content),
): Write[] {
  const fields = { ...about, reason };
  return [{ path, fields, serverTimestamps: ["createdAt"] }, ...writeParts(path, content.text, 0)];
}

function writeStory(
  { storyId, uid, author }: Publication,
  { content, stored }: Save,
  about: About,
): Write[] {
  const path = `stories/${storyId}`;
  const fields = { ...about, uid, author };
  const isNew = isUnpublished(stored);
  const times = isNew ? ["publishedAt", "updatedAt"] : ["updatedAt"];
  return [
    { path, fields, serverTimestamps: times },
    // Stays when the story is withdrawn, to reserve its address.
    { path: `storyOwners/${storyId}`, fields: { uid } },
    ...writeParts(path, content.text, isNew ? 0 : MAX_PARTS),
  ];
}

/** Writes the parts of a text, and deletes the rest of the `before` parts that a longer text had. */
function writeParts(path: string, text: string, before: number): Write[] {
  const parts = splitText(text);
  return [
    ...parts.map((part, index) => ({
      path: `${path}/parts/${index}`,
      fields: { text: part },
    })),
    ...deleteParts(path, parts.length, before),
  ];
}

function isUnpublished(stored: Save["stored"]): boolean {
  return stored === null || stored.publishedRevision === null;
}
