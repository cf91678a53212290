import type { Element, ElementContent, Root } from "hast";
import { toString } from "hast-util-to-string";
import type { Definition, Root as MarkdownRoot } from "mdast";
import rehypeSanitize, { type Options as Schema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { EXIT, visit } from "unist-util-visit";

import { PICTURE_PATH } from "#app/http/picture-path.ts";
import { POSITION_FORM_ID } from "#app/stories/paragraph.ts";
import {
  readCjkEmphasis,
  readHtmlAsText,
  addDefinitions,
  keepDialogue,
} from "./markdown-plugins.ts";
import { showHtml } from "./html-tags.server.ts";
import {
  isTooComplex,
  MAX_PIECE_COST,
  splitMarkdown,
  type MarkdownPiece,
} from "./markdown-limits.ts";
import { createParagraphIds, hash, getStart, type Paragraph } from "./paragraph.ts";
import { beginsJoined, setDirections, type Direction } from "./text-direction.server.ts";
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

/** A part of a text that begins with a heading of level 1 or 2. */
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

/** More would only make the contents slow. */
const MAX_CHAPTERS = 500;

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

/** How much work one step does, in the unit of `MarkdownPiece`: some 100 ms. */
const STEP_COST = 100_000;

/** In UTF-16 units: how much text is counted, or HTML written, in one step. */
const STEP_LENGTH = 200_000;

/** In UTF-16 units: the length of a paragraph of text that is shown unparsed. */
const UNPARSED_LENGTH = 2000;

const toHtmlTree = unified()
  .use(showHtml)
  .use(normalizeBlocks)
  .use(remarkRehype)
  .use(rehypeSanitize, SCHEMA);

const toHtml = unified().use(rehypeStringify);

/** Does a part of the work each time `next` is called, so that the caller can do other work in between. */
type Steps<Result> = Generator<undefined, Result>;

/**
 * Renders Markdown. HTML in it is shown as text, or without its tags. Markdown that is too complex for the parser is shown
 * unrendered.
 *
 * @param direction of the element that will contain the text
 */
export function* renderInSteps(
  markdown: string,
  direction: Direction = "ltr",
): Steps<RenderedText> {
  const tree = yield* toTree(markdown);
  let words = 0;
  for (const part of divide(markdown, STEP_LENGTH)) {
    words += countWords(part);
    yield;
  }
  return { ...(yield* render(tree, direction)), words };
}

/** Counts the chapters that the reading page lists. */
export function* countChaptersInSteps(markdown: string): Steps<number> {
  return markParagraphs(yield* toTree(markdown)).chapters.length;
}

/** Returns the text without markup, with an empty line between paragraphs. */
export function* toPlainTextInSteps(markdown: string): Steps<string> {
  if (isTooComplex(markdown)) return `${markdown.trim()}\n`;
  return `${toTextBlocks(yield* toTree(markdown)).join("\n\n")}\n`;
}

/**
 * Returns the Markdown for a file: with headings of level 2 instead of 1, like the reading page, where level 1 is the story's
 * title, and with whole addresses of uploaded pictures.
 *
 * @param origin of this site
 */
export function* toFileInSteps(markdown: string, origin: string): Steps<string> {
  // The parser does not count a byte order mark.
  const pieces = splitMarkdown(markdown.replace(/^\uFEFF/, ""));
  if (!pieces) return markdown;
  let file = "";
  try {
    yield* parsePieces(pieces, [], (tree, text) => {
      const changes: { at: number; end: number; words: string }[] = [];
      visit(tree, (node) => {
        const at = node.position?.start.offset ?? 0;
        const source = text.slice(at, node.position?.end.offset);
        if (node.type === "heading" && node.depth === 1) {
          changes.push(toLevel2(source, at));
        }
        if (node.type !== "image" || !PICTURE_PATH.test(node.url)) return;
        const before = /^[^]*\]\(\s*<?(?=\/pictures\/)/.exec(source)?.[0];
        if (before === undefined) return;
        changes.push({ at: at + before.length, end: at + before.length, words: origin });
      });
      let end = 0;
      for (const change of changes.toSorted((one, other) => one.at - other.at)) {
        file += text.slice(end, change.at) + change.words;
        end = change.end;
      }
      file += text.slice(end);
    });
  } catch {
    return markdown;
  }
  return file;
}

/**
 * Returns the change that turns a heading of level 1 into one of level 2.
 *
 * @param at where it begins in the text
 */
function toLevel2(source: string, at: number) {
  const trimmed = source.trimEnd();
  let line = trimmed.length;
  // Only an underlined heading has a line break.
  if (/[\r\n]/.test(source)) while (trimmed[line - 1] === "=") line -= 1;
  const { length } = trimmed.slice(line);
  if (length === 0) return { at, end: at, words: "#" };
  return { at: at + line, end: at + line + length, words: "-".repeat(length) };
}

/** Returns the first words that are not a heading, with the id of their paragraph. */
export function findFirstWords(markdown: string): { id: string; words: string } | undefined {
  // Later paragraphs don't change the id, and need not be parsed.
  return findFirstParagraph(runStepsAtOnce(toTree(markdown.slice(0, MAX_START_LENGTH))));
}

/** Does all steps, with time for other requests in between. */
export async function runSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/** Lets other requests of this isolate run. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

export function runStepsAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
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

function* render(tree: Root, direction: Direction): Steps<Omit<RenderedText, "words">> {
  addLinkAttributes(tree);
  const { paragraphs, chapters, length } = markParagraphs(tree);
  yield;
  const blocks = tree.children.filter(isElement);
  setDirections(blocks, direction);
  const sections = toSections(blocks, length);
  const { html, ends } = yield* toHtmlWithEnds(sections);
  return { html, version: hash(html), paragraphs, chapters, ends, length };
}

/**
 * Returns the HTML, and where each paragraph ends. Finds the ends by comments that no writer can guess, because
 * attributes may contain any text, even tags.
 */
function* toHtmlWithEnds(sections: Element[]): Steps<Pick<RenderedText, "html" | "ends">> {
  const value = crypto.randomUUID();
  const ends: number[] = [];
  let html = "";
  let stepEnd = 0;
  for (const section of sections) {
    if (html.length > stepEnd) {
      yield;
      stepEnd = html.length + STEP_LENGTH;
    }
    const endTags: string[] = [];
    visit(section, "element", (node) => {
      if (!PARAGRAPHS.has(node.tagName) || !node.properties.id) return;
      node.children.push({ type: "comment", value });
      endTags.push(`</${node.tagName}>`);
    });
    const pieces = toHtml.stringify({ type: "root", children: [section] }).split(`<!--${value}-->`);
    for (const [number, piece] of pieces.entries()) {
      html += piece;
      const endTag = endTags[number];
      if (endTag !== undefined) ends.push(html.length + endTag.length);
    }
  }
  return { html, ends };
}

/** Returns the text of each block. List items keep their marks, and their other blocks are indented by as much. */
function toTextBlocks(node: Root | Element): string[] {
  const blocks: string[] = [];
  let number = node.type === "element" ? Number(node.properties.start ?? 1) : 1;
  for (const child of node.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "hr") {
      blocks.push("* * *");
    } else if (PARAGRAPHS.has(child.tagName)) {
      const text = getText(child).trim();
      if (text) blocks.push(text);
    } else if (child.tagName === "li") {
      const isNumbered = node.type === "element" && node.tagName === "ol";
      const mark = isNumbered ? `${number++}. ` : "- ";
      for (const [index, text] of toTextBlocks(child).entries()) {
        const indented = text.replaceAll("\n", `\n${" ".repeat(mark.length)}`);
        blocks.push(index === 0 ? mark + indented : " ".repeat(mark.length) + indented);
      }
    } else {
      blocks.push(...toTextBlocks(child));
    }
  }
  return blocks;
}

