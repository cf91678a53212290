import type { Element, ElementContent, Root } from "hast";
import { toString } from "hast-util-to-string";
import type { Root as MarkdownRoot } from "mdast";
import rehypeSanitize, { type Options as Schema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { EXIT, visit } from "unist-util-visit";

import { POSITION_FORM_ID } from "#app/stories/paragraph.ts";
import { keepDialogue } from "./link-definitions.ts";
import { isTooComplex } from "./markdown-limits.server.ts";
import { createParagraphIds, hash, getStart, type Paragraph } from "./paragraph.ts";
import { beginsJoined, setDirections } from "./text-direction.server.ts";
import { countWords } from "./words.ts";

/** A story's text as HTML. */
export interface RenderedText {
  /** Sanitized: contains only what `SCHEMA` allows. */
  html: string;
  /** Changes with every edit of the text. */
  version: string;
  paragraphs: Paragraph[];
  chapters: Chapter[];
  /** Where each paragraph's element ends in `html`, in UTF-16 units. */
  ends: number[];
  /** The length of all paragraphs, in UTF-16 units. */
  length: number;
  /** Counted by `countWords`, so that the editor and the lists show the same number. */
  words: number;
}

/** A part of a text that begins with a heading of level 2. */
export interface Chapter {
  /** The id of the heading. */
  id: string;
  title: string;
  /** The number of the heading among the paragraphs, counted from 0. */
  number: number;
}

/** In UTF-16 units. Sections have this share of the text's length, within limits, or end at the next heading. */
const SECTION_LENGTH = { min: 400, max: 4000, share: 1 / 6 };

/** In UTF-16 units. `findFirstWords` parses only this much of a text. A quote is far shorter. */
const MAX_START_LENGTH = 20_000;

const HEADINGS = new Set(["h2", "h3", "h4", "h5", "h6"]);
const PARAGRAPHS = new Set(["p", "pre", ...HEADINGS]);

/** The allowed elements and attributes. Writers cannot set styles, classes, ids or event handlers. */
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
  .use(keepDialogue)
  .use(normalizeBlocks)
  // By default this drops HTML in the Markdown.
  .use(remarkRehype)
  .use(rehypeSanitize, SCHEMA);

const toHtml = unified().use(rehypeStringify);

/** Renders Markdown, and drops any HTML in it. Markdown that is too complex for the parser is shown unrendered. */
export function renderMarkdown(markdown: string): RenderedText {
  return { ...convertMarkdown(render, markdown), words: countWords(markdown) };
}

/** Returns the text without markup, with an empty line between paragraphs. */
export function toPlainText(markdown: string): string {
  return convertMarkdown(writePlainText, markdown);
}

/** Returns the first words that are not a heading, with the id of their paragraph. */
export function findFirstWords(markdown: string): { id: string; words: string } | undefined {
  // Later paragraphs don't change the id, and need not be parsed.
  return convertMarkdown(findFirstParagraph, markdown.slice(0, MAX_START_LENGTH));
}

function findFirstParagraph(tree: Root): { id: string; words: string } | undefined {
  markParagraphs(tree);
  let first: { id: string; words: string } | undefined;
  visit(tree, "element", (node) => {
    const { id } = node.properties;
    if (node.tagName !== "p" || typeof id !== "string") return true;
    first = { id, words: toString(node).trim() };
    return EXIT;
  });
  return first;
}

function render(tree: Root): Omit<RenderedText, "words"> {
  addLinkAttributes(tree);
  const { paragraphs, chapters, length } = markParagraphs(tree);
  const blocks = tree.children.filter(isElement);
  setDirections(blocks);
  tree.children = toSections(blocks, length);
  const { html, ends } = toHtmlWithEnds(tree);
  return { html, version: hash(html), paragraphs, chapters, ends, length };
}

/**
 * Returns the HTML, and where each paragraph ends. Finds the ends by comments that no writer can guess, because
 * attributes may contain any text, even tags.
 */
function toHtmlWithEnds(tree: Root): Pick<RenderedText, "html" | "ends"> {
  const value = crypto.randomUUID();
  visit(tree, "element", (node, index, parent) => {
    if (!PARAGRAPHS.has(node.tagName) || !node.properties.id || index === undefined) return;
    parent?.children.splice(index + 1, 0, { type: "comment", value });
  });
  const pieces = toHtml.stringify(tree).split(`<!--${value}-->`);
  let end = 0;
  const ends = pieces.slice(0, -1).map((piece) => (end += piece.length));
  return { html: pieces.join(""), ends };
}

function writePlainText(tree: Root): string {
  const blocks: string[] = [];
  visit(tree, "element", (node, _index, parent) => {
    if (node.tagName === "hr") blocks.push("* * *");
    if (!PARAGRAPHS.has(node.tagName)) return;
    const isFirstOfItem = parent?.type === "element" && parent.tagName === "li";
    const text = getText(node).trim();
    if (text) blocks.push(isFirstOfItem ? `- ${text}` : text);
  });
  return `${blocks.join("\n\n")}\n`;
}

/** Falls back to the unparsed Markdown, so that a story cannot break its page. */
function convertMarkdown<Result>(convert: (tree: Root) => Result, markdown: string): Result {
  if (isTooComplex(markdown)) return convert(toUnparsedTree(markdown));
  try {
    return convert(toHtmlTree.runSync(toHtmlTree.parse(markdown)));
  } catch {
    return convert(toUnparsedTree(markdown));
  }
}

/** Returns the Markdown source as paragraphs. */
function toUnparsedTree(markdown: string): Root {
  const paragraphs = markdown.split(/(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))+/);
  const children = paragraphs.map((value) => createElement("p", {}, [{ type: "text", value }]));
  return { type: "root", children };
}

