import { isVisible } from "#app/http/text.ts";
import { isTooComplex } from "#app/stories/markdown-limits.ts";

/** In UTF-16 units. `firestore.rules` may count code points instead, which are never more. */
export const MAX_STORY_LENGTH = 500_000;
export const MAX_TITLE_LENGTH = 255;
export const MAX_DESCRIPTION_LENGTH = 1250;
export const MAX_TAG_LENGTH = 40;
export const MAX_TAGS = 10;

/** How many versions of a draft are listed. */
export const MAX_LISTED_VERSIONS = 100;

/** The content of a draft. `text` is Markdown with LF line breaks. */
export interface DraftContent {
  title: string;
  description: string;
  tags: string[];
  /** A tag in `LANGUAGES`. Missing where nobody has chosen one; a save without it keeps the stored one. */
  language?: string | undefined;
  /** An https URL, `drawing:` and the number of a drawing, or `null` for the drawing that the story's id determines. */
  cover: string | null;
  text: string;
}

/** A draft without its text, as in the list of drafts. Times are milliseconds since the Unix epoch. */
export interface DraftHead extends Omit<DraftContent, "text"> {
  id: string;
  words: number;
  /** The number of the save, from 1. Each save names the revision that it is based on. */
  revision: number;
  createdAt: number;
  updatedAt: number;
  /** The id under /read, set at the first publication. It stays reserved while the story is unpublished. */
  storyId: string | null;
  /** The revision that readers see, or `null` while the draft is not published. */
  publishedRevision: number | null;
  publishedAt: number | null;
  /** Whether the writer published it as a story that is still being written. @default false */
  isOngoing?: boolean | undefined;
  /** How many chapters the published text has; missing until it is published. */
  publishedChapters?: number | undefined;
  /** When it was moved to the trash, to be deleted permanently a day later; `null` while it is not in the trash. */
  deletedAt: number | null;
}

export interface Draft extends DraftHead {
  text: string;
  /** Whether a part of the stored text is missing. The text is then the rest. */
  isDamaged?: true | undefined;
}

/** Returns the text as one trimmed line with single spaces. */
export function toLine(text: string): string {
  return text.toWellFormed().replaceAll(/\s+/g, " ").trim();
}

/** Reads tags separated by commas, without duplicates. */
export function splitTags(tags: string): string[] {
  return [...new Set(tags.split(",").map(toLine).filter(Boolean))];
}

/** Returns the path of the collection of a user's drafts. */
export function getDraftsPath(uid: string): string {
  return `users/${uid}/drafts`;
}

/** The field of the editor's form with the picture of a cover. */
export const COVER_FILE_FIELD = "coverFile";

/** The file field of the editor's form. */
export const IMPORT_FIELD = "file";

/** The files that can be imported, for file fields. */
export const IMPORT_TYPES =
  ".docx,.md,.markdown,.txt,.html,.htm,.xhtml,.zip,text/markdown,text/plain,text/html,application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** In bytes: what browsers read, and what is sent to the server without scripts. */
export const MAX_FILE_BYTES = { browser: 50 * 1024 * 1024, server: 5 * 1024 * 1024 };

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
