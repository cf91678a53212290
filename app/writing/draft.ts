/** In UTF-16 units. Rules may count characters instead, of which there are never more. */
export const MAX_STORY_LENGTH = 500_000;
export const MAX_TITLE_LENGTH = 255;
export const MAX_DESCRIPTION_LENGTH = 1250;
export const MAX_TAG_LENGTH = 40;
export const MAX_TAGS = 10;

/** What a writer writes, as the form holds it. `text` is Markdown with LF line ends. */
export interface DraftContent {
  title: string;
  description: string;
  tags: string[];
  /** An https address, or `null` for a drawn one. */
  cover: string | null;
  text: string;
}

/** A draft in the list: everything but its text. Times are milliseconds since the Unix epoch. */
export interface DraftHead extends Omit<DraftContent, "text"> {
  id: string;
  words: number;
  /** Counts saves: 1 is the first. Whoever saves says which one they started from. */
  revision: number;
  createdAt: number;
  updatedAt: number;
  /** The address under /read once it has been published, kept while it is not. */
  storyId: string | null;
  /** The save that readers see, or `null` while they see none. */
  publishedRevision: number | null;
  publishedAt: number | null;
  /** When it was put away, to be deleted for good a day later; `null` while it is not. */
  deletedAt: number | null;
}

export interface Draft extends DraftHead {
  text: string;
}

/** Returns one line of text, trimmed, with single blanks. */
export function toLine(text: string): string {
  return text.toWellFormed().replaceAll(/\s+/g, " ").trim();
}

/** Reads tags with commas between them. Equal ones count once. */
export function splitTags(tags: string): string[] {
  return [...new Set(tags.split(",").map(toLine).filter(Boolean))];
}

/** The collection of somebody's drafts, below the database's root. */
export function draftsPath(uid: string): string {
  return `users/${uid}/drafts`;
}
