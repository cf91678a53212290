import { isSceneBreak } from "#app/writing/plain-prose.ts";
import {
  addItem,
  getLastItem,
  hasContent,
  type Block,
  type Format,
  type Inline,
} from "./blocks.ts";
import { addLoss, type Losses, type LossName } from "./losses.ts";
import {
  findElement,
  getMarkupText,
  isElement,
  listElements,
  MarkupError,
  type MarkupElement,
  type MarkupNode,
} from "./markup.ts";

/** What is never a part of the text. */
const UNWANTED = new Set(
  "script style meta link title template head xml noscript button input select textarea datalist dialog map rp".split(
    " ",
  ),
);

const OBJECTS = new Set("iframe object embed svg video audio canvas math".split(" "));

const CONTAINERS = new Set(
  "p div section article main header footer nav aside address center figure figcaption details summary fieldset form body html dl dt dd caption legend hgroup".split(
    " ",
  ),
);

/** The signs that browsers show around an element, or that tell a reading from the word that it is above. */
const SIGNS = new Map([
  ["q", ["“", "”"]],
  ["rt", ["(", ")"]],
]);

/** Text that its writer deleted, hid, or wrote beside the text: in HTML, in Word and in exports of Google Docs. */
const PRIVATE_CLASS =
  /(?:^|\s)(?:msoDel|msocomtxt|MsoCommentText|MsoCommentReference|msocomanchor|comment-marker|num-comments?)(?:\s|$)/;
const PRIVATE_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|mso-element\s*:\s*comment-list|mso-special-character\s*:\s*comment)/i;

/** What a style can say that stories know, or that has to be named. */
const WEIGHT = getLast("font-weight");
const SLANT = getLast("font-style");
const LINES = getLast("text-decoration(?:-line)?");
const ALIGNMENT = getLast("text-align");
const SPACING = getLast("white-space(?:-collapse)?");

const HEADING = /^h([1-6])$/;
const WORD_ITEM = /mso-list\s*:\s*(l\d+)\s+level(\d+)/;
const DOCS_LIST = /(?:^|\s)lst-kix_([\w-]+)-(\d)(?:\s|$)/;

type ToPicture = (src: string) => string | null;

interface Context extends Format {
  isInHeading?: boolean;
  /** Whether line ends in the text are line breaks. */
  hasLines?: boolean;
  /** Whether rules separate notes from the text. */
  isInNotes?: boolean;
}

/**
 * Reads the blocks of HTML, and counts what they cannot be.
 *
 * @param toPicture returns the address that a story can have of a picture, or `null`
 */
