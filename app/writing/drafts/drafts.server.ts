import { getPublicName } from "#app/chat/message.ts";
import { createServiceGetter, type Env } from "#app/env.server.ts";
import { formatCursor, readCursor } from "#app/firebase/cursor.ts";
import {
  createBulkWriter,
  limitRequests,
  UnfinishedError,
} from "#app/firebase/bulk-writer.server.ts";
import { FirestoreError, UnauthenticatedError } from "#app/firebase/firestore-error.server.ts";
import type {
  CommitResult,
  DocumentSnapshot,
  QueryOptions,
  Write,
} from "#app/firebase/firestore-types.ts";
import { asUser, PreciseDate } from "#app/firebase/firestore.server.ts";
import { logError } from "#app/http/log-error.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { countDocument, getRateRecordPath } from "#app/session/rate-record.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { countChaptersInSteps, runSteps } from "#app/stories/markdown.server.ts";
import { createStoryId } from "#app/stories/story-id.server.ts";
import { getPathsWithText } from "#app/stories/story-text.server.ts";
import {
  getDraftsPath,
  type Draft,
  type DraftContent,
  type DraftHead,
} from "#app/writing/draft.ts";
import {
  createUnsavedVersionId,
  toVersion,
  getVersionPath,
  type VersionText,
} from "#app/writing/versions/versions.server.ts";
import {
  createDeleteWrites,
  createSaveWrites,
  createVersionWrites,
  deleteDraftVersions,
  hasSameContent,
  isInTrash,
  isVersionDue,
  joinFields,
  mayHaveSameContent,
  toDraft,
  toSaved,
  toStoredDraft,
  type DraftResult,
  type StoredDraft,
} from "./stored-draft.server.ts";

/** How long a draft stays in the trash. */
const TRASH_MS = 24 * 60 * 60_000;

/** How often a change of the `latest` revision is retried after another save came first. */
const MAX_RETRIES = 2;

/** How many drafts one page view deletes permanently, because each draft and its versions take several requests. */
const MAX_DELETED = 4;
const MAX_VERSION_REQUESTS = 8;

/** How long a page waits before it is shown without drafts. */
const PAGE_TIMEOUT_MS = 2000;

/** How long a save waits for its first read. */
const SAVE_TIMEOUT_MS = 2000;

const MAX_LISTED = 200;

type DraftUser = Pick<AuthUser, "uid" | "displayName" | "idToken">;

/**
 * The draft, and the revision that the editor's text is based on: 0 before the first save, `latest` for a change that
 * applies to any revision.
 */
export interface SaveTarget {
  id: string;
  revision: number | "latest";
  /** Whether the user chose their text over that revision in a conflict, so that it becomes a version. @default false */
  isOverwrite?: boolean;
}

interface DraftList {
  drafts: DraftHead[];
  /** The cursor of the drafts after these; `null` if there are none. */
  older: string | null;
  /** The ids of drafts that have been in the trash for more than a day. */
  overdue: string[];
}

type Purpose = "published" | "unpublished" | "restored" | undefined;

/** Returns the writes of a change, the draft's own document first, or the result when nothing has to be written. */
type DecideWrites = (
  stored: StoredDraft | null,
) => [Write, ...Write[]] | DraftResult | Promise<[Write, ...Write[]] | DraftResult>;

/**
 * Saves, publishes and deletes drafts as their user.
 *
 * Every method throws `UnavailableError` when the database does not respond, and `FirestoreError` when it does not accept
 * the user. The change may or may not have been saved.
 */
