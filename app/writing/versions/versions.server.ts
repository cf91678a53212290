import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { hash, toHex } from "#app/http/hash.server.ts";
import type { UserWithToken } from "#app/session/user.ts";
import { getPathsWithText, type FieldsWithText } from "#app/stories/story-text.server.ts";
import {
  getDraftsPath,
  MAX_LISTED_VERSIONS,
  type Draft,
  type DraftContent,
} from "#app/writing/draft.ts";
import { joinFields } from "#app/writing/drafts/stored-draft.server.ts";

/** How long a page waits for the list before it is shown without the list. */
const TIMEOUT_MS = 2000;

/**
 * A version's id: the revision that saved its text. For a text that lost a conflict: the revision that the user chose
 * instead, and a digest of the text.
 */
export const VERSION_ID = /^\d{1,9}(-[0-9a-f]{20})?$/;

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

/** An earlier text of a draft. `createdAt` is when it was saved, in milliseconds since the Unix epoch. */
export type Version = Pick<
  z.infer<typeof versionSchema>,
  "id" | "title" | "words" | "reason" | "createdAt"
>;

/** A version with its text. */
export type VersionText = Version & DraftContent & Pick<Draft, "isDamaged">;

/**
 * Reads the versions of a draft, which `createSaveWrites` creates. Every method throws `UnavailableError` when the database
 * does not respond.
 */
export function createVersionService(env: Env) {
  return {
    /** Returns the versions, newest first. */
    async list(user: UserWithToken, draftId: string): Promise<Version[]> {
      const path = `${getDraftsPath(user.uid)}/${draftId}/versions`;
      const query = { orderBy: ["createdAt", "desc"], limit: MAX_LISTED_VERSIONS } as const;
      const documents = await asUser(env, user).query(path, query, { timeoutMs: TIMEOUT_MS });
      return documents.flatMap(({ id, fields }) => {
        const { data } = versionSchema.safeParse({ ...fields, id });
        return data ? [pick(data)] : [];
      });
    },

    /** Returns a version with its text, or `null` when it does not exist. */
    async open(user: UserWithToken, draftId: string, id: string): Promise<VersionText | null> {
      const path = getVersionPath(user, draftId, id);
      if (path === null) return null;
      const { documents } = await asUser(env, user).batchGet(getPathsWithText(path));
      return toVersion(joinFields(documents));
    },
  };
}

/** Returns the path of a version, or `null` for an invalid id. */
export function getVersionPath(
  { uid }: Pick<UserWithToken, "uid">,
  draftId: string,
  id: string,
): string | null {
  return VERSION_ID.test(id) ? `${getDraftsPath(uid)}/${draftId}/versions/${id}` : null;
}

/**
 * Returns the id for the version of an unsaved text that the user did not choose in a conflict. The same text gets the
 * same id, so that sending it again does not create a second version.
 *
 * @param revision the revision that the user chose
 */
export async function createUnsavedVersionId(
  revision: number,
  { title, description, tags, cover, text }: DraftContent,
): Promise<string> {
  return `${revision}-${await createDigest([title, description, tags, cover, text])}`;
}

/** Returns 20 characters from 0 to 9 and a to f, which are the same for the same values. */
export async function createDigest(values: readonly unknown[]): Promise<string> {
  const digest = await hash(JSON.stringify(values));
  return toHex(digest.subarray(0, 10));
}

/** Parses a version's fields and text; `null` if they are not a version's. */
export function toVersion(fields: FieldsWithText | null): VersionText | null {
  const { data } = versionSchema.safeParse(fields);
  if (!fields || !data) return null;
  const { description, tags, cover } = data;
  const { text, isDamaged } = fields;
  return { ...pick(data), description, tags, cover, text, isDamaged };
}

function pick({ id, title, words, reason, createdAt }: z.infer<typeof versionSchema>): Version {
  return { id, title, words, reason, createdAt };
}

export const getVersions = createServiceGetter((env) => createVersionService(env));
