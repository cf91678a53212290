import {
  parserCtx,
  remarkCtx,
  remarkStringifyOptionsCtx,
  schemaCtx,
  serializerCtx,
} from "@milkdown/kit/core";
import type { Ctx, MilkdownPlugin } from "@milkdown/kit/ctx";
import {
  codeBlockSchema,
  commonmark,
  headingSchema,
  imageSchema,
  insertHrInputRule,
  linkSchema,
  listItemSchema,
  remarkMarker,
  remarkPreserveEmptyLinePlugin,
  syncHeadingIdPlugin,
} from "@milkdown/kit/preset/commonmark";
import type { Node } from "@milkdown/kit/prose/model";
import { $remark } from "@milkdown/kit/utils";
import type { Emphasis, Root, Strong } from "mdast";
import type { Processor, Transformer } from "unified";
import { visit, SKIP } from "unist-util-visit";

import { readCjkEmphasis, readHtmlAsText, keepDialogue } from "#app/stories/markdown-plugins.ts";

/** Headings without an id, which could clash with the page's own ids. */
const plainHeading = headingSchema.extendSchema((create) => (ctx) => ({
  ...create(ctx),
  parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
  toDOM: (node) => [`h${String(node.attrs.level)}`, 0],
}));

/** Images that may have no title. Milkdown would repeat the description as the title. */
const plainImage = imageSchema.extendSchema((create) => (ctx) => ({
  ...create(ctx),
  parseDOM: [
    {
      tag: "img[src]",
      getAttrs: (image) => ({
        src: image.getAttribute("src") ?? "",
        alt: image.getAttribute("alt") ?? "",
        title: image.getAttribute("title") ?? "",
      }),
    },
  ],
  parseMarkdown: {
    match: ({ type }) => type === "image",
    runner: (state, { url, alt, title }, type) => {
      state.addNode(type, { src: url ?? "", alt: alt ?? "", title: title ?? "" });
    },
  },
}));

/** Links that end where they end: what is typed after one is not part of it. */
const plainLink = linkSchema.extendSchema((create) => (ctx) => ({
  ...create(ctx),
  inclusive: false,
}));

/** List items that may begin with any block. Milkdown would put an empty paragraph before code, a rule or a list. */
const plainListItem = listItemSchema.extendSchema((create) => (ctx) => ({
  ...create(ctx),
  content: "block+",
}));

/** Code blocks with the whole info string, not only the language. */
const plainCode = codeBlockSchema.extendSchema((create) => (ctx) => ({
  ...create(ctx),
  parseMarkdown: {
    match: ({ type }) => type === "code",
    runner: (state, { lang, meta, value }, type) => {
      const language = [lang, meta].filter(Boolean).join(" ");
      state.openNode(type, { language });
      if (typeof value === "string" && value !== "") state.addText(value);
      state.closeNode();
    },
  },
  toMarkdown: {
    match: ({ type }) => type.name === "code_block",
    runner: (state, { attrs, textContent }) => {
      const [lang = "", ...meta] = String(attrs.language).split(" ");
      state.addNode("code", undefined, textContent, { lang, meta: meta.join(" ") });
    },
  },
}));

/**
 * Shows link definitions like HTML: as they were written. Milkdown's own plugin then writes the links into the text, and
 * would leave nothing of the definitions.
 */
const storyDefinitions = $remark("storyDefinitions", () => showDefinitions);

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

const REPLACED: MilkdownPlugin[] = [
  ...codeBlockSchema,
  ...headingSchema,
  ...imageSchema,
  ...linkSchema,
  ...listItemSchema,
  syncHeadingIdPlugin,
  // `sceneBreaks` reads them.
  insertHrInputRule,
  // These plugins write an empty paragraph as an HTML tag, and store which character marks emphasis.
  ...remarkPreserveEmptyLinePlugin,
  ...remarkMarker,
];

/** The formats of a story: CommonMark. */
export const storySchema: MilkdownPlugin[] = [
  // Before the plugin that removes definitions.
  ...storyDefinitions,
  ...$remark("cjkEmphasis", () => readCjkEmphasis),
  ...$remark("htmlAsText", () => readHtmlAsText),
  ...$remark("flatEmphasis", () => () => flattenEmphasis),
  ...commonmark.filter((plugin) => !REPLACED.includes(plugin)),
  ...plainCode,
  ...plainHeading,
  ...plainImage,
  ...plainLink,
  ...plainListItem,
];

