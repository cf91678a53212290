import type { Picture } from "#app/writing/editor/story-addresses.ts";
import type { StoryPlace } from "#app/writing/editor/story-places.ts";

/** Where files were dropped or pasted, in the text as it was then; where the caret is if it is empty. */
export interface Place {
  story?: StoryPlace | undefined;
  area?: { text: string; offset: number } | undefined;
}

/** Where pictures are in the story: in the rich editor, or in the text area. */
export interface PicturePlaces {
  /** Returns the selected picture, or `null`. */
  findSelected: () => Picture | null;
  /** Inserts a picture at the caret, or changes the selected one. */
  set: (picture: Picture) => void;
  /** Selects a picture. Returns whether `set` then changes it; else the caret is where its description belongs. */
  select: (src: string) => boolean;
  /** Keeps a place for a picture. The text does not contain it. */
  reserve: (name: string, place: Place) => PicturePlace;
  focus: () => void;
}

/** The place of a picture in a text that is edited meanwhile. */
export interface PicturePlace {
  /** Inserts the picture. Returns whether the place still exists. */
  fill: (picture: Picture) => boolean;
  remove: () => void;
}
