import { isVisible } from "#app/http/visible-text.ts";
import type { DraftContent } from "./draft.ts";

/** The field of the editor's form that an error is about, and what is wrong with it. */
export interface FieldError {
  field: keyof DraftContent;
  hint: string;
}

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
  return isVisible(text) ? undefined : NO_TEXT;
}
