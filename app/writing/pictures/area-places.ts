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

/** Returns the Markdown of a picture. */
function toPictureMarkdown({ src, alt }: Picture): string {
  const words = alt
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[\\[\]*_`<>&!]/g, "\\$&");
  const address = /[\s()<>]/.test(src) ? `<${src.replaceAll(/[<>\s]/g, encodeURIComponent)}>` : src;
  return `![${words}](${address})`;
}

/** Returns where an offset in one text is in the other, if one part of it was changed. Stays before what was typed there. */
function moveOffset(before: string, after: string, offset: number): number {
  const length = Math.min(before.length, after.length);
  let start = 0;
  while (start < length && before[start] === after[start]) start += 1;
  if (offset <= start) return offset;
  let end = 0;
  while (end < length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.length - Math.min(end, before.length - offset);
}

/** Returns the empty lines around a picture, which is a paragraph of its own unless there are words on both sides. */
function padPicture(text: string, offset: number): [before: string, after: string] {
  const before = text.slice(0, offset);
  const after = text.slice(offset);
  if (/[^\n]$/.test(before) && /^[^\n]/.test(after)) return ["", ""];
  const newlines = { before: /\n*$/.exec(before)?.[0] ?? "", after: /^\n*/.exec(after)?.[0] ?? "" };
  const pad = (words: string, { length }: string) => (words === "" ? "" : "\n\n".slice(length));
  return [pad(before, newlines.before), pad(after, newlines.after)];
}

/** Puts Markdown into a text area. */
export function createAreaPlaces(area: HTMLTextAreaElement): PicturePlaces {
  let reserved: { offset: number }[] = [];
  let text = area.value;

  function follow() {
    for (const place of reserved) place.offset = moveOffset(text, area.value, place.offset);
    text = area.value;
  }

  function insert(picture: Picture, offset: number): number {
    const [before, after] = padPicture(area.value, offset);
    const markdown = before + toPictureMarkdown(picture);
    write(area, markdown + after, offset);
    return offset + markdown.length;
  }

  return {
    findSelected: () => null,
    focus: () => area.focus(),
    set(picture) {
      const end = insert(picture, area.selectionStart);
      area.focus();
      area.setSelectionRange(end, end);
    },
    select(src) {
      const start = area.value.indexOf(`![](${src})`);
      if (start < 0) return false;
      area.focus();
      area.setSelectionRange(start + 2, start + 2);
      return false;
    },
    reserve(_name, { area: before }) {
      const offset = before
        ? moveOffset(before.text, area.value, before.offset)
        : area.selectionEnd;
      const place = { offset };
      if (reserved.length === 0) {
        text = area.value;
        area.addEventListener("input", follow);
      }
      reserved.push(place);

      function remove() {
        reserved = reserved.filter((other) => other !== place);
        if (reserved.length === 0) area.removeEventListener("input", follow);
      }

      return {
        remove,
        fill(picture) {
          if (!area.isConnected) return false;
          const index = reserved.indexOf(place);
          const start = place.offset;
          const later = reserved.slice(index + 1).filter(({ offset }) => offset === start);
          remove();
          const end = insert(picture, start);
          text = area.value;
          for (const other of later) other.offset = end;
          return true;
        },
      };
    },
  };
}

/** Inserts text as if it were typed, so that it can be undone, and keeps the selection. */
function write(area: HTMLTextAreaElement, inserted: string, offset: number): void {
  const { selectionStart, selectionEnd } = area;
  const move = (caret: number) => (caret > offset ? caret + inserted.length : caret);
  const isFocused = document.activeElement === area;
  if (isFocused) area.setSelectionRange(offset, offset);
  // It is deprecated, but nothing else lets the user undo.
  if (!isFocused || !document.execCommand("insertText", false, inserted)) {
    area.setRangeText(inserted, offset, offset);
    area.dispatchEvent(new Event("change"));
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  area.setSelectionRange(move(selectionStart), move(selectionEnd));
}