export function readHtmlBlocks(
  nodes: readonly MarkupNode[],
  losses: Losses,
  toPicture: ToPicture = (src) => (/^https:\/\//i.test(src) ? src : null),
): Block[] {
  const sheet = new Map<string, string>();
  for (const node of nodes) {
    for (const element of isElement(node) ? [node, ...listElements(node)] : []) {
      if (element.name === "style") readStyleSheet(getMarkupText(element), sheet);
    }
  }
  return new HtmlReader(sheet, losses, toPicture).read(nodes, {});
}

/** Far more than any program writes. Each element's style is searched several times. */
const MAX_STYLE_LENGTH = 2000;
const MAX_CLASSES = 20;

/** As many as there can be elements. */
const MAX_LINES = 300_000;

class HtmlReader {
  readonly #sheet: ReadonlyMap<string, string>;
  readonly #losses: Losses;
  readonly #toPicture: ToPicture;
  #lines = 0;

  constructor(sheet: ReadonlyMap<string, string>, losses: Losses, toPicture: ToPicture) {
    this.#sheet = sheet;
    this.#losses = losses;
    this.#toPicture = toPicture;
  }

  read(nodes: readonly MarkupNode[], context: Context): Block[] {
    const target = new BlockTarget();
    for (const node of nodes) this.#visit(node, context, target);
    target.endParagraph();
    return target.blocks;
  }

  #visit(node: MarkupNode, context: Context, target: BlockTarget): void {
    if (typeof node === "string") {
      const { isBold, isItalic, href, hasLines } = context;
      const format = { ...(isBold && { isBold }), ...(isItalic && { isItalic }), href };
      const lines = hasLines ? node.split(/\r\n?|\n/) : [node];
      this.#lines += lines.length - 1;
      if (this.#lines > MAX_LINES) throw new MarkupError("Too many lines");
      for (const [index, text] of lines.entries()) {
        if (index > 0) target.add({ type: "line" });
        target.add({ type: "text", text, ...format });
      }
      return;
    }
    const { name } = node;
    if (UNWANTED.has(name)) return;
    const css = this.#getCss(node);
    if (isPrivate(node, css)) {
      if (getMarkupText(node).trim() !== "") addLoss(this.#losses, "private");
      return;
    }
    if (OBJECTS.has(name)) {
      addLoss(this.#losses, "objects");
      return;
    }
    if (isNoteNumber(node)) {
      target.add({ type: "text", text: `[${getMarkupText(node).trim()}]` });
      return;
    }
    this.#countLosses(node, css, context);
    const inner = this.#getContext(node, css, context);
    switch (name) {
      case "br":
        return target.add({ type: "line" });
      case "hr":
        if (!context.isInNotes && !hasClass(node, "msocomoff")) target.addBlock({ type: "break" });
        return;
      case "img":
        return this.#addPicture(node, target);
      case "ul":
      case "ol":
        return this.#addList(node, inner, target);
      case "table":
        return this.#addTable(node, inner, target);
      case "blockquote":
        return target.addBlock({ type: "quote", blocks: this.read(node.children, inner) });
      case "pre":
        if (node.children.some((child) => isElement(child) && CONTAINERS.has(child.name))) break;
        target.addBlock({ type: "code", text: getMarkupText(node).replace(/^\n|\n$/g, "") });
        return;
    }
    const isWordItem = WORD_ITEM.exec(getStyle(node));
    if (name === "p" && isWordItem) return this.#addWordItem(node, inner, target, isWordItem);
    if (HEADING.test(name) || CONTAINERS.has(name) || name === "pre") {
      this.#addContainer(node, css, inner, target);
    } else {
      const [before, after] = SIGNS.get(name) ?? [];
      if (before && getMarkupText(node).trim() === "") return;
      if (before) this.#visit(before, inner, target);
      for (const child of node.children) this.#visit(child, inner, target);
      if (after) this.#visit(after, inner, target);
    }
  }

  #addContainer(node: MarkupElement, css: string, context: Context, target: BlockTarget): void {
    target.endParagraph();
    if (isBorder(css) && getMarkupText(node).trim() === "")
      return target.addBlock({ type: "break" });
    const isQuote = /(?:^|\s)Mso(?:Intense)?Quote/.test(getClass(node));
    const [, level] = HEADING.exec(node.name) ?? [];
    const isTitle =
      /^(?:p|h1)$/.test(node.name) &&
      /(?:^|\s)(?:Mso)?title(?:\s|-western|$)/i.test(getClass(node));
    const inside = isQuote ? new BlockTarget() : target;
    for (const child of node.children) {
      this.#visit(child, level === undefined ? context : { ...context, isInHeading: true }, inside);
    }
    inside.endParagraph((content) =>
      level === undefined
        ? { type: "paragraph", content, ...(isTitle && { isTitle }) }
        : { type: "heading", level: Number(level), content, ...(isTitle && { isTitle }) },
    );
    if (isQuote) target.addBlock({ type: "quote", blocks: inside.blocks });
    if (hasClass(node, "MsoListParagraph") && level === undefined) target.moveIntoList();
  }

  #addPicture(node: MarkupElement, target: BlockTarget): void {
    const src = this.#toPicture(node.attributes.get("src") ?? "");
    const alt = (node.attributes.get("alt") ?? "").replaceAll(/\s+/g, " ").trim();
    if (src === null) addLoss(this.#losses, "pictures");
    else target.add({ type: "picture", src, alt });
  }

  #addList(node: MarkupElement, context: Context, target: BlockTarget): void {
    target.endParagraph();
    const isOrdered = node.name === "ol";
    const start = Number(/^\d{1,9}$/.exec(node.attributes.get("start") ?? "")?.[0] ?? 1);
    const items: Block[][] = [];
    for (const child of node.children) {
      if (typeof child === "string" && child.trim() === "") continue;
      const isItem = isElement(child, "li");
      const blocks = this.read(isItem ? child.children : [child], context);
      // Google Docs writes a list in a list after the item that it belongs to.
      const last = items.at(-1);
      if (isItem || !last) items.push(blocks);
      else last.push(...blocks);
    }
    const [, id, level] = DOCS_LIST.exec(getClass(node)) ?? [];
    if (id === undefined) return target.addBlock({ type: "list", isOrdered, start, items });
    for (const [index, blocks] of items.entries()) {
      addItem(target.blocks, {
        id,
        level: Number(level),
        isOrdered,
        number: start + index,
        blocks,
      });
    }
  }

  /** Adds an item of Word's, which is a paragraph that begins with a bullet or number. */
  #addWordItem(
    node: MarkupElement,
    context: Context,
    target: BlockTarget,
    [, id = "", level]: RegExpExecArray,
  ): void {
    target.endParagraph();
    const marker = findMarker(node);
    const label = marker ? getMarkupText(marker).trim() : "";
    const blocks = this.read(removeNode(node, marker).children, context);
    const number = Number(/\d{1,9}/.exec(label)?.[0] ?? 1);
    const isOrdered = /^\(?(?:\d+|[a-z]+)[.)]/i.test(label);
    addItem(target.blocks, { id, level: Number(level) - 1, isOrdered, number, blocks });
  }

  /** Turns each row into a paragraph. A row of one cell keeps its blocks. */
  #addTable(node: MarkupElement, context: Context, target: BlockTarget): void {
    target.endParagraph();
    for (const row of listRows(node)) {
      if (row.name === "caption") {
        for (const block of this.read(row.children, context)) target.addBlock(block);
        continue;
      }
      const cells = row.children.filter((cell) => isElement(cell, "td") || isElement(cell, "th"));
      const contents = cells.map((cell) =>
        this.read(isElement(cell) ? cell.children : [], context),
      );
      if (contents.length > 1) addLoss(this.#losses, "tables");
      for (const block of joinCells(contents)) target.addBlock(block);
    }
  }

  #countLosses(node: MarkupElement, css: string, { href }: Context): void {
    const { name } = node;
    const lines = name === "u" || name === "s" || name === "strike" ? name : (LINES(css) ?? "");
    const align = node.attributes.get("align") ?? ALIGNMENT(css) ?? (name === "center" ? name : "");
    const found: [LossName, boolean][] = [
      ["underlining", /^u$|underline/.test(lines) && href === undefined && !findElement(node, "a")],
      ["strikethrough", /^s(?:trike)?$|line-through/.test(lines)],
      [
        "centring",
        /^center/i.test(align) && !/^(?:table|t[hdr]|hr)$/.test(name) && !HEADING.test(name),
      ],
      ["right", /^(?:right|end)/i.test(align) && !/^(?:table|t[hdr]|hr)$/.test(name)],
      ["highlighting", name === "mark"],
    ];
    for (const [loss, isFound] of found) {
      if (!isFound) continue;
      const text = getMarkupText(node);
      if (text.trim() !== "" && !isSceneBreak(text)) addLoss(this.#losses, loss);
    }
  }

  #getContext(node: MarkupElement, css: string, context: Context): Context {
    const { name } = node;
    const weight = WEIGHT(css);
    const slant = SLANT(css);
    const isBold =
      weight === undefined
        ? /^(?:b|strong)$/.test(name) || context.isBold
        : /^bold|^[6-9]00/.test(weight);
    const isItalic =
      slant === undefined
        ? /^(?:i|em|cite|dfn|var)$/.test(name) || context.isItalic
        : /^(?:italic|oblique)/.test(slant);
    const spacing = SPACING(css);
    const address = name === "a" ? (node.attributes.get("href") ?? "").trim() : "";
    return {
      ...context,
      isBold: isBold && !context.isInHeading && !HEADING.test(name),
      isItalic: isItalic ?? false,
      hasLines: spacing === undefined ? context.hasLines : /^(?:pre|break)/.test(spacing),
      href: /^(?:https?:|mailto:)\S/i.test(address) ? address : context.href,
      isInNotes: context.isInNotes || /mso-element\s*:\s*(?:foot|end)note-list/.test(css),
    };
  }

  #getCss(node: MarkupElement): string {
    const classes = getClass(node)
      .split(/\s+/, MAX_CLASSES)
      .map((name) => this.#sheet.get(name) ?? "");
    return [...classes, getStyle(node)].join(";");
  }
}

