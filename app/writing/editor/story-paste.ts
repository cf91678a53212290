import { parserCtx } from "@milkdown/kit/core";
import { closeHistory, undo } from "@milkdown/kit/prose/history";
import { Fragment, Slice, type Mark, type Node } from "@milkdown/kit/prose/model";
import { Plugin } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { $prose } from "@milkdown/kit/utils";

import { tidyBlocks, toMarkdown } from "#app/writing/import/blocks.ts";
import { readHtmlBlocks } from "#app/writing/import/html-blocks.ts";
import { describeLosses, type Losses } from "#app/writing/import/losses.ts";
import { MarkupError, parseMarkup } from "#app/writing/import/markup.ts";
import { isMarkdown, proseToMarkdown } from "#app/writing/plain-prose.ts";
import { toLinkAddress, toPictureAddress } from "./story-addresses.ts";

/** What the user should know about the text that they have just pasted. */
export interface PasteNote {
  text: string;
  /** Reads plain text the other way. */
  alternative?: { label: string; choose: () => void };
}

/** What the editor itself writes on the clipboard has this attribute, and keeps its spaces. Any page can write it too. */
const FROM_EDITOR = /\sdata-pm-slice=/;

const NO_WORDS = "We can read no words in that. Paste it as plain text.";

/**
 * Pastes plain text as prose or, if it looks like it, as Markdown, and HTML as it is imported from a file. Calls `onNote`
 * after a paste that lost a format or can be read in two ways, and with `null` at the next change.
 */
export function createStoryPaste(onNote: (note: PasteNote | null) => void) {
  return $prose((ctx) => {
    const parse = (text: string) => cleanContent(ctx.get(parserCtx)(text).content);

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
          if (FROM_EDITOR.test(pasted)) return pasted;
          const read = readPastedHtml(pasted);
          const isEmpty = read?.text === "" && !isPlainText(pasted);
          const text = read
            ? describeLosses(read.losses, "pasted").join(" ") || (isEmpty ? NO_WORDS : "")
            : "That has more in it than we can read. Paste it as plain text.";
          // The text is pasted after this, which ends earlier notes.
          if (text) queueMicrotask(() => onNote({ text }));
          const slice = Slice.maxOpen(parse(read?.text ?? ""));
          return view.serializeForClipboard(slice).dom.innerHTML;
        },
        transformPasted: ({ content, openStart, openEnd }) =>
          new Slice(cleanContent(content), openStart, openEnd),
        handlePaste(view, { clipboardData }, slice) {
          if (view.state.selection.$from.parent.type.spec.code) return false;
          const text = (clipboardData?.getData("text/plain") ?? "").replaceAll(/\r\n?/g, "\n");
          const html = clipboardData?.getData("text/html") ?? "";
          const isPlain = text !== "" && isPlainText(html);
          if (isPlain) paste(view, text, isMarkdown(text));
          else if (slice.size > 0) {
            view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView());
          }
          // Milkdown would replace the selected words with HTML that reads as nothing.
          return isPlain || slice.size > 0 || html !== "";
        },
      },
    });
  });
}

/** Turns HTML inside pasted text into plain text, and removes links and pictures that a story can't have. */
function cleanContent(content: Fragment): Fragment {
  const nodes: Node[] = [];
  content.forEach((node) => {
    const { schema } = node.type;
    if (node.type.name === "image" && toPictureAddress(String(node.attrs.src)) === null) return;
    const isHtml = node.type.name === "html";
    const clean = isHtml
      ? schema.text(String(node.attrs.value))
      : node.isText
        ? node
        : node.copy(cleanContent(node.content));
    const isKept = ({ type, attrs }: Mark) =>
      type.name !== "link" || toLinkAddress(String(attrs.href)) !== null;
    nodes.push(clean.mark(clean.marks.filter(isKept)));
  });
  return Fragment.fromArray(nodes);
}

/** Reads pasted HTML as Markdown. Returns `null` for what no program writes. */
function readPastedHtml(html: string): { text: string; losses: Losses } | null {
  const losses: Losses = new Map();
  try {
    const blocks = readHtmlBlocks(parseMarkup(html, "html").children, losses, toPicture);
    return { text: toMarkdown(tidyBlocks(blocks)), losses };
  } catch (error) {
    if (error instanceof MarkupError) return null;
    throw error;
  }
}

/** Programs name their own files: `image001.png`. */
function toPicture(src: string): string | null {
  return /^(?:https?:|\/pictures\/)/i.test(src) ? toPictureAddress(src) : null;
}

const PLAIN =
  /^(?:\s|<\/?(?:meta|html|head|body)\b[^>]*>|<!--\w+-->)*(?:<pre\b[^>]*>[^<]*<\/pre>)?(?:\s|<\/(?:body|html)>|<!--\w+-->)*$/i;

/** Whether HTML is nothing but plain text: browsers copy a text file in a `<pre>`. */
function isPlainText(html: string): boolean {
  return PLAIN.test(html);
}
