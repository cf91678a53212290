import { fitName } from "#app/chat/message.ts";
import { oncePerEnv, type Env } from "#app/env.server.ts";
import { createSweep, UnfinishedError } from "#app/firebase/bulk-delete.server.ts";
import { commit } from "#app/firebase/commit.server.ts";
import { readDocuments, readSnapshot } from "#app/firebase/documents.server.ts";
import type { Write } from "#app/firebase/firestore-types.ts";
import { createFirestoreAs } from "#app/firebase/firestore.server.ts";
import { withTimeout } from "#app/http/timeout.server.ts";
import { countNext, rateRecordPath, type NextRecord } from "#app/session/rate-record.server.ts";
import { createStoryId } from "#app/stories/story-id.server.ts";
import { joinText, pathsWithText, readWithText } from "#app/stories/story-text.server.ts";
import { draftsPath, type Draft, type DraftHead, type Manuscript } from "#app/writing/draft.ts";
import {
  createUnsavedVersionId,
  toVersion,
  versionPath,
} from "#app/writing/versions/versions.server.ts";
import type { Writer } from "#app/writing/writer.ts";
import { eraseDraft } from "./draft-deletion.server.ts";
import { writeSave, writeVersion } from "./draft-writes.server.ts";
import {
  areAlike,
  areSame,
  isKept,
  isVersionDue,
  toStored,
  toStoredWithText,
  type Stored,
  type StoredWithText,
} from "./stored-draft.server.ts";

/** What was put away can be brought back for so long. */
const KEPT_MS = 24 * 60 * 60_000;

/** How often what is wanted for the latest draft gives way to a save that came between. */
const MAX_RETRIES = 2;

/** One visit deletes no more for good, in a request each and so many for their versions. */
const MAX_PURGED = 4;
const MAX_VERSION_REQUESTS = 8;

/** A page waits no longer for what it can be shown without. */
const PAGE_PATIENCE_MS = 2000;

/** Whoever saves waits longer: nothing has been sent yet. */
const SAVE_PATIENCE_MS = 10_000;

/** More would be no list. */
const MAX_LISTED = 200;

/**
 * Which draft is meant, and which of its saves the writer has before them: 0 before the first, `latest` for what they
 * want whatever the draft looks like by now.
 */
export interface SaveTarget {
  id: string;
  revision: number | "latest";
  /** Whether the writer chose their text over that save in a conflict: it becomes a version. @default false */
  isOverwrite?: boolean;
}

/**
 * What became of a change. `conflict` means that another tab or device has changed the draft since, or put it away:
 * nothing was overwritten, and what is there now comes along. After `unreachable` it may or may not have arrived: try again.
 * `too-fast` means that the writer has published too often, and may again after `waitMs`: nothing was saved.
 */
export type DraftOutcome =
  | { status: "saved"; draft: DraftHead }
  | { status: "conflict"; theirs: Draft }
  | { status: "too-fast"; waitMs: number }
  | { status: "unauthenticated" | "denied" | "unreachable" };

interface DraftList {
  drafts: DraftHead[];
  overdue: string[];
}

/** What a save is for, besides keeping what was written. */
type Purpose = "published" | "withdrawn" | "restored" | undefined;

/** Decides on what stands there, `null` for nothing, what is to be written, or how it ends without that. */
type Decide = (stored: Stored | null) => (Write[] | DraftOutcome) | Promise<Write[] | DraftOutcome>;

