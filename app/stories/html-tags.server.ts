import type { PhrasingContent, Root } from "mdast";
import { SKIP, visit } from "unist-util-visit";

import { isBlockTag, isHtmlTag } from "./html-tags.ts";

/** Shows HTML as text, without the tags that mean nothing to readers. */
export function showHtml() {
  return (tree: Root): void => {
    let hasHtml = false;
    visit(tree, "html", ({ value }, index, parent) => {
      if (!parent || index === undefined) return;
      hasHtml = true;
      const text = isHtmlTag(value) ? "" : value;
      parent.children[index] = isBlockTag(value)
        ? { type: "break" }
        : { type: "text", value: text };
    });
    if (!hasHtml) return;
    visit(tree, "paragraph", (paragraph, index, parent) => {
      paragraph.children = trimBreaks(paragraph.children);
      if (paragraph.children.length > 0 || !parent || index === undefined) return true;
      parent.children.splice(index, 1);
      return [SKIP, index];
    });
  };
}

/** Keeps one line break between words, and none at the ends. */
function trimBreaks(children: PhrasingContent[]): PhrasingContent[] {
  const trimmed: PhrasingContent[] = [];
  for (const child of children) {
    const isFirst = trimmed.length === 0 || trimmed.at(-1)?.type === "break";
    // Not \u00A0 and \u3000, with which poems and Chinese or Japanese paragraphs begin.
    if (child.type === "text" && isFirst) child.value = child.value.replace(/^[ \t\r\n]+/, "");
    const isEmpty = child.type === "text" && child.value === "";
    if (!isEmpty && !(child.type === "break" && isFirst)) trimmed.push(child);
  }
  if (trimmed.at(-1)?.type === "break") trimmed.pop();
  return trimmed;
}
