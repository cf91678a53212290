import { closeHistory } from "@milkdown/kit/prose/history";
import type { Node, ResolvedPos } from "@milkdown/kit/prose/model";
import { NodeSelection, type EditorState } from "@milkdown/kit/prose/state";
import { insertPoint } from "@milkdown/kit/prose/transform";
import type { EditorView } from "@milkdown/kit/prose/view";

import { findPicture, setPicture } from "#app/writing/editor/story-links.ts";
import {
  followPlace,
  placesKey,
  takePlace,
  type PlaceChange,
} from "#app/writing/editor/story-places.ts";
import { getNodeType } from "#app/writing/editor/story-tools.ts";
import type { PicturePlaces } from "./area-places.ts";
import styles from "./story-pictures.module.css";

/** Puts pictures into the rich editor. */
export function createEditorPlaces(view: EditorView): PicturePlaces {
  return {
    findSelected: () => findPicture(view.state),
    focus: () => view.focus(),
    set(picture) {
      view.dispatch(setPicture(view.state, picture));
      view.focus();
    },
    select(src) {
      const position = findPosition(view.state.doc, src);
      if (position === null) return false;
      const selection = NodeSelection.create(view.state.doc, position);
      view.dispatch(view.state.tr.setSelection(selection).scrollIntoView());
      return true;
    },
    reserve(name, { story = takePlace(view, null) }) {
      const id = Symbol(name);
      const position = findBoundary(followPlace(story, view.state));
      const added: PlaceChange = { add: { id, position, element: createPlaceholder(name) } };
      view.dispatch(view.state.tr.setMeta(placesKey, added));

      const find = () =>
        view.isDestroyed
          ? undefined
          : placesKey.getState(view.state)?.find((place) => place.id === id);
      const change: PlaceChange = { remove: id };
      return {
        fill(picture) {
          const place = find();
          if (!place) return false;
          const inserted = createParagraph(view.state, picture);
          const boundary = findBoundary(view.state.doc.resolve(place.position));
          const at = insertPoint(view.state.doc, boundary, inserted.type);
          const { doc } = view.state;
          // The picture can be undone on its own.
          const filled = closeHistory(view.state.tr).insert(at ?? doc.content.size, inserted);
          view.dispatch(filled.setMeta(placesKey, change));
          return true;
        },
        remove() {
          if (find()) view.dispatch(view.state.tr.setMeta(placesKey, change));
        },
      };
    },
  };
}

function createParagraph(state: EditorState, picture: { src: string; alt: string }): Node {
  const image = getNodeType(state, "image").create({ ...picture, title: "" });
  return getNodeType(state, "paragraph").create(null, image);
}

/** Returns where a picture becomes a paragraph of its own: before the paragraph that starts here, or after this one. */
function findBoundary($position: ResolvedPos): number {
  if (!$position.parent.isTextblock) return $position.pos;
  return $position.parentOffset === 0 ? $position.before() : $position.after();
}

function findPosition(doc: Node, src: string): number | null {
  let found: number | null = null;
  doc.descendants((node, position) => {
    if (node.type.name === "image" && node.attrs.src === src && found === null) found = position;
    return found === null;
  });
  return found;
}

function createPlaceholder(name: string): HTMLElement {
  const placeholder = document.createElement("div");
  placeholder.className = styles.placeholder ?? "";
  placeholder.contentEditable = "false";
  placeholder.textContent = `Uploading ${name}…`;
  return placeholder;
}
