import { closeHistory } from "@milkdown/kit/prose/history";
import type { Node, ResolvedPos } from "@milkdown/kit/prose/model";
import {
  NodeSelection,
  Plugin,
  PluginKey,
  TextSelection,
  type EditorState,
} from "@milkdown/kit/prose/state";
import { insertPoint } from "@milkdown/kit/prose/transform";
import { Decoration, DecorationSet, type EditorView } from "@milkdown/kit/prose/view";

import { findPicture, setPicture } from "#app/writing/editor/story-links.ts";
import { getNodeType } from "#app/writing/editor/story-tools.ts";
import type { PicturePlaces, Point } from "./picture-places.ts";
import styles from "./story-pictures.module.css";

/** The place of a picture that is being uploaded: a decoration, so that it is never part of the story. */
interface Reserved {
  id: symbol;
  name: string;
  position: number;
}

type Change = { add: Reserved } | { remove: symbol };

const key = new PluginKey<Reserved[]>("pictures");

const placeholders = new Plugin<Reserved[]>({
  key,
  state: {
    init: () => [],
    apply(tr, reserved) {
      const change: Change | undefined = tr.getMeta(key);
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
      const reserved = key.getState(state) ?? [];
      const widgets = reserved.map(({ position, name }, index) =>
        Decoration.widget(position, () => createPlaceholder(name), {
          key: `${name} ${index}`,
          side: index - reserved.length,
          ignoreSelection: true,
        }),
      );
      return DecorationSet.create(state.doc, widgets);
    },
  },
});

/** Puts pictures into the rich editor. */
export function createEditorPlaces(view: EditorView): PicturePlaces {
  if (!key.get(view.state)) {
    const plugins = [...view.state.plugins, placeholders];
    view.updateState(view.state.reconfigure({ plugins }));
  }

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
    reserve(name, point) {
      const id = Symbol(name);
      const { tr } = view.state;
      const $from = point ? findDrop(view, point) : view.state.selection.$to;
      const position = findBoundary($from);
      // After a paste at the end of a paragraph, what is typed next follows the picture.
      if (!point && isEnd($from)) {
        tr.insert(position, getNodeType(tr, "paragraph").create());
        tr.setSelection(TextSelection.create(tr.doc, position + 1)).scrollIntoView();
      }
      view.dispatch(tr.setMeta(key, { add: { id, name, position } } satisfies Change));

      const find = () =>
        view.isDestroyed ? undefined : key.getState(view.state)?.find((place) => place.id === id);
      const change: Change = { remove: id };
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
          view.dispatch(filled.setMeta(key, change));
          return true;
        },
        remove() {
          if (find()) view.dispatch(view.state.tr.setMeta(key, change));
        },
      };
    },
  };
}

function createParagraph(state: EditorState, picture: { src: string; alt: string }): Node {
  const image = getNodeType(state, "image").create({ ...picture, title: "" });
  return getNodeType(state, "paragraph").create(null, image);
}

function createPlaceholder(name: string): HTMLElement {
  const placeholder = document.createElement("div");
  placeholder.className = styles.placeholder ?? "";
  placeholder.contentEditable = "false";
  placeholder.textContent = `Uploading ${name}…`;
  return placeholder;
}

function findDrop(view: EditorView, point: Point): ResolvedPos {
  const found = view.posAtCoords(point);
  return found ? view.state.doc.resolve(found.pos) : view.state.selection.$to;
}

/** Returns where a picture becomes a paragraph of its own: before the paragraph that starts here, or after this one. */
function findBoundary($position: ResolvedPos): number {
  if (!$position.parent.isTextblock) return $position.pos;
  return $position.parentOffset === 0 ? $position.before() : $position.after();
}

/** Whether the words of a paragraph end here. */
function isEnd({ parent, parentOffset }: ResolvedPos): boolean {
  return parent.isTextblock && parentOffset > 0 && parentOffset === parent.content.size;
}

function findPosition(doc: Node, src: string): number | null {
  let found: number | null = null;
  doc.descendants((node, position) => {
    if (node.type.name === "image" && node.attrs.src === src && found === null) found = position;
    return found === null;
  });
  return found;
}
