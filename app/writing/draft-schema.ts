import * as z from "zod";

import { isVisible } from "#app/http/visible-text.ts";
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

/** One line, trimmed, of at most so many UTF-16 units. */
function line(limit: number, name: string) {
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
 * The editor's form. Everything may be empty: a draft is whatever has been written so far.
 *
 * Tags come as one line with commas between them; equal ones count once.
 */
export const draftContentSchema = z
  .object({
    title: line(MAX_TITLE_LENGTH, "A title"),
    description: line(MAX_DESCRIPTION_LENGTH, "A description"),
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
    cover: z
      .string()
      .trim()
      .default("")
      .transform((address) => address || null)
      .pipe(
        z
          .url({ protocol: /^https$/, error: "A cover link must begin with https://" })
          .refine((address) => address.length <= 2000, "This link is too long.")
          .nullable(),
      ),
    text: z
      .string()
      // Plain forms send lines as CRLF, scripts as LF: the same words are the same text.
      .overwrite((text) => text.toWellFormed().replaceAll(/\r\n?/g, "\n"))
      .refine(
        (text) => text.length <= MAX_STORY_LENGTH,
        `A story can have up to ${MAX_STORY_LENGTH.toLocaleString("en")} characters. Split it in two.`,
      )
      .default(""),
  })
  .transform((form): DraftContent => form);

const revision = z.coerce.number<unknown>(INCOMPLETE).int(INCOMPLETE).nonnegative(INCOMPLETE);

/**
 * Which draft the form means, and the save it started from: 0 before the first. After a conflict `overwrite` is the save
 * that the user has seen and decided about.
 */
export const draftTargetSchema = z.object({
  id: z.string(INCOMPLETE).regex(/^[A-Za-z0-9]{20}$/, INCOMPLETE),
  revision,
  overwrite: revision.optional(),
});

/** What makes a draft fit to be published, in the order it is tested. */
export function findUnpublishable({ title, text }: DraftContent): string | undefined {
  if (!isVisible(title)) return "Give your story a title first.";
  if (!isVisible(text)) return "Write a first line before you publish.";
  return undefined;
}
