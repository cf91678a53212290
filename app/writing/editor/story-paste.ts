import { parserCtx } from "@milkdown/kit/core";
import { closeHistory, undo } from "@milkdown/kit/prose/history";
import { Fragment, Slice, type Node } from "@milkdown/kit/prose/model";
import { Plugin } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { $prose } from "@milkdown/kit/utils";

import { isMarkdown, proseToMarkdown } from "#app/writing/plain-prose.ts";
import { cleanHtml, parseHtml } from "./clean-html.ts";

/** What the user should know about the text that they have just pasted. */
export interface PasteNote {
  text: string;
  /** Reads plain text the other way. */
  alternative?: { label: string; choose: () => void };
}

/**
 * Pastes plain text as prose or, if it looks like it, as Markdown, and HTML with the formats that a story can have. Calls
 * `onNote` after a paste that lost a format or can be read in two ways, and with `null` at the next change.
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
        transformPastedHTML(pasted) {
          const { html, lost, leftOut } = cleanHtml(pasted);
          const text = describeLoss(lost, leftOut);
          // The text is pasted after this, which ends earlier notes.
          if (text) queueMicrotask(() => onNote({ text }));
          return html;
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

/** Whether HTML is nothing but plain text: browsers copy a text file in a `<pre>`. */
function isPlainText(html: string): boolean {
  if (html === "") return true;
  const [first, ...others] = parseHtml(html).querySelectorAll(":scope > :not(meta)");
  return first?.tagName === "PRE" && others.length === 0 && first.children.length === 0;
}

function describeLoss(lost: string[], leftOut: string[]): string {
  const either = new Intl.ListFormat("en", { type: "disjunction" }).format(lost);
  const all = new Intl.ListFormat("en").format(leftOut);
  const sentences = [
    lost.length > 0 ? `Stories have no ${either}: only the words were pasted.` : "",
    leftOut.length > 0 ? `Left out: ${all}.` : "",
  ];
  return sentences.filter(Boolean).join(" ");
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
