import type { Picture } from "#app/writing/editor/story-addresses.ts";

/** In pixels, from the corner of the window. */
export interface Point {
  left: number;
  top: number;
}

/** Where pictures are in the story: in the rich editor, or in the text area. */
export interface PicturePlaces {
  /** Returns the selected picture, or `null`. */
  findSelected: () => Picture | null;
  /** Inserts a picture at the caret, or changes the selected one. */
  set: (picture: Picture) => void;
  /** Selects a picture. Returns whether `set` then changes it; else the caret is where its description belongs. */
  select: (src: string) => boolean;
  /** Keeps a place for a picture, at the caret or a point. The text does not contain it. */
  reserve: (name: string, point: Point | null) => PicturePlace;
  focus: () => void;
}

/** The place of a picture in a text that is edited meanwhile. */
export interface PicturePlace {
  /** Inserts the picture. Returns whether the place still exists. */
  fill: (picture: Picture) => boolean;
  remove: () => void;
}
