import * as z from "zod";

import { draftsPath, type Manuscript } from "#app/schemas/draft.ts";
import type { Writer } from "./drafts.server.ts";
import type { Env } from "./env.server.ts";
import { createFirestoreAs } from "./firestore.server.ts";
import { readWithText } from "./story-text.server.ts";

/** The newest are enough to choose from. */
const MAX_LISTED = 100;

/** The number of the save that made it. */
const ID = /^\d{1,9}$/;

const versionSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  cover: z.string().nullable(),
  words: z.number(),
  reason: z.enum(["published", "hour", "restored"]),
  createdAt: z.date().transform((date) => date.getTime()),
});

/** A moment of a draft. Its id is the number of the save that made it; the time is in ms since the Unix epoch. */
export type Version = Pick<
  z.infer<typeof versionSchema>,
  "id" | "title" | "words" | "reason" | "createdAt"
>;

/** Reads the versions of a draft, which saves make: see `writeSave`. */
export function createVersionService(env: Env) {
  return {
    /** Returns the versions, newest first, or `null` when the database does not answer. */
    async list({ uid, idToken }: Writer, draftId: string): Promise<Version[] | null> {
      const newest = createFirestoreAs(env, idToken)
        .collection(`${draftsPath(uid)}/${draftId}/versions`)
        .orderBy("createdAt", "desc")
        .limit(MAX_LISTED);
      try {
        const { docs } = await newest.get();
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
    async open(
      { uid, idToken }: Writer,
      draftId: string,
      id: string,
    ): Promise<(Version & Manuscript) | null> {
      if (!ID.test(id)) return null;
      const path = `${draftsPath(uid)}/${draftId}/versions/${id}`;
      const fields = await readWithText(env, idToken, path);
      const { data } = versionSchema.safeParse(fields);
      if (!fields || !data) return null;
      const { description, tags, cover } = data;
      return { ...pick(data), description, tags, cover, text: fields.text };
    },
  };
}

function pick({ id, title, words, reason, createdAt }: z.infer<typeof versionSchema>): Version {
  return { id, title, words, reason, createdAt };
}