export function createDraftService(env: Env, now: () => number) {
  const getPath = ({ uid }: DraftUser, id: string) => `${getDraftsPath(uid)}/${id}`;

  async function read(user: DraftUser, id: string): Promise<DocumentSnapshot | null> {
    return asUser(env, user).get(getPath(user, id), { timeoutMs: SAVE_TIMEOUT_MS });
  }

  async function find(user: DraftUser, id: string, timeoutMs?: number): Promise<Draft | null> {
    const paths = getPathsWithText(getPath(user, id));
    const { documents } = await asUser(env, user).batchGet(paths, { timeoutMs });
    return toDraft(joinFields(documents));
  }

  /** Returns the text of a stored draft, and whether it is a version already; `null` if it was saved again meanwhile. */
  async function readText(user: DraftUser, { head }: StoredDraft) {
    const path = getPath(user, head.id);
    const paths = [...getPathsWithText(path), `${path}/versions/${head.revision}`];
    const { documents } = await asUser(env, user).batchGet(paths);
    const isVersion = Boolean(documents.pop());
    const draft = toDraft(joinFields(documents));
    return draft?.revision === head.revision ? { draft, isVersion } : null;
  }

  /** Counts a publication, and checks whether the story is there: an operator may have unpublished it. */
  async function readPublication(user: DraftUser, storyId: string) {
    const { uid } = user;
    const paths = [getRateRecordPath(uid, "publications"), `stories/${storyId}`];
    const { documents, readTime } = await asUser(env, user).batchGet(paths);
    const [record = null, story] = documents;
    const count = countDocument({ uid, kind: "publications", id: storyId }, record, readTime);
    return { count, isMissing: !story };
  }

  /** Returns the commit's result, or `null` when the rules or a precondition rejected it. */
  async function tryCommit(user: DraftUser, writes: Write[]): Promise<CommitResult | null> {
    try {
      return await asUser(env, user).commit(writes);
    } catch (error) {
      if (!(error instanceof FirestoreError) || error instanceof UnauthenticatedError) throw error;
      return null;
    }
  }

  /** Changes the revision that `target` names, unless the draft has been saved since. */
  async function change(
    user: DraftUser,
    target: SaveTarget,
    decideWrites: DecideWrites,
    isAlreadySaved: (draft: Draft) => boolean,
    retries = MAX_RETRIES,
  ): Promise<DraftResult> {
    const { id, revision } = target;
    let stored = await read(user, id);
    const head = stored && toStoredDraft(stored)?.head;
    // A draft that was deleted permanently is created again, because the user has just edited it.
    if (!head || revision === "latest" || head.revision === revision) {
      const decision = await decideWrites(stored && toStoredDraft(stored));
      if (!Array.isArray(decision)) return decision;
      const result = await tryCommit(user, decision);
      if (result) return toSaved(id, stored, decision[0], result);
      stored = await read(user, id);
    }

    const current = stored && toStoredDraft(stored)?.head;
    const isOvertaken = current?.revision !== head?.revision;
    if (revision === "latest" && isOvertaken && retries > 0) {
      return change(user, target, decideWrites, isAlreadySaved, retries - 1);
    }
    if (!current || revision === "latest" || current.revision === revision) {
      return { status: "denied" };
    }
    const remote = await find(user, id);
    if (!remote) throw new UnavailableError("The draft has just been deleted");
    // A form that is sent twice finds its own save.
    return remote.deletedAt === null && isAlreadySaved(remote)
      ? { status: "saved", draft: current }
      : { status: "conflict", remote };
  }

  /**
   * Saves the text unless the draft contains it already. The previous revision becomes a version after an hour, when an
   * earlier version is restored over it, and when it is overwritten in a conflict.
   */
  async function save(
    user: DraftUser,
    target: SaveTarget,
    content: DraftContent,
    purpose: Purpose,
    isOngoing = false,
  ): Promise<DraftResult> {
    const isPublished = purpose === "published";
    const isUnpublishing = purpose === "unpublished";
    const saveReason = target.isOverwrite ? "conflict" : "hour";
    const reason = purpose === "restored" ? "replaced" : saveReason;
    const decideWrites: DecideWrites = async (stored) => {
      const isDue = stored !== null && (reason !== "hour" || isVersionDue(stored, now()));
      const mayBeUnchanged =
        stored !== null &&
        !isPublished &&
        !isUnpublishing &&
        !isInTrash(stored) &&
        mayHaveSameContent(stored, content);
      const before = stored && (isDue || mayBeUnchanged) ? await readText(user, stored) : null;
      const isUnchanged = before !== null && hasSameContent(before.draft, content);
      if (mayBeUnchanged && isUnchanged) return { status: "saved", draft: stored.head };
      const isVersionWanted = isDue && !(isUnchanged && reason === "conflict");
      const storyId = stored?.head.storyId ?? createStoryId(content.title);
      const found = isPublished || isUnpublishing ? await readPublication(user, storyId) : null;
      const count = isPublished ? found?.count : null;
      if (count?.status === "too-fast") return count;
      const [draft, ...others] = createSaveWrites({
        path: getPath(user, target.id),
        content,
        stored: stored && {
          ...stored.head,
          parts: stored.parts,
          ...(found?.isMissing && { publishedRevision: null }),
        },
        version: before && isVersionWanted ? { ...before, reason } : null,
        publication: isPublished
          ? {
              storyId,
              uid: user.uid,
              author: getPublicName(user.displayName),
              isOngoing,
              chapters: await runSteps(countChaptersInSteps(content.text)),
            }
          : undefined,
        isUnpublishing,
      });
      return [draft, ...others, ...(count ? [count.write] : [])];
    };
    const isAlreadySaved = (remote: Draft) => {
      if (!hasSameContent(remote, content)) return false;
      if (isPublished) return remote.publishedRevision === remote.revision;
      return !isUnpublishing || remote.publishedRevision === null;
    };
    const result = await change(user, target, decideWrites, isAlreadySaved);
    // Another story may have been published and counted at the same time.
    const isRetried = isPublished && result.status === "denied";
    return isRetried ? change(user, target, decideWrites, isAlreadySaved) : result;
  }

  return {
    /**
     * Returns up to 200 drafts that are not in the trash, last changed first.
     *
     * @param older the cursor of a list of later ones; any other text counts as `null`
     */
    async list(user: DraftUser, older: string | null = null): Promise<DraftList> {
      const path = getDraftsPath(user.uid);
      const cursor = readCursor(older);
      const query: QueryOptions = {
        orderBy: ["updatedAt", "desc"],
        ...(cursor && { startAfter: [new PreciseDate(cursor.time), `${path}/${cursor.id}`] }),
        // One more, to know whether there are older ones.
        limit: MAX_LISTED + 1,
      };
      const options = { timeoutMs: PAGE_TIMEOUT_MS };
      const found = await asUser(env, user).query(path, query, options);
      const documents = found.slice(0, MAX_LISTED);
      const last = found.length > MAX_LISTED ? documents.at(-1) : undefined;
      const drafts = documents.flatMap((document) => toStoredDraft(document) ?? []);
      const overdue = drafts.filter((draft) => isOverdue(draft, now()));
      return {
        drafts: drafts.filter((draft) => !isInTrash(draft)).map(({ head }) => head),
        older: last ? toCursor(last) : null,
        overdue: overdue.map(({ head }) => head.id),
      };
    },

    /** Returns a draft, even if it is in the trash, or `null` when it does not exist. */
    open: (user: DraftUser, id: string): Promise<Draft | null> => find(user, id, PAGE_TIMEOUT_MS),

    /** Returns a draft and one of its versions with one request. */
    async openWithVersion(
      user: DraftUser,
      id: string,
      versionId: string,
    ): Promise<{ draft: Draft | null; version: VersionText | null }> {
      const path = getVersionPath(user, id, versionId);
      if (path === null) return { draft: await this.open(user, id), version: null };
      const draftPaths = getPathsWithText(getPath(user, id));
      const paths = [...draftPaths, ...getPathsWithText(path)];
      const options = { timeoutMs: PAGE_TIMEOUT_MS };
      const { documents } = await asUser(env, user).batchGet(paths, options);
      const versionDocuments = documents.splice(draftPaths.length);
      return {
        draft: toDraft(joinFields(documents)),
        version: toVersion(joinFields(versionDocuments)),
      };
    },

    /**
     * Deletes the drafts that `list` returned as `overdue`, unless they were restored meanwhile. Deletes a few at a time:
     * the next page view continues. Never rejects.
     */
    async deletePermanently(user: DraftUser, overdue: readonly string[]): Promise<void> {
      const firestore = asUser(env, user);
      const bulkWrite = createBulkWriter(
        limitRequests(asUser(env, user), MAX_VERSION_REQUESTS),
        user,
      );
      const paths = overdue.slice(0, MAX_DELETED).map((id) => getPath(user, id));
      try {
        const { documents } = await firestore.batchGet(paths);
        for (const document of documents) {
          const stored = document && toStoredDraft(document);
          if (!document || !stored || !isOverdue(stored, now())) continue;
          await deleteDraftVersions(bulkWrite, document.path);
          await tryCommit(user, createDeleteWrites(document.path, document.updateTime));
        }
      } catch (error) {
        if (error instanceof UnfinishedError) return;
        logError("Could not delete drafts that were in the trash.", error);
      }
    },

    /**
     * Saves a text. `published` also publishes it; `restored` means that the text is an earlier version.
     *
     * @param isOngoing whether the published story is still being written
     */
    save: (
      user: DraftUser,
      target: SaveTarget,
      content: DraftContent,
      purpose?: "published" | "restored",
      isOngoing = false,
    ): Promise<DraftResult> => save(user, target, content, purpose, isOngoing),

    /** Saves a text and unpublishes the story. The story's address stays reserved. */
    unpublish: (user: DraftUser, target: SaveTarget, content: DraftContent): Promise<DraftResult> =>
      save(user, target, content, "unpublished"),

    /**
     * Saves a text as a version, because the user chose the revision that `target` names instead. The same text becomes
     * only one version, however often it is sent.
     */
    async saveVersion(
      user: DraftUser,
      { id, revision }: SaveTarget,
      content: DraftContent,
    ): Promise<DraftResult> {
      const path = getPath(user, id);
      const firestore = asUser(env, user);
      const versionId = await createUnsavedVersionId(Number(revision), content);
      const version = `${path}/versions/${versionId}`;
      const { documents } = await firestore.batchGet([path, version]);
      const [draft, existing] = documents;
      const head = draft && toStoredDraft(draft)?.head;
      if (!head) return { status: "denied" };
      const saved = { status: "saved", draft: head } as const;
      if (existing) return saved;
      if (await tryCommit(user, createVersionWrites(version, content, "conflict"))) return saved;
      // The form may have been sent twice, and the other request may have been faster.
      return (await firestore.get(version)) ? saved : { status: "denied" };
    },

    /** Moves a draft to the trash. Denied for a published draft, which must be unpublished first. */
    trash(user: DraftUser, id: string): Promise<DraftResult> {
      const decideWrites: DecideWrites = (stored) => {
        if (stored === null || stored.head.publishedRevision !== null) return { status: "denied" };
        const fields = { revision: stored.head.revision + 1 };
        return [{ path: getPath(user, id), fields, serverTimestamps: ["updatedAt", "deletedAt"] }];
      };
      return change(user, { id, revision: "latest" }, decideWrites, () => false);
    },

    /** Restores a draft from the trash. Denied when it was deleted permanently. */
    restore(user: DraftUser, id: string): Promise<DraftResult> {
      const decideWrites: DecideWrites = (stored) => {
        if (stored === null) return { status: "denied" };
        const fields = { deletedAt: null, revision: stored.head.revision + 1 };
        return [{ path: getPath(user, id), fields, serverTimestamps: ["updatedAt"] }];
      };
      return change(user, { id, revision: "latest" }, decideWrites, () => false);
    },
  };
}

function isOverdue({ head }: StoredDraft, now: number): boolean {
  return now - (head.deletedAt ?? Infinity) > TRASH_MS;
}

function toCursor({ id, fields: { updatedAt } }: DocumentSnapshot): string | null {
  return updatedAt instanceof PreciseDate ? formatCursor({ id, time: updatedAt.time }) : null;
}

export const getDrafts = createServiceGetter((env) => createDraftService(env, () => Date.now()));
