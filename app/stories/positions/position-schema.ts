import * as z from "zod";

import { isDocumentId } from "#app/firebase/document-id.ts";
import { hasAtMost, parseJson } from "#app/http/text.ts";
import {
  FINISHED_PERCENT,
  MAX_POSITION_TITLE_LENGTH,
  MAX_START_LENGTH,
  MAX_STORY_ID_LENGTH,
  type ReadingPosition,
} from "./position.ts";

/** How far a device's clock may be ahead of the server's. */
const MAX_CLOCK_SKEW_MS = 60_000;

const count = z.int().nonnegative();

/** The exact fields of a stored position. The document's id is the story's. `firestore.rules` repeats the limits. */
export const positionFieldsSchema = z.strictObject({
  title: z.string().refine(hasAtMost(MAX_POSITION_TITLE_LENGTH)),
  paragraph: z.string().regex(/^p-[0-9a-z]{1,7}(-[0-9]{1,6})?$/),
  start: z.string().refine(hasAtMost(MAX_START_LENGTH)),
  offset: count,
  number: count,
  percent: count.max(FINISHED_PERCENT),
  minutesLeft: count,
  time: count,
});

/** The id of a story in an address or a request. */
export const storyIdSchema = z
  .string()
  .refine(hasAtMost(MAX_STORY_ID_LENGTH))
  .refine(isDocumentId, "There is no story with this id.");

const positionSchema = positionFieldsSchema.extend({ story: storyIdSchema });

/** Parses a position that a script sent; `undefined` if it is invalid. */
export function readPosition(json: string): ReadingPosition | undefined {
  const position = positionSchema.safeParse(parseJson(json)).data;
  if (!position) return undefined;
  // Otherwise positions of a device with a fast clock would stay the latest.
  return { ...position, time: Math.min(position.time, Date.now() + MAX_CLOCK_SKEW_MS / 2) };
}
