import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import type { Fields } from "#app/firebase/documents.server.ts";
import { createFirestoreAs } from "#app/firebase/firestore.server.ts";
import { withTimeout } from "#app/http/timeout.server.ts";
import { readWithText } from "#app/stories/story-text.server.ts";
import { draftsPath, type Manuscript } from "#app/writing/draft.ts";
import type { Writer } from "#app/writing/writer.ts";

/** A page waits no longer for its list. */
const TIMEOUT_MS = 2000;

/** The newest are enough to choose from. */
const MAX_LISTED = 100;

/** The number of the save that it holds, or of the one that its text gave way to, with a digest of that text. */
const ID = /^\d{1,9}(-[0-9a-f]{20})?$/;

const versionSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  cover: z.string().nullable(),
  words: z.number(),
  reason: z.enum(["published", "hour", "replaced", "conflict"]),
  createdAt: z.date().transform((date) => date.getTime()),
});

/** A moment of a draft. `createdAt` is when it was saved, in milliseconds since the Unix epoch. */
export type Version = Pick<
  z.infer<typeof versionSchema>,
  "id" | "title" | "words" | "reason" | "createdAt"
>;

/** A version with all that was written. */
export type VersionText = Version & Manuscript;

/** Reads the versions of a draft, which saves make: see `writeSave`. */
export function createVersionService(env: Env) {
  return {
    /** Returns the versions, newest first, or `null` when the database does not answer in time. */
    async list({ uid, idToken }: Writer, draftId: string): Promise<Version[] | null> {
      const newest = createFirestoreAs(env, idToken)
        .collection(`${draftsPath(uid)}/${draftId}/versions`)
        .orderBy("createdAt", "desc")
        .limit(MAX_LISTED);
      try {
        const { docs } = await withTimeout(newest.get(), TIMEOUT_MS);
        return docs.flatMap((doc) => {
          const { data } = versionSchema.safeParse({ ...doc.data(), id: doc.id });
          return data ? [pick(data)] : [];
        });
      } catch {
        // The library has logged it.
        return null;
      }
    },

    /**
     * Returns what a version holds, or `null` where there is none of that id.
     *
     * @throws when the database does not answer
     */
    async open(writer: Writer, draftId: string, id: string): Promise<VersionText | null> {
      const path = versionPath(writer, draftId, id);
      if (path === null) return null;
      const [fields] = await readWithText(env, writer.idToken, path);
      return toVersion(fields ?? null);
    },
  };
}

/** Returns where a version is stored, or `null` for what is no version's id. */
export function versionPath({ uid }: Writer, draftId: string, id: string): string | null {
  return ID.test(id) ? `${draftsPath(uid)}/${draftId}/versions/${id}` : null;
}

/**
 * Returns the id of the version of a text that was never saved, because its writer chose another over it. It is the same
 * for the same text, so that sending it again makes no second version.
 *
 * @param revision the save that was chosen
 */
export async function createUnsavedVersionId(
  revision: number,
  { title, description, tags, cover, text }: Manuscript,
): Promise<string> {
  const words = JSON.stringify([title, description, tags, cover, text]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(words));
  const bytes = [...new Uint8Array(digest).subarray(0, 10)];
  return `${revision}-${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Reads a version as it is stored; `null` for anything else. */
export function toVersion(fields: (Fields & { text: string }) | null): VersionText | null {
  const { data } = versionSchema.safeParse(fields);
  if (!fields || !data) return null;
  const { description, tags, cover } = data;
  return { ...pick(data), description, tags, cover, text: fields.text };
}

function pick({ id, title, words, reason, createdAt }: z.infer<typeof versionSchema>): Version {
  return { id, title, words, reason, createdAt };
}

export const getVersions = oncePerEnv((env) => createVersionService(env));
