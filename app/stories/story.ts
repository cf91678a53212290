/** How many of a writer's stories are listed with their counts. */
export const MAX_COUNTED_STORIES = 500;

/** A story as the reading page shows it. */
export interface Story {
  /** The last part of the story's path: `/read/{id}`. Also determines the drawn cover. */
  id: string;
  title: string;
  author: string;
  /** The user who has published it, or `BUILT_IN_WRITER`. */
  uid: string;
  /** May be empty. */
  description: string;
  tags: string[];
  /** The URL of an image; empty for a drawn cover. */
  cover: string;
  markdown: string;
  /** When it was published, in milliseconds since the Unix epoch; missing for a built-in story. */
  publishedAt?: number;
  /** When it was last changed, in milliseconds since the Unix epoch; `null` for a built-in story. */
  updatedAt: number | null;
  /** When a chapter was last added, in milliseconds since the Unix epoch. */
  newChapterAt?: number | undefined;
  /** Whether the writer is still adding to it. */
  isOngoing: boolean;
  /** A tag in `LANGUAGES`; missing for a story whose writer has not said it. */
  language?: string | undefined;
}

const TYPES = ["book", "quest", "story"] as const;

/** A built-in book, a quest, or a story that a user has published. */
export type StoryType = (typeof TYPES)[number];

/** A story without its text, as lists show it. */
export interface StoryEntry extends Pick<
  Story,
  "id" | "title" | "description" | "cover" | "tags" | "isOngoing" | "language"
> {
  type: StoryType;
  /** `/read/{id}`, or `/quest/{slug}` for a quest. */
  readLink: string;
  /** `null` for quests, and for books without a story. */
  author: string | null;
  /** The id of the author's page, `/home?writer={id}`; `null` without an author. */
  writer: string | null;
  /** The reading time in minutes; `null` without a text. */
  minutes: number | null;
}

/** Returns the type with that name, or `undefined`. */
export function findStoryType(name: unknown): StoryType | undefined {
  return TYPES.find((type) => type === name);
}

/**
 * The speed for English. We assume the same for the words that `countWords` finds in other scripts: for Japanese, that is
 * about 450 characters a minute.
 */
const WORDS_PER_MINUTE = 230;

/** Returns how many minutes it takes to read a number of words, rounded up, at least 1. */
export function getReadingMinutes(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}
