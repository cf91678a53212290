import { parserCtx } from "@milkdown/kit/core";
import { closeHistory, undo } from "@milkdown/kit/prose/history";
import { Fragment, Slice, type Node } from "@milkdown/kit/prose/model";
import { Plugin } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { $prose } from "@milkdown/kit/utils";

import { describeLosses } from "#app/writing/import/losses.ts";
import { isMarkdown, proseToMarkdown } from "#app/writing/plain-prose.ts";
import { isPlainText, readPastedHtml } from "./paste-html.ts";

/** What the user should know about the text that they have just pasted. */
export interface PasteNote {
  text: string;
  /** Reads plain text the other way. */
  alternative?: { label: string; choose: () => void };
}

/** What the editor itself writes on the clipboard has this attribute. */
const FROM_EDITOR = /\sdata-pm-slice=/;

/** Pasted text must not become HTML in the story. */
const HTML_NODE = /\sdata-type\s*=\s*["']?html["']?/gi;

/**
 * Pastes plain text as prose or, if it looks like it, as Markdown, and HTML as it is imported from a file. Calls `onNote`
 * after a paste that lost a format or can be read in two ways, and with `null` at the next change.
 */
export function createStoryPaste(onNote: (note: PasteNote | null) => void) {
  return $prose((ctx) => {
    const parse = (text: string) => escapeHtml(ctx.get(parserCtx)(text).content);

    function paste(view: EditorView, text: string, isAsMarkdown: boolean): void {
      const readings = { prose: parse(proseToMarkdown(text)), markdown: parse(text) };
      const slice = Slice.maxOpen(isAsMarkdown ? readings.markdown : readings.prose);
      view.dispatch(closeHistory(view.state.tr).replaceSelection(slice).scrollIntoView());
      if (readings.prose.eq(readings.markdown)) return;
      const choose = () => {
        undo(view.state, view.dispatch);
        paste(view, text, !isAsMarkdown);
        view.focus();
      };
      onNote(
        isAsMarkdown
          ? { text: "Pasted as Markdown.", alternative: { label: "Treat as prose", choose } }
          : { text: "Pasted as prose.", alternative: { label: "Read as Markdown", choose } },
      );
    }

    return new Plugin({
      view: () => ({
        update: ({ state }, before) => {
          if (!state.doc.eq(before.doc)) onNote(null);
        },
      }),
      props: {
        transformPastedHTML(pasted, view) {
          if (FROM_EDITOR.test(pasted)) return pasted.replaceAll(HTML_NODE, "");
          const read = readPastedHtml(pasted);
          const text = read
            ? describeLosses(read.losses, "pasted").join(" ")
            : "That has more in it than we can read. Paste it as plain text.";
          // The text is pasted after this, which ends earlier notes.
          if (text) queueMicrotask(() => onNote({ text }));
          const slice = Slice.maxOpen(parse(read?.text ?? ""));
          return view.serializeForClipboard(slice).dom.innerHTML;
        },
        handlePaste(view, { clipboardData }, slice) {
          if (view.state.selection.$from.parent.type.spec.code) return false;
          const text = (clipboardData?.getData("text/plain") ?? "").replaceAll(/\r\n?/g, "\n");
          const isPlain = text !== "" && isPlainText(clipboardData?.getData("text/html") ?? "");
          if (isPlain) paste(view, text, isMarkdown(text));
          else if (slice.size > 0) {
            view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView());
          }
          return isPlain || slice.size > 0;
        },
      },
    });
  });
}

/** Turns HTML inside pasted text into plain text. */
function escapeHtml(content: Fragment): Fragment {
  const nodes: Node[] = [];
  content.forEach((node) => {
    const { schema } = node.type;
    if (node.type.name === "html") nodes.push(schema.text(String(node.attrs.value)));
    else nodes.push(node.isText ? node : node.copy(escapeHtml(node.content)));
  });
  return Fragment.fromArray(nodes);
}