/** Parses Markdown. Falls back to the unparsed text, so that a story cannot break its page. */
function* toTree(markdown: string): Steps<Root> {
  const pieces = splitMarkdown(markdown);
  if (!pieces) return toUnparsedTree(markdown);
  try {
    const definitions = yield* findDefinitions(pieces);
    const children: Root["children"] = [];
    yield* parsePieces(pieces, [...definitions.keys()], (tree) => {
      tree.children.push(...findUsed(definitions, tree));
      children.push(...toHtmlTree.runSync(tree).children);
    });
    return { type: "root", children };
  } catch {
    return toUnparsedTree(markdown);
  }
}

/** Returns the definitions by their identifiers. Of several with the same identifier, the first one counts. */
function* findDefinitions(pieces: readonly MarkdownPiece[]): Steps<Map<string, Definition>> {
  const definitions = new Map<string, Definition>();
  if (!pieces.some(({ text }) => text.includes("]:"))) return definitions;
  yield* parsePieces(pieces, [], (tree) => {
    visit(tree, "definition", (node) => {
      if (!definitions.has(node.identifier)) definitions.set(node.identifier, node);
    });
  });
  return definitions;
}

/** Returns the definitions of the references in a piece. */
function findUsed(definitions: ReadonlyMap<string, Definition>, tree: MarkdownRoot): Definition[] {
  if (definitions.size === 0) return [];
  const used = new Set<Definition>();
  visit(tree, (node) => {
    if (node.type !== "linkReference" && node.type !== "imageReference") return;
    const definition = definitions.get(node.identifier);
    if (definition) used.add(definition);
  });
  return [...used];
}

