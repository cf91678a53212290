import { tidyBlocks, toMarkdown } from "./blocks.ts";
import { readHtmlBlocks } from "./html-blocks.ts";
import type { Losses } from "./losses.ts";
import { MarkupError, parseMarkup } from "./markup.ts";

/**
 * Reads a part of a page, such as pasted HTML, as Markdown. Returns `null` for what no program writes.
 */
export function importHtml(html: string): { text: string; losses: Losses } | null {
  const losses: Losses = new Map();
  try {
    const blocks = readHtmlBlocks(parseMarkup(html, "html").children, losses);
    return { text: toMarkdown(tidyBlocks(blocks)), losses };
  } catch (error) {
    if (error instanceof MarkupError) return null;
    throw error;
  }
}

const PLAIN =
  /^(?:\s|<\/?(?:meta|html|head|body)\b[^>]*>|<!--\w+-->)*(?:<pre\b[^>]*>[^<]*<\/pre>)?(?:\s|<\/(?:body|html)>|<!--\w+-->)*$/i;

/** Whether HTML is nothing but plain text: browsers copy a text file in a `<pre>`. */
export function isPlainText(html: string): boolean {
  return PLAIN.test(html);
}
