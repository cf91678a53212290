import { getPositionsPath } from "#app/stories/positions/position.ts";
import type { Story } from "#app/stories/story.ts";

/** A story that the user has saved for later, as it was then. */
export interface SavedStory extends Pick<Story, "id" | "title" | "author" | "cover"> {
  /** The id of the author's page. */
  writer: string;
  minutes: number;
  /** Whether its writer has withdrawn it since. Set where the list is shown. */
  isWithdrawn?: boolean;
}

/** A writer whose new stories the user wants to see. */
export interface FollowedWriter {
  /** The id of a user. */
  uid: string;
  /** The name at the time when the user followed them. */
  name: string;
}

export const HIDDEN_KINDS = ["story", "tag", "writer"] as const;

/** A story, a tag or a writer that the user does not want to see in lists. */
export interface HiddenItem {
  kind: (typeof HIDDEN_KINDS)[number];
  /** The id of the story or the user, or the normalized tag. */
  id: string;
  /** The title, the tag or the name at the time when the user hid it. */
  name: string;
}

export const MAX_SAVED = 100;
export const MAX_HIDDEN_ITEMS = 100;

/** Firestore's `in` accepts at most this many values. */
export const MAX_FOLLOWED = 30;

/**
 * The value of `time` in the documents of all lists. This time is later than any reading position, so that one query
 * returns the lists and the latest positions.
 */
export const LIST_TIME = 9_000_000_000_000_000;

/** A story cannot have one of these ids. */
export const SAVED_LIST_ID = "~saved";
export const FOLLOWING_LIST_ID = "~following";
export const HIDDEN_LIST_ID = "~hidden";

/** Returns the path of the list of saved stories. It is stored beside the positions. */
export function getSavedPath(uid: string): string {
  return `${getPositionsPath(uid)}/${SAVED_LIST_ID}`;
}

/** Returns the path of the list of followed writers. */
export function getFollowingPath(uid: string): string {
  return `${getPositionsPath(uid)}/${FOLLOWING_LIST_ID}`;
}

/** Returns the path of the list of what the user has hidden. */
export function getHiddenItemsPath(uid: string): string {
  return `${getPositionsPath(uid)}/${HIDDEN_LIST_ID}`;
}