/** Reserves h1 for the page's title, and adds paragraphs to list items, because reading positions refer to them. */
function normalizeBlocks() {
  return (tree: MarkdownRoot) => {
    visit(tree, (node) => {
      if (node.type === "heading" && node.depth === 1) node.depth = 2;
      if (node.type === "list" || node.type === "listItem") node.spread = true;
    });
  };
}

/** Marks links as user-generated content for search engines, and hides the page's URL from image hosts. */
function addLinkAttributes(tree: Root): void {
  visit(tree, "element", ({ tagName, properties }) => {
    if (tagName === "a") properties.rel = ["nofollow", "ugc", "noopener"];
    if (tagName !== "img") return;
    Object.assign(properties, { loading: "lazy", decoding: "async" });
    properties.referrerPolicy = "no-referrer";
    properties.alt ??= "";
  });
}

function markParagraphs(tree: Root): Pick<RenderedText, "paragraphs" | "chapters" | "length"> {
  const paragraphs: Paragraph[] = [];
  const chapters: Chapter[] = [];
  const nextId = createParagraphIds();
  let length = 0;
  visit(tree, "element", (node) => {
    if (!PARAGRAPHS.has(node.tagName)) return;
    const text = toString(node);
    if (text.trim() === "") return;
    const id = nextId(text);
    node.properties.id = id;
    const isChapter = node.tagName === "h2";
    if (isChapter) chapters.push({ id, title: text.trim(), number: paragraphs.length });
    paragraphs.push({ id, start: getStart(text), before: length, length: text.length });
    length += text.length;
  });
  return { paragraphs, chapters, length };
}

/** Groups blocks into sections. Each ends with a button that saves the reading position without scripts. */
function toSections(blocks: Element[], length: number): Element[] {
  const { min, max, share } = SECTION_LENGTH;
  const limit = Math.min(max, Math.max(min, length * share));
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
  return sections.map((section) =>
    createElement("section", hasJoinedStart(section) ? { dataJoined: "" } : {}, [
      ...section,
      ...createSaveButton(section),
    ]),
  );
}

/** Whether the paragraph that could have a drop cap must not have one. */
function hasJoinedStart(section: Element[]): boolean {
  const first = section.find(({ tagName }) => !HEADINGS.has(tagName));
  return first?.tagName === "p" && beginsJoined(toString(first));
}

function createSaveButton(section: Element[]): Element[] {
  let lastParagraph = "";
  for (const block of section) {
    visit(block, "element", ({ properties }) => {
      if (typeof properties.id === "string") lastParagraph = properties.id;
    });
  }
  if (lastParagraph === "") return [];
  const properties = {
    type: "submit",
    form: POSITION_FORM_ID,
    name: "paragraph",
    value: lastParagraph,
  };
  const words = { type: "text", value: "Save my reading position here" } as const;
  return [createElement("noscript", {}, [createElement("button", properties, [words])])];
}

/** Returns the text with line breaks and the alternative text of images. */
function getText(node: ElementContent): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "";
  if (node.tagName === "img") return String(node.properties.alt ?? "");
  return node.children.map(getText).join("");
}

function createElement(
  tagName: string,
  properties: Element["properties"],
  children: ElementContent[],
): Element {
  return { type: "element", tagName, properties, children };
}

function isElement(node: { type: string }): node is Element {
  return node.type === "element";
}
