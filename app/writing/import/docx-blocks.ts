import { isSceneBreak } from "#app/writing/plain-prose.ts";
import { addItem, getText, hasContent, type Block, type Format, type Inline } from "./blocks.ts";
import { joinCells } from "./html-blocks.ts";
import { addLoss, type Losses } from "./losses.ts";
import {
  findElement,
  getMarkupText,
  isElement,
  listElements,
  MarkupError,
  parseMarkup,
  type MarkupElement,
} from "./markup.ts";

/** The parts of a Word document that have its text, by their names in the ZIP. */
export type DocxParts = ReadonlyMap<string, string>;

export interface DocxContent {
  blocks: Block[];
  /** The footnotes and endnotes, in the order of their numbers. */
  notes: Block[][];
  title: string;
}

/** How many fields can be open at a time. Each run looks for a link in all of them. */
const MAX_FIELDS = 50;

/** The level of an outline's "body text". */
const BODY_LEVEL = 9;
const QUOTE_STYLE = /^(?:(?:intense )?quote|quotations?|block ?text)$/i;

/** What a paragraph, its style or the style of a run says. */
interface Style {
  name: string;
  basedOn: string | undefined;
  isBold: boolean | undefined;
  isItalic: boolean | undefined;
  isHidden: boolean | undefined;
  alignment: string | undefined;
  outline: number | undefined;
  numId: string | undefined;
  level: number | undefined;
}

interface Run extends Format {
  isHidden: boolean;
}

/**
 * Reads a document of Word, or one that Google Docs, LibreOffice or Scrivener wrote for it.
 *
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-376/
 */
export function readDocx(parts: DocxParts, losses: Losses): DocxContent {
  return new DocxReader(parts, losses).read();
}

class DocxReader {
  readonly #parts: DocxParts;
  readonly #losses: Losses;
  readonly #styles: ReadonlyMap<string, Style>;
  readonly #isOrdered: ReadonlyMap<string, { isOrdered: boolean; start: number }[]>;
  /** The next number of each level of each list. */
  readonly #numbers = new Map<string, number[]>();
  /** The numbers of the notes that something refers to, by their kinds and ids. */
  readonly #noteNumbers = new Map<string, number>();
  #links: ReadonlyMap<string, string>;
  /** The fields that are open: their instructions, and whether their result has begun. */
  #fields: { instruction: string; hasResult: boolean }[] = [];

  constructor(parts: DocxParts, losses: Losses) {
    this.#parts = parts;
    this.#losses = losses;
    this.#styles = readStyles(parts.get("word/styles.xml"));
    this.#isOrdered = readNumbering(parts.get("word/numbering.xml"));
    this.#links = readLinks(parts.get("word/_rels/document.xml.rels"));
  }

