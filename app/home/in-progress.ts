/** A story that the user has started and not finished. */
export interface InProgressStory {
  /** The id of the story. */
  story: string;
  title: string;
  /** From 0 to 99. */
  percent: number;
  minutesLeft: number;
  /** The URL of an image; empty for a drawn cover. */
  cover: string;
}
