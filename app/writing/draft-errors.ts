import { isVisible } from "#app/http/text.ts";
import { isTooComplex } from "#app/stories/markdown-limits.ts";
import type { DraftContent } from "./draft.ts";

/** The field of the editor's form that an error is about, and what is wrong with it. */
export interface FieldError {
  field: keyof DraftContent;
  hint: string;
}

const TOO_COMPLEX: FieldError = {
  field: "text",
  hint: "This text has too many short paragraphs, list items or marks for its length. Join some of them, or split the story in two.",
};

export const NO_TEXT: FieldError = {
  field: "text",
  hint: "Write a first line before you publish.",
};

/** Returns why a draft cannot be published, or `undefined` when it can. */
export function findUnpublishable({
  title,
  text,
}: Pick<DraftContent, "title" | "text">): FieldError | undefined {
  if (!isVisible(title)) return { field: "title", hint: "Give your story a title first." };
  return findUnpublishableText(text);
}

/** Returns why a text cannot be published, or `undefined` when it can. */
export function findUnpublishableText(text: string): FieldError | undefined {
  if (!isVisible(text)) return NO_TEXT;
  return isTooComplex(text) ? TOO_COMPLEX : undefined;
}
