import { $remark } from "@milkdown/kit/utils";
import type { Root } from "mdast";
import type { Processor, Transformer } from "unified";
import { SKIP, visit } from "unist-util-visit";

import { keepDialogue } from "#app/stories/markdown-plugins.ts";

/**
 * Shows link definitions like HTML: as they were written. Milkdown's own plugin then writes the links into the text, and
 * would leave nothing of the definitions.
 */
export const storyDefinitions = $remark("storyDefinitions", () => showDefinitions);

function showDefinitions(this: Processor): Transformer<Root> {
  keepDialogue.call(this);
  return (tree, file) => {
    visit(tree, "definition", ({ position }, index, parent) => {
      if (!position || !parent || index === undefined) return SKIP;
      const source = String(file).slice(position.start.offset, position.end.offset);
      // Without the indentation and the markers of the list or quote around it.
      const value = source.replaceAll(/\n[ \t>]*/g, "\n");
      parent.children.splice(index, 0, {
        type: "paragraph",
        position,
        children: [{ type: "html", value }],
      });
      return index + 2;
    });
  };
}
