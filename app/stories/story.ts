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
  /** Whether the writer is still adding to it. */
  isOngoing: boolean;
  /** A tag in `LANGUAGES`; missing for a story whose writer has not said it. */
  language?: string | undefined;
}