/**
 * Parses pieces in steps.
 *
 * @param identifiers of the definitions in all pieces
 * @throws {RangeError} when fenced code joins too many pieces
 */
function* parsePieces(
  pieces: readonly MarkdownPiece[],
  identifiers: readonly string[],
  use: (tree: MarkdownRoot, text: string) => void,
): Steps<void> {
  const parser = unified()
    .use(remarkParse)
    .use(readHtmlAsText)
    .use(keepDialogue)
    .use(readCjkEmphasis)
    .use(addDefinitions, identifiers);
  let joined = { text: "", cost: 0, parsedCost: 0 };
  let stepCost = 0;
  for (const [index, { text, cost }] of pieces.entries()) {
    joined = { ...joined, text: joined.text + text, cost: joined.cost + cost };
    const isLast = index === pieces.length - 1;
    // Parsing after each of the pieces that code joins would take quadratic time.
    if (joined.cost < 2 * joined.parsedCost && !isLast) continue;
    if (joined.cost > MAX_PIECE_COST) throw new RangeError("The code is too long");
    stepCost += joined.cost;
    if (stepCost > STEP_COST) {
      yield;
      stepCost = joined.cost;
    }
    const tree = parser.parse(joined.text);
    joined.parsedCost = joined.cost;
    // Fenced code may continue after empty lines, in the next piece.
    if (tree.children.at(-1)?.type === "code" && !isLast) continue;
    use(tree, joined.text);
    joined = { text: "", cost: 0, parsedCost: 0 };
  }
}

/** Returns the Markdown source in a few large paragraphs, because each element takes time. */
function toUnparsedTree(markdown: string): Root {
  const children: Element[] = [];
  for (const part of divide(markdown, UNPARSED_LENGTH)) {
    // Without the empty lines around it, but with the indent of its first line.
    const value = part.trimEnd().replace(/^\s*[\r\n]/, "");
    const properties = { dataUnparsed: "" };
    if (value !== "") children.push(createElement("p", properties, [{ type: "text", value }]));
  }
  return { type: "root", children };
}

/** Divides a text after an empty line if possible, otherwise after a line or a word. */
function* divide(text: string, maxLength: number): Generator<string, void> {
  let rest = text;
  while (rest.length > maxLength) {
    const start = rest.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
    const ends = ["\n\n", "\n", " "].map((end) => start.lastIndexOf(end) + end.length);
    const end = ends.find((index) => index > maxLength / 2) ?? start.length;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  yield rest;
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

/**
 * Marks links as user-generated content for search engines, and hides the page's URL from image hosts. Of this site, only
 * uploaded pictures are shown.
 */
function addLinkAttributes(tree: Root): void {
  visit(tree, "element", ({ tagName, properties }) => {
    if (tagName === "a") properties.rel = ["nofollow", "ugc", "noopener"];
    if (tagName !== "img") return;
    const { src } = properties;
    if (typeof src === "string" && !/^https:/i.test(src) && !PICTURE_PATH.test(src)) {
      delete properties.src;
    }
    Object.assign(properties, { loading: "lazy", decoding: "async" });
    properties.referrerPolicy = "no-referrer";
    properties.alt ??= "";
  });
}

/** Returns the words of a paragraph by its number. */
export function getParagraphText({ html, ends, paragraphs }: RenderedText, number: number): string {
  const id = paragraphs[number]?.id;
  const start = html.lastIndexOf("<", html.indexOf(` id="${id}"`));
  // A ">" may be in an attribute, and only these two characters are encoded in text.
  return html
    .slice(start, ends[number])
    .replaceAll(/<(?:"[^"]*"|[^">])*>/g, "")
    .replaceAll("&#x3C;", "<")
    .replaceAll("&#x26;", "&")
    .trim();
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
    const isChapter = node.tagName === "h2" && chapters.length < MAX_CHAPTERS;
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
