const TYPES = ["book", "quest", "story"] as const;

/** A built-in book, a quest, or a story that a user has published. */
export type StoryType = (typeof TYPES)[number];

/** A story without its text, as lists show it. */
export interface StoryEntry {
  /** Also determines the drawn cover. */
  id: string;
  title: string;
  /** May be empty. */
  description: string;
  type: StoryType;
  /** The URL of an image; empty for a drawn cover. */
  imgPath: string;
  /** `/read/{id}`, or `/quest/{slug}` for a quest. */
  readLink: string;
  /** `null` for quests, and for books without a story. */
  author: string | null;
  /** The id of the author's page, `/home?writer={id}`; `null` without an author. */
  writer: string | null;
  tags: string[];
  /** The reading time in minutes; `null` without a text. */
  minutes: number | null;
  /** Whether the writer is still adding to it. */
  isOngoing: boolean;
}

/** Returns the type with that name, or `undefined`. */
export function findStoryType(name: unknown): StoryType | undefined {
  return TYPES.find((type) => type === name);
}
