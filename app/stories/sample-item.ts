import type { StoryType } from "./story-entry.ts";

/** An item of the dashboard's built-in list. */
export interface SampleItem {
  id: number;
  title: string;
  description: string;
  type: Exclude<StoryType, "story">;
  /** The URL of an image. */
  imgPath: string;
  /** `/read/{slug}` for a book, `/quest/{slug}` for a quest. */
  readLink: string;
}
