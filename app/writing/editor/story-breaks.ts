import type { ResolvedPos } from "@milkdown/kit/prose/model";
import {
  NodeSelection,
  Plugin,
  TextSelection,
  type EditorState,
  type Transaction,
} from "@milkdown/kit/prose/state";
import { $prose } from "@milkdown/kit/utils";

import { isSceneBreak } from "#app/writing/plain-prose.ts";
import { getNodeType } from "./story-tools.ts";

/** Becomes a break with its last character: three dashes, or three marks with spaces, which would begin a list. */
const COMPLETE = /^(?:---|([*-]) \1 \1)$/;

/** Becomes a break with a space after it: without one it may be the start of bold and italic words. */
const COMPLETE_WITH_SPACE = /^(?:\*\*\*|___) $/;

/**
 * Turns marks that writers type between scenes into a break with the caret in the paragraph after it: at Enter, and some
 * before. A break that was inserted another way is never left selected, where the next key would replace it.
 */
export const sceneBreaks = $prose(
  () =>
    new Plugin({
      props: {
        handleTextInput(view, _from, _to, text) {
          const typed = findTyped(view.state, text.slice(-1));
          if (!typed) return false;
          const words = typed.text + text;
          if (!COMPLETE.test(words) && !COMPLETE_WITH_SPACE.test(words)) return false;
          view.dispatch(replaceWithBreak(view.state, typed));
          return true;
        },
        handleKeyDown(view, { key, shiftKey, isComposing }) {
          if (key !== "Enter" || shiftKey || isComposing) return false;
          const typed = findTyped(
            view.state,
            view.state.selection.$from.parent.textContent.slice(-1),
          );
          if (!typed || !isSceneBreak(typed.text)) return false;
          view.dispatch(replaceWithBreak(view.state, typed));
          return true;
        },
      },
      appendTransaction(transactions, _before, { selection, tr }) {
        const isBreak = selection instanceof NodeSelection && selection.node.type.name === "hr";
        if (!isBreak || !transactions.some(({ docChanged }) => docChanged)) return null;
        return placeCaretAfter(tr, selection.to);
      },
    }),
);

interface Typed {
  /** The block that consists of it. */
  from: number;
  to: number;
  text: string;
}

/**
 * Returns the text of the paragraph with the caret at its end. If the paragraph is all that a list contains, the list
 * began with a mark too.
 *
 * @param mark the mark that begins lists
 */
function findTyped({ selection }: EditorState, mark: string): Typed | null {
  const { $from, empty } = selection;
  const { parent } = $from;
  const isAtEnd = empty && $from.parentOffset === parent.content.size;
  if (!isAtEnd || parent.type.name !== "paragraph" || parent.childCount > 1) return null;
  let { depth } = $from;
  let text = parent.textContent;
  while (isOnlyItem($from, depth)) {
    text = `${mark} ${text}`;
    depth -= 2;
  }
  const isInList = $from.node(depth - 1).type.name === "list_item";
  return isInList ? null : { from: $from.before(depth), to: $from.after(depth), text };
}

/** Whether the block at a depth is the only one in the only item of a bullet list. */
function isOnlyItem($from: ResolvedPos, depth: number): boolean {
  if (depth < 3) return false;
  const [list, item] = [$from.node(depth - 2), $from.node(depth - 1)];
  return list.type.name === "bullet_list" && list.childCount === 1 && item.childCount === 1;
}

function replaceWithBreak(state: EditorState, { from, to }: Typed): Transaction {
  const { tr } = state;
  tr.replaceWith(from, to, [getNodeType(tr, "hr").create(), getNodeType(tr, "paragraph").create()]);
  return placeCaretAfter(tr, from + 1);
}

/** Places the caret in the paragraph at a position, or in a new one. */
function placeCaretAfter(tr: Transaction, position: number): Transaction {
  const next = tr.doc.resolve(position).nodeAfter;
  if (next?.type.name !== "paragraph") {
    tr.insert(position, getNodeType(tr, "paragraph").create());
  }
  return tr.setSelection(TextSelection.create(tr.doc, position + 1)).scrollIntoView();
}
