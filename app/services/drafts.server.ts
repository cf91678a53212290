import type * as z from "zod";

import { storedDraftSchema } from "#app/schemas/stored-draft-schema.ts";
import { draftsPath, type Draft, type DraftHead, type Manuscript } from "#app/schemas/draft.ts";
import { fitName } from "#app/schemas/message.ts";
import { commit, type Write } from "./commit.server.ts";
import { eraseDraft } from "./draft-erasure.server.ts";
import { erasePublication, writeSave, type VersionReason } from "./draft-writes.server.ts";
import type { Fields } from "./documents.server.ts";
import type { Env } from "./env.server.ts";
import { createFirestoreAs } from "./firestore.server.ts";
import { createStoryId } from "./story-id.server.ts";
import { readWithText } from "./story-text.server.ts";
import { createSweep, UnfinishedError } from "./sweep.server.ts";
import { toVersion, versionPath } from "./versions.server.ts";

const HOUR_MS = 60 * 60_000;

/** What was put away can be brought back for so long. */
const KEPT_MS = 24 * HOUR_MS;

/** One visit deletes no more for good, in a request each and so many for their versions: somebody waits for the page. */
const MAX_PURGED = 4;
const MAX_VERSION_REQUESTS = 8;

/** More would be no list. */
const MAX_LISTED = 200;

/** Whose drafts they are, and the token to act with. */
export interface Writer {
  uid: string;
  displayName: string | null;
  idToken: string;
}

/**
 * Which draft is meant, and which of its saves the writer has before them: 0 before the first, `latest` for what they
 * want whatever the draft looks like by now.
 */
export interface SaveTarget {
  id: string;
  revision: number | "latest";
}

/**
 * What became of a change. `conflict` means that another tab or device has changed the draft since, or put it away:
 * nothing was overwritten, and what is there now comes along. After `unreachable` it may or may not have arrived: try again.
 */
export type DraftOutcome =
  | { status: "saved"; draft: DraftHead }
  | { status: "conflict"; theirs: Draft }
  | { status: "unauthenticated" | "denied" | "unreachable" };

interface DraftList {
  drafts: DraftHead[];
  overdue: string[];
}

type Stored = z.infer<typeof storedDraftSchema>;