/** The blocks that are read, and the paragraph that has not ended. */
class BlockTarget {
  readonly blocks: Block[] = [];
  #content: Inline[] = [];

  add(inline: Inline): void {
    this.#content.push(inline);
  }

  addBlock(block: Block): void {
    this.endParagraph();
    this.blocks.push(block);
  }

  /** Ends the paragraph. Two line breaks in it begin another. */
  endParagraph(create = (content: Inline[]): Block => ({ type: "paragraph", content })): void {
    const content = this.#content;
    this.#content = [];
    const isBlank = content.some(
      (inline) =>
        inline.type === "line" || (inline.type === "text" && inline.text.includes("\u00a0")),
    );
    if (!hasContent(content)) {
      if (isBlank) this.blocks.push({ type: "paragraph", content: [] });
      return;
    }
    let part: Inline[] = [];
    let lines = 0;
    for (const inline of content) {
      if (inline.type === "line") lines += 1;
      else if (hasContent([inline])) {
        if (lines > 1 && hasContent(part)) {
          this.blocks.push(create(part));
          part = [];
        } else if (lines > 0) part.push({ type: "line" });
        lines = 0;
        part.push(inline);
      } else if (lines === 0) part.push(inline);
    }
    this.blocks.push(create(part));
  }

  /** Makes the last paragraph a part of the item before it. */
  moveIntoList(): void {
    const paragraph = this.blocks.at(-1);
    const item = getLastItem(this.blocks.slice(-2, -1));
    if (paragraph?.type === "paragraph" && item) item.push(...this.blocks.splice(-1));
  }
}

