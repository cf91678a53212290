import type { QuotedStory } from "#app/chat/quotes/quoted-story.ts";
import type { HiddenItem } from "#app/stories/library/library.ts";
import type { Mark } from "./marks.ts";
import type { ReadingSettings } from "./settings.ts";

/** The id of the element after the text, which links lead to. */
export const STORY_END_ID = "end";

/** The cookie with the settings. Scripts write it too, and they load the list of settings only with its panel. */
export const SETTINGS_COOKIE = { name: "reading", maxAgeSeconds: 365 * 24 * 60 * 60 };

/** What the loader of the reading page returns for a story. */
export interface ReadingData {
  id: string;
  /** The absolute address of the story, to share it. */
  address: string;
  title: string;
  author: string;
  tags: string[];
  /** Whether the user has saved it for later. */
  isSaved: boolean;
  /** What the user has hidden it by: itself, a tag or its writer; `null` if it is not hidden. */
  hiding: HiddenItem | null;
  /** The writer's id, which is `inkglade` for the built-in stories. */
  uid: string;
  description: string;
  /** When it was published, in milliseconds since the Unix epoch; `null` for a built-in story. */
  publishedAt: number | null;
  /** When it was last changed; `null` for a built-in story. */
  updatedAt: number | null;
  /** Whether the writer is still adding to it. */
  isOngoing: boolean;
  /** A BCP 47 tag; missing if the writer has not said it. */
  language?: string | undefined;
  words: number;
  /** None for a story without headings of level 2. */
  chapters: Chapter[];
  /** Changes with every edit of the text. */
  version: string;
  /** The text, for a client-side navigation; `null` when the server renders it into the page. */
  html: string | null;
  /** Whether the beginning of the text needs the italic font. */
  startsWithItalics: boolean;
  settings: ReadingSettings;
  /** `null` for a story that the user has not started. */
  position: PositionView | null;
  /** The length of the text before that position, in UTF-16 units. */
  index: number;
  /** The user's position on another device; `null` unless it is far enough away to be offered. */
  otherPosition: PositionView | null;
  /** Whether the position in the user's account could not be read. */
  isPositionUnavailable: boolean;
  /** The passages that are quoted in the room, in order. None if the user has turned the marks off. */
  marks: Mark[];
  /** The number of the last paragraph that the user has reached, counted from 0; -1 for none. Marks after it are hidden. */
  lastReached: number;
  /** How far the user may read what is said about the story. */
  quoted: QuotedStory;
  /** What follows the text, for a client-side navigation; `null` like `html`. */
  end: string | null;
}

/** A part of a story that begins with a heading of level 2. */
export interface Chapter {
  /** The id of the heading. It survives edits elsewhere. */
  id: string;
  title: string;
  /** The length of the text before it, in UTF-16 units. */
  start: number;
  /** The length of the text up to its end, in UTF-16 units. */
  end: number;
}

/** A position in the current version of the text. */
export interface PositionView {
  /** The id of the paragraph. */
  paragraph: string;
  /** How far into the paragraph, in UTF-16 units. */
  offset: number;
  percent: number;
  /** Milliseconds since the Unix epoch. */
  time: number;
}

export interface AdjacentStory {
  path: string;
  /** `null` for a story that is looked up only when the user follows the link. */
  title: string | null;
}
