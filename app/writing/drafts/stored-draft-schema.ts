import * as z from "zod";

import type { DraftHead } from "#app/writing/draft.ts";

const time = z.date().transform((date) => date.getTime());

/** A draft's document in Firestore: the `head`, which the user sees, and fields that only the server needs. */
export const storedDraftSchema = z
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
    publishedChapters: z.int().optional(),
  })
  .transform(({ parts, versionedAt, ...head }) => ({
    head: head satisfies DraftHead,
    parts,
    versionedAt,
  }));
