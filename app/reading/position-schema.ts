import * as z from "zod";

import { isDocumentId } from "#app/firebase/document-id.ts";
import {
  FINISHED_PERCENT,
  MAX_PLACE_TITLE_LENGTH,
  MAX_START_LENGTH,
  MAX_STORY_ID_LENGTH,
} from "./position.ts";

/** A device's clock may be ahead of ours by this much. */
export const MAX_CLOCK_SKEW_MS = 60_000;

const count = z.int().nonnegative();

/** The exact fields of a stored place. Its document is named by the story. */
export const placeFieldsSchema = z.strictObject({
  title: z.string().refine(hasAtMost(MAX_PLACE_TITLE_LENGTH)),
  paragraph: z.string().regex(/^p-[0-9a-z]{1,7}(-[0-9]{1,6})?$/),
  start: z.string().refine(hasAtMost(MAX_START_LENGTH)),
  offset: count,
  number: count,
  percent: count.max(FINISHED_PERCENT),
  minutesLeft: count,
  time: count,
});

/** The id of a story, as addresses and scripts name it. */
export const storyIdSchema = z
  .string()
  .refine(hasAtMost(MAX_STORY_ID_LENGTH))
  .refine(isDocumentId, "There is no story with this id.");

/** A place as scripts send it and the server keeps it. */
export const placeSchema = placeFieldsSchema.extend({ story: storyIdSchema });

/** Counts in UTF-16 units, as the rules do; Zod's own limits count code points. */
function hasAtMost(limit: number): (text: string) => boolean {
  return (text) => text.length <= limit;
}