  read(): DocxContent {
    const body = findElement(this.#parse("word/document.xml"), "body");
    const blocks = body ? this.#readBlocks(body) : [];
    const margins = [...this.#parts].filter(([name]) =>
      /^word\/(?:header|footer)\d*\.xml$/.test(name),
    );
    // A page's number alone is nothing to miss.
    if (margins.some(([, xml]) => /<w:t[ >][^<]*[^\d\s<]{2}/.test(xml)))
      addLoss(this.#losses, "margins");
    const notes = this.#readNotes();
    const core = parseMarkup(this.#parts.get("docProps/core.xml") ?? "", "xml");
    const title = findElement(core, "title");
    return { blocks, notes, title: title ? getMarkupText(title).trim() : "" };
  }

  #parse(name: string): MarkupElement {
    return parseMarkup(this.#parts.get(name) ?? "", "xml");
  }

  #readNotes(): Block[][] {
    const notes = new Map<string, MarkupElement>();
    for (const kind of ["footnote", "endnote"]) {
      for (const note of listElements(this.#parse(`word/${kind}s.xml`))) {
        if (note.name === kind) notes.set(`${kind} ${note.attributes.get("id") ?? ""}`, note);
      }
    }
    const read: Block[][] = [];
    // A note may refer to others, which come after it, or to itself.
    for (const key of this.#noteNumbers.keys()) {
      const [kind = ""] = key.split(" ");
      this.#links = readLinks(this.#parts.get(`word/_rels/${kind}s.xml.rels`));
      const note = notes.get(key);
      read.push(note ? this.#readBlocks(note) : []);
    }
    return read;
  }

  #readBlocks(container: MarkupElement): Block[] {
    const blocks: Block[] = [];
    const add = (block: Block, isQuote: boolean) => {
      const last = blocks.at(-1);
      if (isQuote && last?.type === "quote") last.blocks.push(block);
      else blocks.push(isQuote ? { type: "quote", blocks: [block] } : block);
    };
    for (const child of listParts(container)) {
      if (child.name === "p") this.#readParagraph(child, blocks, add);
      else if (child.name === "tbl") for (const block of this.#readTable(child)) add(block, false);
      else if (/^(?:del|moveFrom)$/.test(child.name)) this.#countPrivate(child);
    }
    return blocks;
  }

  #readTable(table: MarkupElement): Block[] {
    return [...listParts(table)].flatMap((row) => {
      if (row.name !== "tr") return [];
      const cells = [...listParts(row)].filter(({ name }) => name === "tc");
      if (cells.length > 1) addLoss(this.#losses, "tables");
      return joinCells(cells.map((cell) => this.#readBlocks(cell).filter(isNotBlank)));
    });
  }

  #readParagraph(
    paragraph: MarkupElement,
    blocks: Block[],
    add: (block: Block, isQuote: boolean) => void,
  ): void {
    const properties = paragraph.children.find((child) => isElement(child, "pPr"));
    const style = this.#getStyle(isElement(properties ?? "") ? properties : undefined, "pStyle");
    if (/^(?:toc|contents) \d/i.test(style.name)) {
      if (this.#losses.get("contents") === undefined) addLoss(this.#losses, "contents");
      return;
    }
    const isQuote = QUOTE_STYLE.test(style.name);
    const content: Inline[] = [];
    const boxes: Block[] = [];
    // A quote looks like one without italics.
    this.#readInlines(
      paragraph,
      isQuote ? { ...style, isItalic: false } : style,
      {},
      content,
      boxes,
    );
    const isEmpty = !hasContent(content);
    const [, named] = /^heading ([1-9])/i.exec(style.name) ?? [];
    const level = named === undefined ? (style.outline ?? BODY_LEVEL) + 1 : Number(named);
    const isTitle = /^title$/i.test(style.name);
    if (isEmpty && hasRule(properties)) {
      add({ type: "break" }, false);
    } else if (isEmpty || isSceneBreak(getText(content))) {
      add({ type: "paragraph", content }, false);
    } else if (level <= BODY_LEVEL) {
      const plain = content.map((inline) =>
        inline.type === "text" ? { ...inline, isBold: false } : inline,
      );
      add({ type: "heading", level: Math.min(6, level), content: plain }, false);
    } else {
      if (/^center$/.test(style.alignment ?? "") && !isTitle) addLoss(this.#losses, "centring");
      if (/^(?:right|end)$/.test(style.alignment ?? "")) addLoss(this.#losses, "right");
      const item = this.#readItem(style);
      const block: Block = { type: "paragraph", content, ...(isTitle && { isTitle }) };
      if (item) addItem(blocks, { ...item, blocks: [block] });
      else add(block, isQuote);
    }
    for (const block of boxes) add(block, false);
  }

  /** Returns the list that a paragraph is an item of, and its number. */
  #readItem({ numId, level = 0 }: Style) {
    const levels = this.#isOrdered.get(numId ?? "0");
    if (numId === undefined || numId === "0" || !levels) return undefined;
    const { isOrdered, start } = levels[level] ?? { isOrdered: false, start: 1 };
    const numbers = this.#numbers.get(numId) ?? [];
    const number = numbers[level] ?? start;
    this.#numbers.set(numId, [...numbers.slice(0, level), number + 1]);
    return { id: numId, level, isOrdered, number };
  }

  #readInlines(
    parent: MarkupElement,
    style: Style,
    { href }: Format,
    content: Inline[],
    boxes: Block[],
  ): void {
    for (const child of parent.children) {
      if (!isElement(child)) continue;
      switch (child.name) {
        case "r":
          this.#readRun(child, style, href, content, boxes);
          break;
        case "hyperlink": {
          const address = this.#links.get(child.attributes.get("id") ?? "");
          this.#readInlines(child, style, { href: toAddress(address) }, content, boxes);
          break;
        }
        case "del":
        case "moveFrom":
          this.#countPrivate(child);
          break;
        case "oMath":
        case "oMathPara":
          content.push({ type: "text", text: getMarkupText(child) });
          break;
        case "ins":
        case "moveTo":
        case "smartTag":
        case "fldSimple":
        case "sdt":
        case "sdtContent":
        case "customXml":
        case "dir":
        case "bdo":
          this.#readInlines(child, style, { href }, content, boxes);
      }
    }
  }

  #readRun(
    run: MarkupElement,
    paragraph: Style,
    href: string | undefined,
    content: Inline[],
    boxes: Block[],
  ): void {
    const properties = run.children.find((child) => isElement(child, "rPr"));
    const own = this.#getStyle(isElement(properties ?? "") ? properties : undefined, "rStyle");
    const format: Run = {
      isBold: own.isBold ?? paragraph.isBold ?? false,
      isItalic: own.isItalic ?? paragraph.isItalic ?? false,
      isHidden: own.isHidden ?? paragraph.isHidden ?? false,
      href: href ?? this.#findFieldAddress(),
    };
    let hasText = false;
    for (const child of listParts(run)) {
      if (child.name === "ruby") {
        this.#readRuby(child, { ...paragraph, ...format }, content, boxes);
        continue;
      }
      const text = this.#readRunPart(child, content, boxes);
      if (text === undefined || text === "") continue;
      if (format.isHidden) {
        addLoss(this.#losses, "private");
        continue;
      }
      hasText ||= text.trim() !== "";
      const { isHidden: _, ...shown } = format;
      content.push({ type: "text", text, ...shown });
    }
    if (hasText && properties && isElement(properties)) this.#countLosses(properties, format);
  }

  /** Adds words and then, in brackets, how they are read: as Word does when it saves a web page. */
  #readRuby(ruby: MarkupElement, style: Style & Format, content: Inline[], boxes: Block[]): void {
    const read = (name: string) => {
      const part = ruby.children.find((child) => isElement(child, name));
      const inlines: Inline[] = [];
      if (part && isElement(part)) this.#readInlines(part, style, style, inlines, boxes);
      return inlines;
    };
    const { isBold = false, isItalic = false, href } = style;
    const toSign = (text: string): Inline => ({ type: "text", text, isBold, isItalic, href });
    content.push(...read("rubyBase"));
    const reading = read("rt");
    if (hasContent(reading)) content.push(toSign("("), ...reading, toSign(")"));
  }

  /** Returns the text of a part of a run, or adds what else it is. */
  #readRunPart(part: MarkupElement, content: Inline[], boxes: Block[]): string | undefined {
    const field = this.#fields.at(-1);
    switch (part.name) {
      case "t":
        return field && !field.hasResult ? undefined : getMarkupText(part);
      case "tab":
      case "ptab":
        return " ";
      case "noBreakHyphen":
        return "\u2011";
      case "sym":
        return toSymbol(part);
      case "br":
      case "cr":
        if (!part.attributes.has("type") || part.attributes.get("type") === "textWrapping") {
          content.push({ type: "line" });
        }
        return undefined;
      case "fldChar":
        this.#readField(part.attributes.get("fldCharType"));
        return undefined;
      case "instrText":
        if (field) field.instruction += getMarkupText(part);
        return undefined;
      case "footnoteReference":
      case "endnoteReference": {
        const kind = part.name === "footnoteReference" ? "footnote" : "endnote";
        const key = `${kind} ${part.attributes.get("id") ?? ""}`;
        const number = this.#noteNumbers.get(key) ?? this.#noteNumbers.size + 1;
        this.#noteNumbers.set(key, number);
        return `[${number}]`;
      }
      case "commentReference":
        addLoss(this.#losses, "private");
        return undefined;
      case "drawing":
      case "pict":
        this.#readDrawing(part, content, boxes);
        return undefined;
      case "object":
        addLoss(this.#losses, "objects");
        return undefined;
      default:
        return undefined;
    }
  }

  #readField(type: string | undefined): void {
    const field = this.#fields.at(-1);
    if (type === "begin") {
      if (this.#fields.length >= MAX_FIELDS) throw new MarkupError("Too many open fields");
      this.#fields.push({ instruction: "", hasResult: false });
    } else if (type === "separate" && field) field.hasResult = true;
    else if (type === "end") this.#fields.pop();
  }

  #findFieldAddress(): string | undefined {
    for (const { instruction } of this.#fields) {
      const [, address] = /^\s*HYPERLINK\s+"([^"]*)"/.exec(instruction) ?? [];
      if (address !== undefined) return toAddress(address);
    }
    return undefined;
  }

  /** Reads the text in a text box, and a picture that is on the web. */
  #readDrawing(drawing: MarkupElement, content: Inline[], boxes: Block[]): void {
    const box = findElement(drawing, "txbxContent");
    if (box) {
      boxes.push(...this.#readBlocks(box).filter(isNotBlank));
      return;
    }
    const picture = findElement(drawing, "blip") ?? findElement(drawing, "imagedata");
    const isLine =
      !picture && [...listElements(drawing)].some((shape) => shape.attributes.get("hr") === "t");
    if (isLine) {
      content.push({ type: "text", text: "***" });
      return;
    }
    const src =
      this.#links.get(picture?.attributes.get("link") ?? picture?.attributes.get("href") ?? "") ??
      "";
    const { attributes } = findElement(drawing, "docPr") ?? {};
    const alt = (attributes?.get("descr") ?? "").replaceAll(/\s+/g, " ").trim();
    if (/^https:\/\//i.test(src)) content.push({ type: "picture", src, alt });
    else addLoss(this.#losses, picture ? "pictures" : "objects");
  }

  #countLosses(properties: MarkupElement, { href }: Format): void {
    for (const child of properties.children) {
      if (!isElement(child) || !isOn(child)) continue;
      if (child.name === "u" && href === undefined) addLoss(this.#losses, "underlining");
      if (/^d?strike$/.test(child.name)) addLoss(this.#losses, "strikethrough");
      if (child.name === "highlight") addLoss(this.#losses, "highlighting");
    }
  }

  #countPrivate(element: MarkupElement): void {
    const hasText = [...listElements(element)].some(
      ({ name }) => name === "delText" || name === "t",
    );
    if (hasText) addLoss(this.#losses, "private");
  }

  /** Returns what properties say, and what their style says where they are silent. */
  #getStyle(properties: MarkupElement | undefined, name: "pStyle" | "rStyle"): Style {
    const reference = properties?.children.find((child) => isElement(child, name));
    const id = reference && isElement(reference) ? reference.attributes.get("val") : undefined;
    const isParagraph = name === "pStyle";
    const own = readStyle(
      isParagraph ? properties : undefined,
      isParagraph ? undefined : properties,
    );
    // A paragraph without a style has the default one.
    return this.#inherit({ ...own, basedOn: id ?? (isParagraph ? "" : undefined) });
  }

  #inherit(style: Style): Style {
    let whole = style;
    let id = style.basedOn;
    // A style may be based on itself.
    for (let depth = 0; id !== undefined && depth < 20; depth += 1) {
      const base = this.#styles.get(id);
      if (!base) break;
      whole = {
        name: whole.name || base.name,
        basedOn: undefined,
        isBold: whole.isBold ?? base.isBold,
        isItalic: whole.isItalic ?? base.isItalic,
        isHidden: whole.isHidden ?? base.isHidden,
        alignment: whole.alignment ?? base.alignment,
        outline: whole.outline ?? base.outline,
        numId: whole.numId ?? base.numId,
        level: whole.level ?? base.level,
      };
      id = base.basedOn;
    }
    return whole;
  }
}

function readStyles(xml: string | undefined): ReadonlyMap<string, Style> {
  const styles = new Map<string, Style>();
  for (const style of listElements(parseMarkup(xml ?? "", "xml"))) {
    if (style.name !== "style") continue;
    const find = (name: string) =>
      style.children.filter((child) => isElement(child)).find((child) => child.name === name);
    const read = readStyle(find("pPr"), find("rPr"));
    const name = find("name")?.attributes.get("val") ?? "";
    const whole = { ...read, name, basedOn: find("basedOn")?.attributes.get("val") };
    styles.set(style.attributes.get("styleId") ?? "", whole);
    const isDefault =
      style.attributes.get("default") === "1" && style.attributes.get("type") === "paragraph";
    if (isDefault) styles.set("", whole);
  }
  return styles;
}

function readStyle(paragraph: MarkupElement | undefined, run: MarkupElement | undefined): Style {
  const find = (parent: MarkupElement | undefined, name: string) =>
    parent?.children.filter((child) => isElement(child)).find((child) => child.name === name);
  const list = find(paragraph, "numPr");
  const readToggle = (name: string) => {
    const toggle = find(run, name);
    return toggle && isOn(toggle);
  };
  const readNumber = (element: MarkupElement | undefined) => {
    const number = Number(element?.attributes.get("val") ?? "none");
    return Number.isInteger(number) && number >= 0 && number < 10 ? number : undefined;
  };
  return {
    name: "",
    basedOn: undefined,
    isBold: readToggle("b"),
    isItalic: readToggle("i"),
    isHidden: readToggle("vanish"),
    alignment: find(paragraph, "jc")?.attributes.get("val"),
    outline: readNumber(find(paragraph, "outlineLvl")),
    numId: find(list, "numId")?.attributes.get("val"),
    level: readNumber(find(list, "ilvl")),
  };
}

/** Returns whether the levels of each list are numbered. */
function readNumbering(xml: string | undefined) {
  const root = parseMarkup(xml ?? "", "xml");
  const abstract = new Map<string, { isOrdered: boolean; start: number }[]>();
  const lists = new Map<string, { isOrdered: boolean; start: number }[]>();
  for (const element of listElements(root)) {
    const levels: { isOrdered: boolean; start: number }[] = [];
    if (element.name === "abstractNum") {
      for (const level of element.children) {
        if (!isElement(level, "lvl") || levels.length > 9) continue;
        const format = findElement(level, "numFmt")?.attributes.get("val") ?? "decimal";
        const start = Number(findElement(level, "start")?.attributes.get("val") ?? 1);
        levels.push({
          isOrdered: !/^(?:bullet|none)$/.test(format),
          start: Number.isInteger(start) && start >= 0 && start < 1e6 ? start : 1,
        });
      }
      abstract.set(element.attributes.get("abstractNumId") ?? "", levels);
    } else if (element.name === "num") {
      const id = findElement(element, "abstractNumId")?.attributes.get("val") ?? "";
      lists.set(element.attributes.get("numId") ?? "", abstract.get(id) ?? []);
    }
  }
  return lists;
}

/** Returns the addresses outside the document, by the ids of their relationships. */
function readLinks(xml: string | undefined): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const { name, attributes } of listElements(parseMarkup(xml ?? "", "xml"))) {
    if (name !== "Relationship" || attributes.get("TargetMode") !== "External") continue;
    links.set(attributes.get("Id") ?? "", attributes.get("Target") ?? "");
  }
  return links;
}

/** Yields the elements in a container, also those in content controls. Of alternatives, only the first one. */
function* listParts(container: MarkupElement): Generator<MarkupElement, void> {
  for (const child of container.children) {
    if (!isElement(child)) continue;
    if (/^(?:sdt|sdtContent|ins|moveTo|customXml)$/.test(child.name)) yield* listParts(child);
    else if (child.name === "AlternateContent") {
      const choice = child.children.find((option) => isElement(option));
      if (choice && isElement(choice)) yield* listParts(choice);
    } else yield child;
  }
}

function isNotBlank(block: Block): boolean {
  return block.type !== "paragraph" || hasContent(block.content);
}

/** Whether a property is on, such as `<w:b/>`, but not `<w:b w:val="0"/>`. */
function isOn({ attributes }: MarkupElement): boolean {
  return !/^(?:0|false|off|none)$/.test(attributes.get("val") ?? "");
}

/** Whether an empty paragraph has a line above or below it, which is what Word makes of `---`. */
function hasRule(properties: MarkupElement | string | undefined): boolean {
  const border =
    properties !== undefined && isElement(properties) ? findElement(properties, "pBdr") : undefined;
  return (
    border?.children.some(
      (side) => isElement(side) && /^(?:top|bottom)$/.test(side.name) && isOn(side),
    ) ?? false
  );
}

function toAddress(target: string | undefined): string | undefined {
  return target !== undefined && /^(?:https?:|mailto:)\S/i.test(target) ? target : undefined;
}

/** Returns a character of a font of symbols. Those in Unicode's private area mean nothing in other fonts. */
function toSymbol({ attributes }: MarkupElement): string | undefined {
  const code = Number.parseInt(attributes.get("char") ?? "", 16);
  const isPrivate = code >= 0xe0_00 && code <= 0xf8_ff;
  return code > 0 && code < 0xff_ff && !isPrivate ? String.fromCharCode(code) : undefined;
}
