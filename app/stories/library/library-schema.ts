import * as z from "zod";

import { HIDDEN_KINDS, LIST_TIME, MAX_FOLLOWED, MAX_HIDDEN_ITEMS, MAX_SAVED } from "./library.ts";

const text = z.string();

/** No address can have an id with half a character. */
const id = text.min(1).refine((value) => value.isWellFormed());

const savedStorySchema = z.object({
  id,
  title: text,
  author: text,
  writer: text,
  cover: text,
  minutes: z.number(),
});

const followedWriterSchema = z.object({ uid: text.min(1), name: text });

const hiddenItemSchema = z.object({ kind: z.enum(HIDDEN_KINDS), id, name: text });

/** The fields of the stored list of saved stories, newest first. `firestore.rules` repeats the limits. */
export const savedListSchema = z.strictObject({
  time: z.literal(LIST_TIME),
  items: z.array(savedStorySchema).max(MAX_SAVED),
});

/** The fields of the stored list of followed writers, newest first. `firestore.rules` repeats the limits. */
export const followingListSchema = z.strictObject({
  time: z.literal(LIST_TIME),
  items: z.array(followedWriterSchema).max(MAX_FOLLOWED),
});

/** The fields of the stored list of what is hidden, newest first. `firestore.rules` repeats the limits. */
export const hiddenListSchema = z.strictObject({
  time: z.literal(LIST_TIME),
  items: z.array(hiddenItemSchema).max(MAX_HIDDEN_ITEMS),
});

export const savedCookieSchema = z.array(savedStorySchema);
export const hiddenCookieSchema = z.array(hiddenItemSchema);
