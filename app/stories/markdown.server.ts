import type { Element, ElementContent, Root } from "hast";
import { toString } from "hast-util-to-string";
import type { Root as MarkdownRoot } from "mdast";
import rehypeSanitize, { type Options as Schema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";

import { POSITION_FORM_ID } from "#app/stories/paragraph.ts";
import { isTooIntricate } from "./markdown-limits.server.ts";
import { createParagraphIds, hash, startOf, type Paragraph } from "./paragraph.ts";
import { countWords } from "./words.ts";

/** A story's text, ready to be shown. */
export interface RenderedText {
  /** Safe: what is not on the list below is not in it. */
  html: string;
  /** Another one after every change of the text. */
  version: string;
  paragraphs: Paragraph[];
  /** In UTF-16 units, over all paragraphs. */
  length: number;
  /** By the one counter, over the Markdown: the editor and the lists come to the same. */
  words: number;
}

/** A section ends here, or at the next heading; short texts have shorter ones. In UTF-16 units. */
const SECTION_LENGTH = { least: 400, most: 4000, share: 1 / 6 };

const HEADINGS = new Set(["h2", "h3", "h4", "h5", "h6"]);
const PARAGRAPHS = new Set(["p", "pre", ...HEADINGS]);

/** All that a story may consist of. No element has a style, a class, an id or a handler of its own. */
const SCHEMA: Schema = {
  tagNames: [
    ...["p", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "li", "hr"],
    ...["a", "br", "code", "em", "img", "strong"],
  ],
  attributes: { a: ["href", "title"], img: ["src", "alt", "title"], ol: ["start"] },
  protocols: { href: ["http", "https", "mailto"], src: ["https"] },
  strip: ["script", "style"],
};

const toHtmlTree = unified()
  .use(remarkParse)
  .use(simplify)
  // HTML inside the Markdown is left out, as is the default here.
  .use(remarkRehype)
  .use(rehypeSanitize, SCHEMA);

const toHtml = unified().use(rehypeStringify);

/**
 * Makes HTML of Markdown. Markup in it that is not Markdown's own is left out. A text that the parser cannot take is
 * shown as it was typed.
 */
export function renderMarkdown(markdown: string): RenderedText {
  return { ...parseAnd(render, markdown), words: countWords(markdown) };
}

/** Returns the words of Markdown alone, an empty line between paragraphs. */
export function toPlainText(markdown: string): string {
  return parseAnd(listWords, markdown);
}

function render(tree: Root): Omit<RenderedText, "words"> {
  guardLinks(tree);
  const { paragraphs, length } = markParagraphs(tree);
  tree.children = divide(tree.children.filter(isElement), length);
  const html = toHtml.stringify(tree);
  return { html, version: hash(html), paragraphs, length };
}

function listWords(tree: Root): string {
  const blocks: string[] = [];
  visit(tree, "element", (node, _index, parent) => {
    if (node.tagName === "hr") blocks.push("* * *");
    if (!PARAGRAPHS.has(node.tagName)) return;
    const isFirstOfItem = parent?.type === "element" && parent.tagName === "li";
    const text = textOf(node).trim();
    if (text) blocks.push(isFirstOfItem ? `- ${text}` : text);
  });
  return `${blocks.join("\n\n")}\n`;
}

/** What is made of a text never depends on what its writer had in mind: whatever fails, there is a page. */
function parseAnd<Made>(make: (tree: Root) => Made, markdown: string): Made {
  if (isTooIntricate(markdown)) return make(toTypedTree(markdown));
  try {
    return make(toHtmlTree.runSync(toHtmlTree.parse(markdown)));
  } catch {
    return make(toTypedTree(markdown));
  }
}

/** Returns the signs as they were typed, in paragraphs. */
function toTypedTree(markdown: string): Root {
  const paragraphs = markdown.split(/(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))+/);
  const children = paragraphs.map((value) => element("p", {}, [{ type: "text", value }]));
  return { type: "root", children };
}

/** One level of heading is the page's own title, and all lists have paragraphs, which can be found again. */
function simplify() {
  return (tree: MarkdownRoot) => {
    visit(tree, (node) => {
      if (node.type === "heading" && node.depth === 1) node.depth = 2;
      if (node.type === "list" || node.type === "listItem") node.spread = true;
    });
  };
}

/** What others wrote is not recommended by us, and a picture of theirs does not learn who reads it. */
function guardLinks(tree: Root): void {
  visit(tree, "element", ({ tagName, properties }) => {
    if (tagName === "a") properties.rel = ["nofollow", "ugc", "noopener"];
    if (tagName !== "img") return;
    Object.assign(properties, { loading: "lazy", decoding: "async" });
    properties.referrerPolicy = "no-referrer";
    properties.alt ??= "";
  });
}

function markParagraphs(tree: Root): Pick<RenderedText, "paragraphs" | "length"> {
  const paragraphs: Paragraph[] = [];
  const nextId = createParagraphIds();
  let length = 0;
  visit(tree, "element", (node) => {
    if (!PARAGRAPHS.has(node.tagName)) return;
    const text = toString(node);
    if (text.trim() === "") return;
    const id = nextId(text);
    node.properties.id = id;
    paragraphs.push({ id, start: startOf(text), before: length, length: text.length });
    length += text.length;
  });
  return { paragraphs, length };
}

/** Groups the text into sections. Each ends with a button for readers whose browser runs no scripts. */
function divide(blocks: Element[], length: number): Element[] {
  const { least, most, share } = SECTION_LENGTH;
  const limit = Math.min(most, Math.max(least, length * share));
  const sections: Element[][] = [];
  let size = Infinity;
  for (const block of blocks) {
    if (size >= limit || HEADINGS.has(block.tagName)) {
      sections.push([]);
      size = 0;
    }
    sections.at(-1)?.push(block);
    size += toString(block).length;
  }
  return sections.map((section) => element("section", {}, [...section, ...toKeepButton(section)]));
}

function toKeepButton(section: Element[]): Element[] {
  let last = "";
  for (const block of section) {
    visit(block, "element", ({ properties }) => {
      if (typeof properties.id === "string") last = properties.id;
    });
  }
  if (last === "") return [];
  const properties = { type: "submit", form: POSITION_FORM_ID, name: "paragraph", value: last };
  const words = { type: "text", value: "Save my reading position here" } as const;
  return [element("noscript", {}, [element("button", properties, [words])])];
}

/** Returns the words, with the breaks between lines and what pictures show. */
function textOf(node: ElementContent): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "";
  if (node.tagName === "img") return String(node.properties.alt ?? "");
  return node.children.map(textOf).join("");
}

function element(
  tagName: string,
  properties: Element["properties"],
  children: ElementContent[],
): Element {
  return { type: "element", tagName, properties, children };
}

function isElement(node: { type: string }): node is Element {
  return node.type === "element";
}
