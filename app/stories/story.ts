/** A story as the reading page shows it. */
export interface Story {
  /** The last part of the story's path: `/read/{id}`. */
  id: string;
  title: string;
  author: string;
  /** The user who has published it; `null` for a built-in story. */
  uid: string | null;
  /** May be empty. */
  description: string;
  tags: string[];
  /** The URL of an image; empty for a drawn cover. */
  cover: string;
  markdown: string;
  /** Whether only the first page is available. */
  isPreview: boolean;
}
