import { lift, setBlockType, toggleMark, wrapIn } from "@milkdown/kit/prose/commands";
import { redo, undo } from "@milkdown/kit/prose/history";
import type { Attrs, NodeType } from "@milkdown/kit/prose/model";
import { liftListItem, splitListItem, wrapInList } from "@milkdown/kit/prose/schema-list";
import {
  Selection,
  TextSelection,
  type Command,
  type EditorState,
} from "@milkdown/kit/prose/state";

export type ToolName =
  | "heading-1"
  | "heading-2"
  | "bold"
  | "italic"
  | "quote"
  | "bullets"
  | "numbers"
  | "break"
  | "undo"
  | "redo";

/** A button of the toolbar, and its keyboard shortcut. */
export interface StoryTool {
  /** In ProseMirror's notation: `Mod` is Command on Apple devices, Control on others. */
  shortcut: string;
  command: Command;
  /** Whether the selection has this format. `null` for actions. */
  isOn: ((state: EditorState) => boolean) | null;
}

export const STORY_TOOLS: Record<ToolName, StoryTool> = {
  "heading-1": createHeadingTool(1),
  "heading-2": createHeadingTool(2),
  bold: createMarkTool("strong", "Mod-b"),
  italic: createMarkTool("emphasis", "Mod-i"),
  quote: {
    shortcut: "Mod-Shift-b",
    isOn: (state) => isInQuote(state),
    command: (state, dispatch, view) =>
      isInQuote(state)
        ? lift(state, dispatch, view)
        : wrapIn(getNodeType(state, "blockquote"))(state, dispatch, view),
  },
  bullets: createListTool("bullet_list", "Mod-Alt-8"),
  numbers: createListTool("ordered_list", "Mod-Alt-7"),
  break: { shortcut: "Mod-Alt-Enter", isOn: null, command: insertSceneBreak },
  undo: { shortcut: "Mod-z", isOn: null, command: undo },
  redo: { shortcut: "Mod-Shift-z", isOn: null, command: redo },
};

export function isFormat(tool: string): tool is ToolName {
  return Object.hasOwn(STORY_TOOLS, tool);
}

/** Selects all text. The selection starts and ends inside a block, as the tools require. ProseMirror's does not. */
export const selectText: Command = ({ doc, tr }, dispatch) => {
  const selection = TextSelection.between(Selection.atStart(doc).$from, Selection.atEnd(doc).$to);
  dispatch?.(tr.setSelection(selection));
  return true;
};

/** Begins the next item of a list. */
export const splitItem: Command = (state, dispatch) =>
  splitListItem(getNodeType(state, "list_item"))(state, dispatch);

function createHeadingTool(level: number): StoryTool {
  const isOn = (state: EditorState) => {
    const { parent } = state.selection.$from;
    return parent.type.name === "heading" && parent.attrs.level === level;
  };
  return {
    shortcut: `Mod-Alt-${level}`,
    isOn,
    command: (state, dispatch, view) =>
      isOn(state)
        ? setBlockType(getNodeType(state, "paragraph"))(state, dispatch, view)
        : setBlockType(getNodeType(state, "heading"), { level })(state, dispatch, view),
  };
}

function createMarkTool(name: "strong" | "emphasis", shortcut: string): StoryTool {
  return {
    shortcut,
    isOn: (state) => {
      const type = state.schema.marks[name];
      const { from, to, empty, $from } = state.selection;
      if (!type) return false;
      if (!empty) return state.doc.rangeHasMark(from, to, type);
      return type.isInSet(state.storedMarks ?? $from.marks()) !== undefined;
    },
    command: (state, dispatch, view) => {
      const type = state.schema.marks[name];
      return type ? toggleMark(type)(state, dispatch, view) : false;
    },
  };
}

function createListTool(name: "bullet_list" | "ordered_list", shortcut: string): StoryTool {
  const isOn = (state: EditorState) => findList(state)?.type.name === name;
  return {
    shortcut,
    isOn,
    command: (state, dispatch, view) => {
      if (isOn(state)) return liftListItem(getNodeType(state, "list_item"))(state, dispatch, view);
      if (findList(state)) return changeListType(getNodeType(state, name))(state, dispatch, view);
      return wrapInList(getNodeType(state, name))(state, dispatch, view);
    },
  };
}

/** Changes a bullet list to a numbered one, or back. */
function changeListType(type: NodeType): Command {
  return (state, dispatch) => {
    const list = findList(state);
    if (!list) return false;
    const { tr } = state;
    tr.setNodeMarkup(list.position, type);
    const isOrdered = type.name === "ordered_list";
    state.doc.nodeAt(list.position)?.forEach((item, offset, index) => {
      const attrs: Attrs = isOrdered
        ? { ...item.attrs, listType: "ordered", label: `${index + 1}.` }
        : { ...item.attrs, listType: "bullet", label: "•" };
      tr.setNodeMarkup(list.position + 1 + offset, null, attrs);
    });
    dispatch?.(tr);
    return true;
  };
}

/** Inserts a line between two scenes, and a paragraph after it. */
function insertSceneBreak(state: EditorState, dispatch?: (tr: EditorState["tr"]) => void): boolean {
  const { $to } = state.selection;
  const end = $to.depth > 0 ? $to.after(1) : $to.pos;
  const { tr } = state;
  const isEmpty = $to.depth === 1 && $to.parent.content.size === 0;
  const start = isEmpty ? $to.before(1) : end;
  tr.replaceWith(start, end, [
    getNodeType(state, "hr").create(),
    getNodeType(state, "paragraph").create(),
  ]);
  tr.setSelection(TextSelection.create(tr.doc, start + 2));
  dispatch?.(tr.scrollIntoView());
  return true;
}

function isInQuote({ selection: { $from } }: EditorState): boolean {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    if ($from.node(depth).type.name === "blockquote") return true;
  }
  return false;
}

function findList({ selection: { $from } }: EditorState) {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const { type } = $from.node(depth);
    if (type.name.endsWith("_list")) return { type, position: $from.before(depth) };
  }
  return null;
}

/** @param source a state or transaction, whose document has the story's schema. */
export function getNodeType({ doc }: Pick<EditorState, "doc">, name: string): NodeType {
  const type = doc.type.schema.nodes[name];
  if (!type) throw new Error(`Expected the story's schema to have ${name}`);
  return type;
}
