import type { DeleteWrite, UpdateWrite, Write } from "#app/firebase/firestore-types.ts";
import { MAX_PARTS, splitText } from "#app/stories/story-parts.ts";
import { countWords } from "#app/stories/words.ts";
import type { Draft, DraftHead, Manuscript } from "#app/writing/draft.ts";

export interface Save {
  /** The path of the draft's document. */
  path: string;
  manuscript: Manuscript;
  /** What is stored so far; `null` at the first save. */
  stored: (DraftHead & { parts: number }) | null;
  /** What is stored so far once more, where it is to stay as a version. */
  kept: KeptMoment | null;
  /** Set when the save is published as well: where and by whom. */
  publication: Publication | undefined;
  /** Whether what is published no longer is. */
  isWithdrawn: boolean;
}

/**
 * What a save takes the place of: after an hour of work, because an earlier version is restored over it, or because its
 * writer chose another text over it in a conflict.
 */
export interface KeptMoment {
  reason: "hour" | "replaced" | "conflict";
  draft: Draft;
  /** Whether it is a version already. Those stay as they are. */
  isVersion: boolean;
}

interface Publication {
  storyId: string;
  uid: string;
  author: string;
}

/**
 * What a draft, a version and a story all tell of their text.
 *
 * @param words counting them takes a long text of Chinese or Japanese some tenths of a second
 */
function describe({ title, description, tags, cover, text }: Manuscript, words = countWords(text)) {
  return { title, description, tags, cover, words, parts: splitText(text).length };
}

type About = ReturnType<typeof describe>;

/** Returns all that one save writes, to be done together or not at all. */
export function writeSave(save: Save): Write[] {
  const { path, manuscript, stored, kept, publication, isWithdrawn } = save;
  const revision = (stored?.revision ?? 0) + 1;
  const about = describe(manuscript);
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
  // The first hour begins with the first save.
  if (!stored || kept || publication) serverTimestamps.push("versionedAt");
  if (publication && isUnpublished(stored)) {
    delete draft.fields.publishedAt;
    serverTimestamps.push("publishedAt");
  }
  return [
    draft,
    ...writeParts(path, manuscript.text, stored?.parts ?? 0),
    ...(kept && !kept.isVersion ? writeKept(path, kept) : []),
    ...(publication
      ? writeVersion(`${path}/versions/${revision}`, manuscript, "published", about)
      : []),
    ...(publication ? writeStory(publication, save, about) : []),
    ...(stored && isWithdrawn ? erasePublication(stored) : []),
  ];
}

/** Returns what withdraws a draft's story, if it is published. Its parts go first, for their rules ask the story. */
function erasePublication({ storyId, publishedRevision }: DraftHead): Write[] {
  if (storyId === null || publishedRevision === null) return [];
  return eraseWithParts(`stories/${storyId}`);
}

/**
 * Returns what deletes a draft, a version or a story with its text.
 *
 * @param updateTime when it must have been changed last, if that matters
 */
export function eraseWithParts(path: string, updateTime?: string): Write[] {
  return [...eraseParts(path, 0), { path, delete: true, updateTime }];
}

/** Returns what deletes the parts of a document from that number on. */
function eraseParts(path: string, from: number, to = MAX_PARTS): DeleteWrite[] {
  const count = Math.max(0, to - from);
  return Array.from({ length: count }, (_, index) => ({
    path: `${path}/parts/${from + index}`,
    delete: true,
  }));
}

/** A version's id is the number of the save that it holds, and its time is when that was made. */
function writeKept(draftPath: string, { draft, reason }: KeptMoment): Write[] {
  const path = `${draftPath}/versions/${draft.revision}`;
  const about = describe(draft, draft.words);
  const fields = { ...about, reason, createdAt: new Date(draft.updatedAt) };
  return [{ path, fields }, ...writeParts(path, draft.text, 0)];
}

/** Returns what makes a version of a text that is not what the draft held until now. */
export function writeVersion(
  path: string,
  manuscript: Manuscript,
  reason: "published" | "conflict",
  about = describe(manuscript),
): Write[] {
  const fields = { ...about, reason };
  return [
    { path, fields, serverTimestamps: ["createdAt"] },
    ...writeParts(path, manuscript.text, 0),
  ];
}

function writeStory(
  { storyId, uid, author }: Publication,
  { manuscript, stored }: Save,
  about: About,
): Write[] {
  const path = `stories/${storyId}`;
  const fields = { ...about, uid, author };
  const isNew = isUnpublished(stored);
  const times = isNew ? ["publishedAt", "updatedAt"] : ["updatedAt"];
  return [
    { path, fields, serverTimestamps: times },
    // Stays when the story is withdrawn, so that nobody else takes its address meanwhile.
    { path: `storyOwners/${storyId}`, fields: { uid } },
    ...writeParts(path, manuscript.text, isNew ? 0 : MAX_PARTS),
  ];
}

/** Writes the parts of a text, and deletes those of a longer one before it. */
function writeParts(path: string, text: string, before: number): Write[] {
  const parts = splitText(text);
  return [
    ...parts.map((part, index) => ({
      path: `${path}/parts/${index}`,
      fields: { text: part },
    })),
    ...eraseParts(path, parts.length, before),
  ];
}

function isUnpublished(stored: Save["stored"]): boolean {
  return stored === null || stored.publishedRevision === null;
}
