import type { ReadingSettings } from "./settings.ts";

/** A story as a page's loader prepared it. */
export interface ReadingView {
  id: string;
  title: string;
  author: string;
  description: string;
  isOpening: boolean;
  words: number;
  /** Another one after every change of the text. */
  version: string;
  /** The text, for a page that is already open; `null` where it is in the page that the server makes. */
  html: string | null;
  settings: ReadingSettings;
  /** Where the reader was; `null` for a story that is new to them. */
  place: PlaceView | null;
  /** Where they were on another device, when that is worth a question. */
  other: PlaceView | null;
  /** The place in the reader's account could not be read. */
  isPlaceUnreachable: boolean;
  previous: Neighbour | null;
  next: Neighbour | null;
}

/** A place, found again in the text as it is now. */
export interface PlaceView {
  /** The id of its paragraph. */
  paragraph: string;
  /** How far into the paragraph, in UTF-16 units. */
  offset: number;
  percent: number;
  /** Milliseconds since the Unix epoch. */
  time: number;
}

export interface Neighbour {
  path: string;
  /** `null` for a story that is only looked for when somebody goes there. */
  title: string | null;
}
