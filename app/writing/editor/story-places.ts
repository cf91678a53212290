import type { Node, ResolvedPos } from "@milkdown/kit/prose/model";
import { Plugin, PluginKey, TextSelection, type EditorState } from "@milkdown/kit/prose/state";
import { Decoration, DecorationSet, type EditorView } from "@milkdown/kit/prose/view";

import { getNodeType } from "./story-tools.ts";

/** In pixels, from the corner of the window. */
export interface Point {
  left: number;
  top: number;
}

/** A position in a story as it was. */
export interface StoryPlace {
  doc: Node;
  position: number;
}

/** The place of a picture that is being uploaded: a decoration, so that it is never part of the story. */
export interface ReservedPlace {
  id: symbol;
  position: number;
  /** What is shown there. */
  element: HTMLElement;
}

export type PlaceChange = { add: ReservedPlace } | { remove: symbol };

export const placesKey = new PluginKey<ReservedPlace[]>("pictures");

export const reservedPlaces = new Plugin<ReservedPlace[]>({
  key: placesKey,
  state: {
    init: () => [],
    apply(tr, reserved) {
      const change: PlaceChange | undefined = tr.getMeta(placesKey);
      const removed = change && "remove" in change ? change.remove : null;
      const index = reserved.findIndex(({ id }) => id === removed);
      const moved = reserved.map((place, number) => {
        // The places after a picture stay after it, when it is inserted.
        const side = index >= 0 && number > index ? 1 : -1;
        return { ...place, position: tr.mapping.map(place.position, side) };
      });
      if (change && "add" in change) moved.push(change.add);
      return moved.filter(({ id }) => id !== removed);
    },
  },
  props: {
    decorations(state) {
      const reserved = placesKey.getState(state) ?? [];
      const widgets = reserved.map(({ position, element }, index) =>
        Decoration.widget(position, element, {
          side: index - reserved.length,
          ignoreSelection: true,
        }),
      );
      return DecorationSet.create(state.doc, widgets);
    },
  },
});

/**
 * Returns the place of a drop, or else of the caret. At the end of a paragraph the caret gets a new one, so that what is typed
 * next follows the picture.
 */
export function takePlace(view: EditorView, point: Point | null): StoryPlace {
  const found = point ? view.posAtCoords(point) : null;
  if (!found && isEnd(view.state.selection.$to)) {
    const { tr, selection } = view.state;
    const position = selection.$to.after();
    tr.insert(position, getNodeType(tr, "paragraph").create());
    view.dispatch(tr.setSelection(TextSelection.create(tr.doc, position + 1)).scrollIntoView());
  }
  const { doc, selection } = view.state;
  return { doc, position: found ? found.pos : selection.to };
}

/** Returns where a place is now. Stays before what was typed there. */
export function followPlace({ doc, position }: StoryPlace, state: EditorState): ResolvedPos {
  const start = doc.content.findDiffStart(state.doc.content) ?? doc.content.size;
  const end = doc.content.findDiffEnd(state.doc.content);
  if (!end || position <= start) return state.doc.resolve(Math.min(position, start));
  const after = position >= end.a ? position + end.b - end.a : end.b;
  return state.doc.resolve(Math.min(Math.max(after, 0), state.doc.content.size));
}

/** Whether the words of a paragraph end here. */
function isEnd({ parent, parentOffset }: ResolvedPos): boolean {
  return parent.isTextblock && parentOffset > 0 && parentOffset === parent.content.size;
}