/** Removes emphasis in emphasis, where the editor would read the end of the inner one as the end of both. */
function flattenEmphasis(tree: Root): void {
  visit(tree, (outer) => {
    if (outer.type !== "emphasis" && outer.type !== "strong") return;
    visit(outer, outer.type, (inner: Emphasis | Strong, index, parent) => {
      if (!parent || index === undefined) return undefined;
      parent.children.splice(index, 1, ...inner.children);
      return index;
    });
  });
}

/** Configures how Markdown is written. */
export function configureMarkdown(ctx: Ctx): void {
  ctx.set(remarkStringifyOptionsCtx, {
    bullet: "-",
    bulletOther: "*",
    emphasis: "*",
    fences: true,
    listItemIndent: "one",
    rule: "-",
    strong: "*",
    handlers: {
      // Removes spaces at both ends of a line, which mean nothing in Markdown and would become character references. Does
      // not remove the ideographic spaces of a Chinese or Japanese indent.
      text: (node: { value: string }, _parent, state, info) => {
        const isFirst = info.before.endsWith("\n") || info.before === "# ";
        const value = isFirst ? node.value.replace(/^[ \t\r\n]+/, "") : node.value;
        const isLast = info.after === "\n";
        return state.safe(isLast ? value.slice(0, findTrailingSpaces(value)) : value, info);
      },
    },
  });
}

/** Returns the index where trailing spaces begin. A regular expression would backtrack at each space in the middle. */
function findTrailingSpaces(text: string): number {
  let end = text.length;
  while (end > 0 && " \t\r\n".includes(text.charAt(end - 1))) end -= 1;
  return end;
}

/** The Markdown that a block was read from, and its position in the text. */
interface BlockSource {
  text: string;
  index: number;
  /** The text around the blocks: before the first, between them, and after the last. */
  gaps: string[];
  /** The blocks with the definitions of its references. */
  definitions: Node[];
}

/**
 * Reads Markdown into the editor and writes it, block by block. A block that was not edited is written byte for byte as it
 * was read. A block that has not changed since the last write is not serialized again, which is fast for long stories.
 */