/** Keeps drafts, and publishes them, as the person who writes them. */
export function createDraftService(env: Env, now: () => number) {
  const pathOf = ({ uid }: Writer, id: string) => `${draftsPath(uid)}/${id}`;

  async function read({ uid, idToken }: Writer, id: string): Promise<Stored | null> {
    const found = createFirestoreAs(env, idToken).get(draftsPath(uid), id);
    const fields = await withTimeout(found, SAVE_PATIENCE_MS);
    return fields && toStored(fields);
  }

  async function open(writer: Writer, id: string): Promise<StoredWithText | null> {
    const [fields] = await readWithText(env, writer.idToken, pathOf(writer, id));
    return toStoredWithText(fields ?? null);
  }

  /**
   * Reads the text of a stored draft, and whether a version holds it already; `null` when the draft has been saved again
   * since, and whatever builds on it will be refused.
   */
  async function readMoment(writer: Writer, { head }: Stored) {
    const path = pathOf(writer, head.id);
    const paths = [...pathsWithText(path), `${path}/versions/${head.revision}`];
    const documents = await readDocuments(env, writer.idToken, paths);
    const isVersion = Boolean(documents.pop());
    const draft = toStoredWithText(joinText(documents))?.draft;
    return draft?.revision === head.revision ? { draft, isVersion } : null;
  }

  /** Counts a publication, of which a writer may make so many an hour. */
  async function countPublication({ uid, idToken }: Writer, storyId: string): Promise<NextRecord> {
    const path = rateRecordPath(uid, "publications");
    const { documents, readAt } = await readSnapshot(env, idToken, [path]);
    return countNext({ uid, kind: "publications", id: storyId }, documents[0] ?? null, readAt);
  }

  /** Makes one change to what the writer has before them, and looks what became of it. */
  async function change(
    writer: Writer,
    { id, revision }: SaveTarget,
    decide: Decide,
    isMeant: (draft: Draft) => boolean,
    retries = MAX_RETRIES,
  ): Promise<DraftOutcome> {
    try {
      const before = await read(writer, id);
      // What was deleted for good is begun anew: what somebody has just written counts more.
      const isCurrent =
        before === null || revision === "latest" || before.head.revision === revision;
      const decision = isCurrent ? await decide(before) : null;
      if (decision && !Array.isArray(decision)) return decision;
      const outcome = decision
        ? await commit(env, writer.idToken, decision)
        : ({ status: "refused" } as const);
      if (outcome.status !== "done" && outcome.status !== "refused") return outcome;

      const after = await read(writer, id);
      if (outcome.status === "done" && after) return { status: "saved", draft: after.head };
      const isOvertaken = after?.head.revision !== before?.head.revision;
      if (revision === "latest" && isOvertaken && retries > 0) {
        return change(writer, { id, revision }, decide, isMeant, retries - 1);
      }
      if (!after || revision === "latest" || after.head.revision === revision) {
        return { status: "denied" };
      }
      // A repeated submit, perhaps: then what is there is what was meant.
      const theirs = (await open(writer, id))?.draft;
      if (!theirs) return { status: "unreachable" };
      return theirs.deletedAt === null && isMeant(theirs)
        ? { status: "saved", draft: after.head }
        : { status: "conflict", theirs };
    } catch {
      // Whoever asked has logged it.
      return { status: "unreachable" };
    }
  }

  /**
   * Saves what was written, unless that is what the draft holds already. What it takes the place of stays as a version
   * once an hour, and whenever an earlier one is restored over it.
   */
  async function keep(
    writer: Writer,
    target: SaveTarget,
    manuscript: Manuscript,
    purpose: Purpose,
  ): Promise<DraftOutcome> {
    const isPublished = purpose === "published";
    const isWithdrawn = purpose === "withdrawn";
    const chosen = target.isOverwrite ? "conflict" : "hour";
    const reason = purpose === "restored" ? "replaced" : chosen;
    const decide = async (stored: Stored | null) => {
      const isDue = stored !== null && (reason !== "hour" || isVersionDue(stored, now()));
      const isPerhapsSame =
        stored !== null &&
        !isPublished &&
        !isWithdrawn &&
        isKept(stored) &&
        areAlike(stored, manuscript);
      const moment = stored && (isDue || isPerhapsSame) ? await readMoment(writer, stored) : null;
      const isSame = moment !== null && areSame(moment.draft, manuscript);
      if (isPerhapsSame && isSame) return { status: "saved", draft: stored.head } as const;
      const isKeptOnce = isDue && !(isSame && reason === "conflict");
      const storyId = stored?.head.storyId ?? createStoryId(manuscript.title);
      const count = isPublished ? await countPublication(writer, storyId) : null;
      if (count?.status === "too-fast") return count;
      const save = writeSave({
        path: pathOf(writer, target.id),
        manuscript,
        stored: stored && { ...stored.head, parts: stored.parts },
        kept: moment && isKeptOnce ? { ...moment, reason } : null,
        publication: isPublished
          ? { storyId, uid: writer.uid, author: fitName(writer.displayName) }
          : undefined,
        isWithdrawn,
      });
      return count ? [...save, count.write] : save;
    };
    const isMeant = (theirs: Draft) => {
      if (!areSame(theirs, manuscript)) return false;
      if (isPublished) return theirs.publishedRevision === theirs.revision;
      return !isWithdrawn || theirs.publishedRevision === null;
    };
    const outcome = await change(writer, target, decide, isMeant);
    // Another story may have been published at the same moment, and counted.
    const isRetried = isPublished && outcome.status === "denied";
    return isRetried ? change(writer, target, decide, isMeant) : outcome;
  }

  return {
    /**
     * Returns the drafts, last changed first, and the ids of those that were put away more than a day ago; `null` when
     * the database does not answer in time.
     */
    async list({ uid, idToken }: Writer): Promise<DraftList | null> {
      const newest = createFirestoreAs(env, idToken)
        .collection(draftsPath(uid))
        .orderBy("updatedAt", "desc")
        .limit(MAX_LISTED);
      try {
        const { docs } = await withTimeout(newest.get(), PAGE_PATIENCE_MS);
        const stored = docs.flatMap((doc) => toStored({ ...doc.data(), id: doc.id }) ?? []);
        const overdue = stored.filter((draft) => isOverdue(draft, now()));
        return {
          drafts: stored.filter(isKept).map(({ head }) => head),
          overdue: overdue.map(({ head }) => head.id),
        };
      } catch {
        // The library has logged it.
        return null;
      }
    },

    /**
     * Returns a draft, put away or not, or `null` where there is none of that id, or none any more.
     *
     * @throws when the database does not answer in time
     */
    async open(writer: Writer, id: string): Promise<Draft | null> {
      return (await withTimeout(open(writer, id), PAGE_PATIENCE_MS))?.draft ?? null;
    },

    /**
     * Returns the same with one of its versions, from one request.
     *
     * @throws when the database does not answer in time
     */
    async openWithVersion(writer: Writer, id: string, versionId: string) {
      const path = versionPath(writer, id, versionId);
      if (path === null) return { draft: await this.open(writer, id), version: null };
      const both = readWithText(env, writer.idToken, pathOf(writer, id), path);
      const [fields, version] = await withTimeout(both, PAGE_PATIENCE_MS);
      return {
        draft: toStoredWithText(fields ?? null)?.draft ?? null,
        version: toVersion(version ?? null),
      };
    },

    /**
     * Deletes for good what `list` called overdue, as much of it as one visit can. The next goes on with the rest. What was
     * brought back meanwhile stays.
     */
    async purge(writer: Writer, overdue: readonly string[]): Promise<void> {
      const sweep = createSweep(env, writer, MAX_VERSION_REQUESTS);
      const paths = overdue.slice(0, MAX_PURGED).map((id) => pathOf(writer, id));
      try {
        const { documents } = await readSnapshot(env, writer.idToken, paths);
        for (const [index, path] of paths.entries()) {
          const { fields, updateTime } = documents[index] ?? {};
          const stored = fields && toStored(fields);
          if (!stored || !isOverdue(stored, now())) continue;
          await commit(env, writer.idToken, await eraseDraft(sweep, path, updateTime));
        }
      } catch (error) {
        if (error instanceof UnfinishedError) return;
        // oxlint-disable-next-line no-console -- this is the server's log
        console.error("Could not delete drafts in the trash.", error);
      }
    },

    /**
     * Saves what was written, unless the draft holds just that; `published`, all may read it from then on; `restored`, it
     * is an earlier version, and what it takes the place of becomes one.
     */
    save(
      writer: Writer,
      target: SaveTarget,
      manuscript: Manuscript,
      purpose?: "published" | "restored",
    ): Promise<DraftOutcome> {
      return keep(writer, target, manuscript, purpose);
    },

    /** Saves what was written and withdraws the story. The draft keeps its address. */
    unpublish(writer: Writer, target: SaveTarget, manuscript: Manuscript): Promise<DraftOutcome> {
      return keep(writer, target, manuscript, "withdrawn");
    },

    /**
     * Makes a version of a text that its writer gave up for the save that `target` names, which stays. Sent again, it
     * makes no second one.
     */
    async setAside(
      writer: Writer,
      { id, revision }: SaveTarget,
      manuscript: Manuscript,
    ): Promise<DraftOutcome> {
      const path = pathOf(writer, id);
      const versionId = await createUnsavedVersionId(Number(revision), manuscript);
      const version = `${path}/versions/${versionId}`;
      try {
        const before = await readDocuments(env, writer.idToken, [path, version]);
        const head = before[0] && toStored(before[0])?.head;
        if (!head) return { status: "denied" };
        if (before[1]) return { status: "saved", draft: head };
        const writes = writeVersion(version, manuscript, "conflict");
        const { status } = await commit(env, writer.idToken, writes);
        if (status === "done") return { status: "saved", draft: head };
        if (status !== "refused") return { status };
        // A repeated submit may have been faster.
        const [after] = await readDocuments(env, writer.idToken, [version]);
        return after ? { status: "saved", draft: head } : { status: "denied" };
      } catch {
        // Logged where it was asked.
        return { status: "unreachable" };
      }
    },

    /** Puts a draft away, or brings it back with `isRemoved: false`, which is denied when it is gone. A published one stays: withdraw it first. */
    setRemoved(writer: Writer, id: string, isRemoved: boolean): Promise<DraftOutcome> {
      const decide = (stored: Stored | null) => {
        const isPublished = stored !== null && stored.head.publishedRevision !== null;
        return stored === null || (isRemoved && isPublished)
          ? ({ status: "denied" } as const)
          : writeRemoval(pathOf(writer, id), stored.head, isRemoved);
      };
      return change(writer, { id, revision: "latest" }, decide, () => false);
    },
  };
}

function isOverdue({ head }: Stored, now: number): boolean {
  return now - (head.deletedAt ?? Infinity) > KEPT_MS;
}

function writeRemoval(path: string, { revision }: DraftHead, isRemoved: boolean): Write[] {
  const times = isRemoved ? ["updatedAt", "deletedAt"] : ["updatedAt"];
  const deletedAt = isRemoved ? {} : { deletedAt: null };
  return [{ path, fields: { ...deletedAt, revision: revision + 1 }, serverTimestamps: times }];
}

export const getDrafts = oncePerEnv((env) => createDraftService(env, () => Date.now()));
