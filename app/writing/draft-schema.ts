import * as z from "zod";

import { pictureAddressSchema } from "#app/http/https-url-schema.ts";
import { DRAWING } from "#app/stories/cover/drawing.ts";
import { findLanguage } from "#app/stories/languages.ts";
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_STORY_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE_LENGTH,
  splitTags,
  toLine,
  type DraftContent,
} from "./draft.ts";

const INCOMPLETE = "The form is incomplete. Reload the page and try again.";

/** Returns a schema for one trimmed line of at most `limit` UTF-16 units. */
function createLineSchema(limit: number, name: string) {
  return z
    .string()
    .overwrite(toLine)
    .refine(
      (text) => text.length <= limit,
      `${name} can have up to ${limit.toLocaleString("en")} characters.`,
    )
    .default("");
}

/**
 * The editor's form. Every field may be empty, because a draft can be saved at any time.
 *
 * Tags are one line, separated by commas. Duplicates are removed.
 */
export const draftContentSchema = z
  .object({
    title: createLineSchema(MAX_TITLE_LENGTH, "A title"),
    description: createLineSchema(MAX_DESCRIPTION_LENGTH, "A description"),
    tags: z
      .string()
      .default("")
      .transform(splitTags)
      .pipe(
        z
          .array(
            z
              .string()
              .refine(
                (tag) => tag.length <= MAX_TAG_LENGTH,
                `A tag can have up to ${MAX_TAG_LENGTH} characters.`,
              ),
          )
          .max(MAX_TAGS, `A story can have up to ${MAX_TAGS} tags.`),
      ),
    // An unknown language is ignored, because a list of choices has none.
    language: z.string().optional().transform(findLanguage),
    cover: z
      .string()
      .trim()
      .default("")
      .transform((address) => address || null)
      .pipe(
        z
          .string()
          .refine(
            (cover) => DRAWING.test(cover) || pictureAddressSchema.safeParse(cover).success,
            "A cover link must begin with https://",
          )
          .refine((cover) => cover.length <= 2000, "This link is too long.")
          .nullable(),
      ),
    text: z
      .string()
      .overwrite((text) => text.toWellFormed())
      .refine(
        (text) => text.length <= MAX_STORY_LENGTH,
        `A story can have up to ${MAX_STORY_LENGTH.toLocaleString("en")} characters. Split it in two.`,
      )
      .default(""),
  })
  .transform((form): DraftContent => form);

const revision = z.coerce.number<unknown>(INCOMPLETE).int(INCOMPLETE).nonnegative(INCOMPLETE);

/**
 * The draft that the form saves, and the revision that its text is based on: 0 before the first save. After a conflict,
 * `overwrite` is the revision that the user has seen and chosen to overwrite.
 */
export const draftTargetSchema = z.object({
  id: z.string(INCOMPLETE).regex(/^[A-Za-z0-9]{20}$/, INCOMPLETE),
  revision,
  overwrite: revision.optional(),
});
