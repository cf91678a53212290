import { tidyBlocks, toMarkdown } from "#app/writing/import/blocks.ts";
import { readHtmlBlocks } from "#app/writing/import/html-blocks.ts";
import type { Losses } from "#app/writing/import/losses.ts";
import { MarkupError, parseMarkup } from "#app/writing/import/markup.ts";
import { toPictureAddress } from "./story-addresses.ts";

/** Reads pasted HTML as Markdown. Returns `null` for what no program writes. */
export function readPastedHtml(html: string): { text: string; losses: Losses } | null {
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
export function isPlainText(html: string): boolean {
  return PLAIN.test(html);
}
