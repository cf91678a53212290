import type { Story } from "./story.ts";

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