/** Keeps drafts, and publishes them, as the person who writes them. */
export function createDraftService(env: Env, now: () => number) {
  const pathOf = ({ uid }: Writer, id: string) => `${draftsPath(uid)}/${id}`;

  async function read({ uid, idToken }: Writer, id: string): Promise<Stored | null> {
    const fields = await createFirestoreAs(env, idToken).get(draftsPath(uid), id);
    return fields ? parse(fields) : null;
  }

  async function open(writer: Writer, id: string): Promise<(Stored & { draft: Draft }) | null> {
    const [fields] = await readWithText(env, writer.idToken, pathOf(writer, id));
    return withText(fields ?? null);
  }

  /** Makes one change to what the writer has before them, and looks what became of it. */
  async function change(
    writer: Writer,
    { id, revision }: SaveTarget,
    write: (stored: Stored | null) => Write[],
    isMeant: (draft: Draft) => boolean,
  ): Promise<DraftOutcome> {
    try {
      const before = await read(writer, id);
      // What was deleted for good is begun anew: what somebody has just written counts more.
      const isCurrent =
        before === null || revision === "latest" || before.head.revision === revision;
      const outcome = isCurrent
        ? await commit(env, writer.idToken, write(before))
        : ({ status: "refused" } as const);
      if (outcome.status !== "done" && outcome.status !== "refused") return outcome;

      const after = await read(writer, id);
      if (outcome.status === "done" && after) return { status: "saved", draft: after.head };
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

  return {
    /**
     * Returns the drafts, last changed first, and the ids of those that were put away more than a day ago; `null` when
     * the database does not answer.
     */
    async list({ uid, idToken }: Writer): Promise<DraftList | null> {
      const newest = createFirestoreAs(env, idToken)
        .collection(draftsPath(uid))
        .orderBy("updatedAt", "desc")
        .limit(MAX_LISTED);
      try {
        const { docs } = await newest.get();
        const stored = docs.flatMap((doc) => parse({ ...doc.data(), id: doc.id }) ?? []);
        const overdue = stored.filter(({ head }) => now() - (head.deletedAt ?? Infinity) > KEPT_MS);
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
     * @throws when the database does not answer
     */
    async open(writer: Writer, id: string): Promise<Draft | null> {
      return (await open(writer, id))?.draft ?? null;
    },

    /**
     * Returns the same with one of its versions, from one request.
     *
     * @throws when the database does not answer
     */
    async openWithVersion(writer: Writer, id: string, versionId: string) {
      const path = versionPath(writer, id, versionId);
      if (path === null) return { draft: await this.open(writer, id), version: null };
      const [fields, version] = await readWithText(env, writer.idToken, pathOf(writer, id), path);
      return {
        draft: withText(fields ?? null)?.draft ?? null,
        version: toVersion(version ?? null),
      };
    },

    /** Deletes for good what `list` called overdue, as much of it as one visit can. The next goes on with the rest. */
    async purge(writer: Writer, overdue: readonly string[]): Promise<void> {
      const sweep = createSweep(env, writer, MAX_VERSION_REQUESTS);
      try {
        for (const id of overdue.slice(0, MAX_PURGED)) {
          await commit(env, writer.idToken, await eraseDraft(sweep, pathOf(writer, id)));
        }
      } catch (error) {
        if (error instanceof UnfinishedError) return;
        // oxlint-disable-next-line no-console -- this is the server's log
        console.error("What was put away could not be deleted.", error);
      }
    },

    /** Saves what was written; `published`, all may read it from then on. */
    save(
      writer: Writer,
      target: SaveTarget,
      manuscript: Manuscript,
      reason?: Exclude<VersionReason, "hour">,
    ): Promise<DraftOutcome> {
      const write = (stored: Stored | null) =>
        writeSave({
          path: pathOf(writer, target.id),
          manuscript,
          stored: stored && { ...stored.head, parts: stored.parts },
          version: reason ?? (stored && isVersionDue(stored, now()) ? "hour" : undefined),
          publication:
            reason === "published"
              ? {
                  storyId: stored?.head.storyId ?? createStoryId(manuscript.title),
                  uid: writer.uid,
                  author: fitName(writer.displayName),
                }
              : undefined,
        });
      return change(
        writer,
        target,
        write,
        (theirs) =>
          isSame(theirs, manuscript) &&
          (reason !== "published" || theirs.publishedRevision === theirs.revision),
      );
    },

    /** Saves what was written, unless that is what the draft holds already: then no save is made of it. */
    async saveChanges(
      writer: Writer,
      target: SaveTarget,
      manuscript: Manuscript,
    ): Promise<DraftOutcome> {
      try {
        const stored = await open(writer, target.id);
        if (stored && isKept(stored) && isSame(stored.draft, manuscript)) {
          return { status: "saved", draft: stored.head };
        }
      } catch {
        // It has been logged.
        return { status: "unreachable" };
      }
      return this.save(writer, target, manuscript);
    },

    /** Saves what was written and withdraws the story. The draft keeps its address. */
    unpublish(writer: Writer, target: SaveTarget, manuscript: Manuscript): Promise<DraftOutcome> {
      const write = (stored: Stored | null) => [
        ...writeSave({
          path: pathOf(writer, target.id),
          manuscript,
          stored: stored && { ...stored.head, parts: stored.parts },
          version: undefined,
          publication: "withdrawn",
        }),
        ...(stored ? erasePublication(stored.head) : []),
      ];
      return change(
        writer,
        target,
        write,
        (theirs) => isSame(theirs, manuscript) && theirs.publishedRevision === null,
      );
    },

    /** Puts a draft away, or brings it back with `isRemoved: false`, which is denied when it is gone. A published one stays: withdraw it first. */
    async setRemoved(writer: Writer, id: string, isRemoved: boolean): Promise<DraftOutcome> {
      const stored = await read(writer, id).catch(() => null);
      if (isRemoved && stored && stored.head.publishedRevision !== null) {
        return { status: "denied" };
      }
      return change(
        writer,
        { id, revision: "latest" },
        (before) => (before ? writeRemoval(pathOf(writer, id), before.head, isRemoved) : []),
        () => false,
      );
    },
  };
}

function writeRemoval(path: string, { revision }: DraftHead, isRemoved: boolean): Write[] {
  const times = isRemoved ? ["updatedAt", "deletedAt"] : ["updatedAt"];
  const deletedAt = isRemoved ? {} : { deletedAt: null };
  return [{ path, fields: { ...deletedAt, revision: revision + 1 }, times }];
}

function withText(fields: (Fields & { text: string }) | null): (Stored & { draft: Draft }) | null {
  const stored = fields && parse(fields);
  return stored && { ...stored, draft: { ...stored.head, text: fields.text } };
}

function parse(fields: Fields): Stored | null {
  return storedDraftSchema.safeParse(fields).data ?? null;
}

function isKept({ head }: Stored): boolean {
  return head.deletedAt === null;
}

function isVersionDue({ versionedAt, head }: Stored, now: number): boolean {
  return now - (versionedAt ?? head.createdAt) >= HOUR_MS;
}

function isSame(draft: Manuscript, manuscript: Manuscript): boolean {
  return (
    draft.text === manuscript.text &&
    draft.title === manuscript.title &&
    draft.description === manuscript.description &&
    draft.cover === manuscript.cover &&
    draft.tags.join() === manuscript.tags.join()
  );
}
