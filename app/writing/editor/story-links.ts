import { InputRule } from "@milkdown/kit/prose/inputrules";
import { NodeSelection, type EditorState, type Transaction } from "@milkdown/kit/prose/state";
import { $inputRule } from "@milkdown/kit/utils";

import { toLinkAddress, toPictureAddress, type Picture } from "./story-addresses.ts";

/** A link or a picture in Markdown, such as `[salt](https://example.com/)`. */
const TYPED = /(!?)\[([^[\]]*)\]\(((?:https?:|mailto:|\/pictures\/)(?:[^()\s]|\([^()\s]*\))+)\)$/;

/** Makes links and pictures of typed Markdown, unless readers would not see them. */
export const typedLinks = $inputRule(() => new InputRule(TYPED, replaceTyped));

interface LinkRange {
  from: number;
  to: number;
}

/** Returns the address of the link at the selection, or `null`. */
export function findLink(state: EditorState): string | null {
  const { from, to } = findLinkRange(state) ?? state.selection;
  let address: string | null = null;
  state.doc.nodesBetween(from, to, (node) => {
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

/** Returns the selected picture, or `null`. */
export function findPicture({ selection }: EditorState): Picture | null {
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== "image") return null;
  const { src, alt } = selection.node.attrs;
  return { src: String(src), alt: String(alt) };
}

/** Inserts a picture in place of the selection, or changes the selected one, which keeps its title. */
export function setPicture({ tr, schema, selection }: EditorState, picture: Picture): Transaction {
  const type = schema.nodes.image;
  const title = selection instanceof NodeSelection ? selection.node.attrs.title : "";
  return type
    ? tr.replaceSelectionWith(type.create({ ...picture, title: title ?? "" })).scrollIntoView()
    : tr;
}

function replaceTyped(
  { tr, schema }: EditorState,
  match: RegExpMatchArray,
  from: number,
  to: number,
): Transaction | null {
  const [, bang, words = "", typedAddress = ""] = match;
  const { image } = schema.nodes;
  const { link } = schema.marks;
  if (bang) {
    const src = toPictureAddress(typedAddress);
    return src && image ? tr.replaceWith(from, to, image.create({ src, alt: words })) : null;
  }
  const href = toLinkAddress(typedAddress);
  if (!href || !link || words === "") return null;
  const end = from + 1 + words.length;
  return tr
    .delete(end, to)
    .delete(from, from + 1)
    .addMark(from, end - 1, link.create({ href }));
}

/** Returns the range of the link that the caret is in, or at the end of. */
function findLinkRange({ selection }: EditorState): LinkRange | null {
  const { $from, empty } = selection;
  const mark = $from.nodeBefore?.marks.find(({ type }) => type.name === "link");
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