export class StoryMarkdown {
  readonly #ctx: Ctx;
  readonly #origins = new WeakMap<Node, BlockSource>();
  readonly #written = new WeakMap<Node, string>();

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
  }

  /** Returns the document. Call `setSource` with it to write its blocks as they were read. */
  read(markdown: string): Node {
    return this.#ctx.get(parserCtx)(markdown);
  }

  /** Stores the Markdown that a document was read from. */
  setSource(doc: Node, markdown: string): void {
    const remark = this.#ctx.get(remarkCtx);
    const tree = remark.parse(markdown);
    // The plugins replace references by links.
    const isReferring = tree.children.map((child) => hasType(child, /Reference$/));
    const isDefining = tree.children.map((child) => hasType(child, /^definition$/));
    const root: MarkdownNode = remark.runSync(tree, markdown);
    const ranges = (root.children ?? []).map(findRange);
    if (ranges.length !== doc.childCount) return;
    const gaps: string[] = [];
    let end = 0;
    for (const range of ranges) {
      if (!range) return;
      gaps.push(markdown.slice(end, range.start));
      end = range.end;
    }
    gaps.push(markdown.slice(end));
    const defining = doc.children.filter((_, index) => isDefining[index]);
    ranges.forEach((range, index) => {
      const text = markdown.slice(range?.start, range?.end);
      const definitions = isReferring[index] ? defining : [];
      this.#origins.set(doc.child(index), { text, index, gaps, definitions });
    });
  }

  write(doc: Node): string {
    const blocks = new Set(doc.children);
    let text = "";
    let lastSource: BlockSource | undefined;
    let ending = "";
    for (let index = 0; index < doc.childCount;) {
      const run = this.#findAdjacentLists(doc, index, blocks);
      const [block] = run;
      const origin = run.length === 1 && block ? this.#findOrigin(block, blocks) : undefined;
      const follows = origin !== undefined && isNext(origin, lastSource, text === "");
      // The meaning of an indented block depends on the block before it.
      const isKept = origin !== undefined && (follows || /^\S/.test(origin.text));
      const written = isKept ? origin.text : this.#writeAdjacentLists(run);
      index += run.length;
      if (written === "") continue;
      text += follows ? (origin.gaps[origin.index] ?? "") : text && `${ending}\n\n`;
      text += written;
      lastSource = isKept ? origin : undefined;
      ending = isKept && block ? getEnding(block, written) : "";
    }
    const isWhole = lastSource !== undefined && lastSource.index === lastSource.gaps.length - 2;
    return text + (isWhole ? (lastSource?.gaps.at(-1) ?? "") : "");
  }

  /** Returns the source of a block, unless it refers to a definition that was edited or deleted. */
  #findOrigin(block: Node, blocks: Set<Node>): BlockSource | undefined {
    const origin = this.#origins.get(block);
    return origin?.definitions.every((other) => blocks.has(other)) ? origin : undefined;
  }

  /** Returns adjacent lists of the same type together. Serialized one by one, they would become one list. */
  #findAdjacentLists(doc: Node, index: number, blocks: Set<Node>): Node[] {
    const run = [doc.child(index)];
    const [first] = run;
    if (!first?.type.name.endsWith("_list")) return run;
    let isAsRead = true;
    for (let next = index + 1; next < doc.childCount; next += 1) {
      const block = doc.child(next);
      if (block.type !== first.type) break;
      const origin = this.#findOrigin(block, blocks);
      const before = this.#findOrigin(doc.child(next - 1), blocks);
      isAsRead &&= origin !== undefined && before !== undefined && isNext(origin, before, false);
      run.push(block);
    }
    return isAsRead ? [first] : run;
  }

  #writeAdjacentLists(run: Node[]): string {
    const [block] = run;
    const cached = run.length === 1 && block ? this.#written.get(block) : undefined;
    if (cached !== undefined) return cached;
    const doc = this.#ctx.get(schemaCtx).topNodeType.create(null, run);
    const text = this.#decodeCjk(this.#ctx.get(serializerCtx)(doc).replace(/\n+$/, ""));
    if (run.length === 1 && block) this.#written.set(block, text);
    return text;
  }

  /**
   * Returns the Markdown with letters instead of the references that the serializer writes beside emphasis, if it is read
   * the same: `readCjkEmphasis` needs none of them, but the serializer cannot know this.
   */
  #decodeCjk(written: string): string {
    const decoded = written.replaceAll(
      /&#x([\dA-F]{4,5});(?=\*)|(?<=\*)&#x([\dA-F]{4,5});/g,
      (_, before, after) => String.fromCodePoint(Number.parseInt(before ?? after, 16)),
    );
    return decoded !== written && this.read(decoded).eq(this.read(written)) ? decoded : written;
  }
}

const CLOSED_FENCE = /^(([`~])\2{2,})(?!\2)[^]*\n {0,3}\1\2*[ \t]*$/;

/** Returns the end of code that lacks it, as the last block of a text may: the next would be a part of it. */
function getEnding(block: Node, source: string): string {
  const fence = block.type.name === "code_block" ? /^(?:`{3,}|~{3,})/.exec(source)?.[0] : undefined;
  if (fence === undefined || CLOSED_FENCE.test(source)) return "";
  return source.endsWith("\n") ? fence : `\n${fence}`;
}

function isNext(origin: BlockSource, last: BlockSource | undefined, isFirst: boolean): boolean {
  if (!last) return isFirst && origin.index === 0;
  return origin.gaps === last.gaps && origin.index === last.index + 1;
}

interface MarkdownNode {
  type: string;
  position?: { start: { offset?: number }; end: { offset?: number } };
  children?: MarkdownNode[];
}

function hasType(node: MarkdownNode, type: RegExp): boolean {
  return type.test(node.type) || (node.children?.some((child) => hasType(child, type)) ?? false);
}

function findRange(node: MarkdownNode): { start: number; end: number } | null {
  // A paragraph that Milkdown adds around HTML has no position.
  const first = node.position ?? node.children?.at(0)?.position;
  const last = node.position ?? node.children?.at(-1)?.position;
  const start = first?.start.offset;
  const end = last?.end.offset;
  return start === undefined || end === undefined ? null : { start, end };
}
