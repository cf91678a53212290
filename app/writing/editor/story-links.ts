import type { EditorState, Transaction } from "@milkdown/kit/prose/state";

interface LinkRange {
  from: number;
  to: number;
}

/** Returns the address of the link at the selection, or `null`. */
export function findLink(state: EditorState): string | null {
  const { from, to } = findLinkRange(state) ?? state.selection;
  let address: string | null = null;
  state.doc.nodesBetween(from, Math.max(to, from + 1), (node) => {
    const mark = node.marks.find(({ type }) => type.name === "link");
    if (mark) address ??= String(mark.attrs.href);
  });
  return address;
}

/** Links the selection, or changes the link at the caret. Without either, inserts the address as a link. */
export function setLink(state: EditorState, address: string): Transaction {
  const { tr, schema } = state;
  const range = findLinkRange(state) ?? state.selection;
  const type = schema.marks.link;
  if (!type) return tr;
  const mark = type.create({ href: address });
  if (range.from === range.to) return tr.replaceSelectionWith(schema.text(address, [mark]), false);
  return tr.removeMark(range.from, range.to, type).addMark(range.from, range.to, mark);
}

export function removeLink(state: EditorState): Transaction {
  const { from, to } = findLinkRange(state) ?? state.selection;
  return state.tr.removeMark(from, to, state.schema.marks.link);
}

/** Returns a web or e-mail address as a URL; `null` for anything else, because the server removes other links. */
export function toLinkAddress(typed: string): string | null {
  const text = typed.trim();
  const address = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address) || /\s/.test(text) || text === "") return null;
  return /^(https?|mailto):$/.test(new URL(address).protocol) ? address : null;
}

/** Returns the range of the link around the caret. */
function findLinkRange({ selection }: EditorState): LinkRange | null {
  const { $from, empty } = selection;
  const mark = $from.marks().find(({ type }) => type.name === "link");
  if (!empty || !mark) return null;
  let from = $from.start();
  let range: LinkRange | null = null;
  $from.parent.forEach((child, offset) => {
    const start = $from.start() + offset;
    const end = start + child.nodeSize;
    if (!mark.isInSet(child.marks)) {
      if (end <= $from.pos) from = end;
      return;
    }
    if (start <= $from.pos || range?.to === start) range = { from, to: end };
  });
  return range;
}