/** Joins the contents of a table's cells into a paragraph, unless there is one cell. */
export function joinCells(cells: readonly Block[][]): Block[] {
  const [first = []] = cells;
  if (cells.length <= 1) return first;
  const content = cells.flatMap((blocks, index): Inline[] => {
    const separator: Inline[] = index > 0 ? [{ type: "text", text: " | " }] : [];
    return [
      ...separator,
      ...blocks.flatMap((block, at) => (at > 0 ? [SPACE, ...toInlines(block)] : toInlines(block))),
    ];
  });
  return [{ type: "paragraph", content }];
}

const SPACE: Inline = { type: "text", text: " " };

function toInlines(block: Block): Inline[] {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return block.content.map((inline) => (inline.type === "line" ? SPACE : inline));
    case "quote":
      return block.blocks.flatMap((inner) => [...toInlines(inner), SPACE]);
    case "list":
      return block.items.flat().flatMap((inner) => [...toInlines(inner), SPACE]);
    case "code":
      return [{ type: "text", text: block.text }];
    case "break":
      return [];
  }
}

function* listRows(node: MarkupElement): Generator<MarkupElement, void> {
  for (const child of node.children) {
    if (!isElement(child)) continue;
    if (child.name === "tr" || child.name === "caption") yield child;
    else if (/^t(?:body|head|foot)$/.test(child.name)) yield* listRows(child);
  }
}

function isPrivate(node: MarkupElement, css: string): boolean {
  const { name, attributes } = node;
  if (
    name === "del" ||
    attributes.has("hidden") ||
    PRIVATE_CLASS.test(getClass(node)) ||
    PRIVATE_STYLE.test(css)
  )
    return true;
  // Comments of Google Docs.
  if (name === "sup") return node.children.some((child) => isLinkTo(child, "#cmnt"));
  if (name !== "div") return false;
  return node.children.some(
    (child) => isElement(child, "p") && child.children.some((link) => isLinkTo(link, "#cmnt_ref")),
  );
}

function isLinkTo(node: MarkupNode, start: string): boolean {
  return isElement(node, "a") && (node.attributes.get("href") ?? "").startsWith(start);
}

/** Whether an element refers to a note by a number alone, which would become a part of the word before it. */
function isNoteNumber(node: MarkupElement): boolean {
  return isLinkTo(node, "#") && /^\s*(?:\d{1,4}|[ivxlc]{1,7})\s*$/.test(getMarkupText(node));
}

/** Word's border under an empty paragraph, which is what it makes of `---`. */
function isBorder(css: string): boolean {
  return /mso-element\s*:\s*para-border-div/.test(css);
}

function findMarker(node: MarkupElement): MarkupElement | undefined {
  for (const element of listElements(node)) {
    if (/mso-list\s*:\s*Ignore/i.test(getStyle(element))) return element;
  }
  return undefined;
}

/** Returns the element without one of the elements in it. */
function removeNode(node: MarkupElement, removed: MarkupElement | undefined): MarkupElement {
  const children = node.children
    .filter((child) => child !== removed)
    .map((child) => (isElement(child) ? removeNode(child, removed) : child));
  return { ...node, children };
}

export function getClass(node: MarkupElement): string {
  return node.attributes.get("class") ?? "";
}

export function hasClass(node: MarkupElement, name: string): boolean {
  return getClass(node).split(/\s+/).includes(name);
}

function getStyle(node: MarkupElement): string {
  return node.attributes.get("style") ?? "";
}

/** Reads the rules for classes, such as `p.MsoTitle`. Word hides text with them; Google Docs writes italics so. */
function readStyleSheet(css: string, sheet: Map<string, string>): void {
  for (const rule of css.replaceAll(/<!--|-->|\/\*[^*]*\*\//g, "").split("}")) {
    const start = rule.lastIndexOf("{");
    if (start < 0) continue;
    const style = rule.slice(start + 1);
    if (style.length > MAX_STYLE_LENGTH) continue;
    for (const selector of rule.slice(0, start).split(",")) {
      const [, name] = /^\s*[a-z\d]*\.([\w-]+)\s*$/i.exec(selector) ?? [];
      const before = sheet.get(name ?? "") ?? "";
      if (name !== undefined && before.length < MAX_STYLE_LENGTH) {
        sheet.set(name, `${before};${style}`);
      }
    }
  }
}

/** Returns a function that reads the last value of a property. */
function getLast(name: string): (css: string) => string | undefined {
  const pattern = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, "gi");
  return (css) => {
    let value: string | undefined;
    if (!css.includes(":")) return value;
    for (const [, found = ""] of css.matchAll(pattern)) {
      if (!/^(?:inherit|initial|unset)/i.test(found)) value = found.trim().toLowerCase();
    }
    return value;
  };
}
