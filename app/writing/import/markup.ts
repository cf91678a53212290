import { decodeNamedCharacterReference } from "decode-named-character-reference";

/** An element of HTML or XML. XML names have no prefix: Word's are clear without one. */
export interface MarkupElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: MarkupNode[];
}

export type MarkupNode = MarkupElement | string;

/** Markup that no writing program makes. */
export class MarkupError extends Error {}

/** Real documents have some forty levels. What reads the tree recurses for each. */
const MAX_DEPTH = 250;

/** Each element takes some 200 bytes of memory, of which a Worker has 128 MB. */
const MAX_ELEMENTS = 300_000;

/** What most elements of Word say, and stories can't. */
const IGNORED = new Set(
  "rFonts sz szCs lang color kern spacing proofErr bookmarkStart bookmarkEnd lastRenderedPageBreak bCs iCs noProof tabs ind".split(
    " ",
  ),
);
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

const MAX_ATTRIBUTES = 40;

const VOID = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** Their content is text up to their end tag, without references. */
const RAW = new Set(["script", "style", "textarea", "title", "xmp", "noscript", "iframe"]);

const ENDS_PARAGRAPH = new Set(
  "address article aside blockquote center details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul".split(
    " ",
  ),
);

/** The elements that a start tag ends, up to those that contain them. */
const ENDED: Record<string, { names: string[]; within: string[] }> = {
  li: { names: ["li"], within: ["ul", "ol"] },
  dt: { names: ["dt", "dd"], within: ["dl"] },
  dd: { names: ["dt", "dd"], within: ["dl"] },
  rt: { names: ["rt", "rp"], within: ["ruby"] },
  rp: { names: ["rt", "rp"], within: ["ruby"] },
  tr: { names: ["tr", "td", "th"], within: ["table"] },
  td: { names: ["td", "th"], within: ["tr", "table"] },
  th: { names: ["td", "th"], within: ["tr", "table"] },
};

const XML_REFERENCES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** What the numbers from 128 to 159 mean in Windows-1252, and in HTML. */
export const WINDOWS_1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/**
 * Parses HTML as browsers do where writing programs need it, or the XML of Word. Runs on the server and in the browser; the
 * browser's own parser would load pictures, and the server has none. Takes linear time.
 *
 * @throws {MarkupError} when elements are nested too deeply, or are too many
 */
export function parseMarkup(markup: string, kind: "html" | "xml"): MarkupElement {
  const isXml = kind === "xml";
  const root: MarkupElement = { name: "", attributes: new Map(), children: [] };
  const open = [root];
  let count = 0;
  let at = 0;
  // After the last end of a tag there are no more tags, and looking for one each time would take quadratic time.
  const lastEnd = markup.lastIndexOf(">");
  const last = () => open.at(-1) ?? root;
  const addText = (text: string) => {
    if (text !== "") last().children.push(decodeReferences(text, isXml));
  };

  while (at < markup.length) {
    const start = markup.indexOf("<", at);
    if (start < 0 || start > lastEnd) break;
    addText(markup.slice(at, start));
    at = start;
    const next = markup.charAt(start + 1);
    if (next === "!" || next === "?") {
      at = skipDeclaration(markup, start, isXml, (text) => last().children.push(text));
      continue;
    }
    const isEnd = next === "/";
    const tag = readTag(markup, start + (isEnd ? 2 : 1), isXml);
    if (!tag) {
      addText("<");
      at += 1;
      continue;
    }
    at = tag.end;
    if (isEnd) {
      close(open, tag.name, isXml);
      continue;
    }
    if (!isXml) closeImplied(open, tag.name);
    if (isXml && tag.isEmpty && IGNORED.has(tag.name)) continue;
    count += 1;
    if (count > MAX_ELEMENTS) throw new MarkupError("Too many elements");
    const element = { name: tag.name, attributes: tag.attributes, children: [] };
    last().children.push(element);
    // In XHTML an empty script or title ends in itself.
    const isRaw = !isXml && RAW.has(tag.name);
    if (isXml || isRaw ? tag.isEmpty : VOID.has(tag.name)) continue;
    if (isRaw) {
      at = readRaw(markup, at, element);
      continue;
    }
    open.push(element);
    if (open.length > MAX_DEPTH) throw new MarkupError("Nested too deeply");
  }
  addText(markup.slice(at));
  return root;
}

/** Returns where a comment, a declaration or a processing instruction ends. */
function skipDeclaration(
  markup: string,
  start: number,
  isXml: boolean,
  addText: (text: string) => void,
): number {
  const [opening, closing] = markup.startsWith("<!--", start)
    ? ["<!--", "-->"]
    : isXml && markup.startsWith("<![CDATA[", start)
      ? ["<![CDATA[", "]]>"]
      : ["", ">"];
  const end = markup.indexOf(closing, start + opening.length);
  if (closing === "]]>") addText(markup.slice(start + opening.length, end < 0 ? undefined : end));
  return end < 0 ? markup.length : end + closing.length;
}

function readRaw(markup: string, start: number, element: MarkupElement): number {
  const pattern = new RegExp(`</${element.name}[^>]{0,20}>`, "gi");
  pattern.lastIndex = start;
  const end = pattern.exec(markup);
  const text = markup.slice(start, end?.index);
  const isText = element.name === "title" || element.name === "textarea";
  element.children.push(isText ? decodeReferences(text, false) : text);
  return end ? pattern.lastIndex : markup.length;
}

function close(open: MarkupElement[], name: string, isXml: boolean): void {
  for (let depth = open.length - 1; depth > 0; depth -= 1) {
    const { name: opened = "" } = open[depth] ?? {};
    if (opened === name) {
      open.length = depth;
      return;
    }
    // An end tag of text does not end the cell or the list around it.
    if (!isXml && /^(?:table|td|th)$/.test(opened) && !/^(?:table|tr|tbody)$/.test(name)) return;
  }
}

/** Ends what HTML need not end: a paragraph before a block, an item before the next one. */
function closeImplied(open: MarkupElement[], name: string): void {
  const ended = ENDED[name];
  for (let depth = open.length - 1; ended && depth > 0; depth -= 1) {
    const opened = open[depth]?.name ?? "";
    if (ended.within.includes(opened)) break;
    if (ended.names.includes(opened)) open.length = depth;
  }
  if (!ENDS_PARAGRAPH.has(name)) return;
  for (let depth = open.length - 1; depth > 0; depth -= 1) {
    const opened = open[depth]?.name ?? "";
    if (opened === "p") open.length = depth;
    if (opened === "p" || ENDS_PARAGRAPH.has(opened) || opened in ENDED) return;
  }
}

interface Tag {
  name: string;
  attributes: ReadonlyMap<string, string>;
  isEmpty: boolean;
  /** The index after the tag. */
  end: number;
}

const NAME = /[a-z][^\s/>]*/iy;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?/y;
const TAG_END = /[\s/]*>/y;

/** Reads a tag after `<` or `</`; `null` if it is none, which is then text. */
function readTag(markup: string, start: number, isXml: boolean): Tag | null {
  NAME.lastIndex = start;
  const written = NAME.exec(markup)?.[0];
  if (written === undefined) return null;
  const name = isXml ? removePrefix(written) : written.toLowerCase();
  let attributes: Map<string, string> | undefined;
  let at = start + written.length;
  for (let number = 0; number <= MAX_ATTRIBUTES; number += 1) {
    TAG_END.lastIndex = at;
    const end = TAG_END.exec(markup)?.[0];
    if (end !== undefined) {
      const isEmpty = end.includes("/");
      return { name, attributes: attributes ?? NO_ATTRIBUTES, isEmpty, end: at + end.length };
    }
    ATTRIBUTE.lastIndex = at;
    const [whole, key = "", double, single, bare = ""] = ATTRIBUTE.exec(markup) ?? [];
    if (whole === undefined) break;
    at += whole.length;
    const clear = isXml ? removePrefix(key) : key.toLowerCase();
    if ((isXml && clear.startsWith("rsid")) || attributes?.has(clear)) continue;
    attributes ??= new Map();
    attributes.set(clear, decodeReferences(double ?? single ?? bare, isXml));
  }
  // More attributes than anyone writes, or a quotation mark too many.
  const end = markup.indexOf(">", at);
  if (end < 0) return null;
  return { name, attributes: attributes ?? NO_ATTRIBUTES, isEmpty: false, end: end + 1 };
}

function removePrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function decodeReferences(text: string, isXml: boolean): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,31}));?/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) {
        const found = isXml ? XML_REFERENCES[name] : decodeNamedCharacterReference(name);
        return typeof found === "string" ? found : whole;
      }
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      if (code >= 128 && code < 160) return WINDOWS_1252.charAt(code - 128);
      const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
      return isCharacter ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}

/** Returns all text in a node. */
export function getMarkupText(node: MarkupNode): string {
  if (typeof node === "string") return node;
  return node.children.map(getMarkupText).join("");
}

export function isElement(node: MarkupNode, name?: string): node is MarkupElement {
  return typeof node !== "string" && (name === undefined || node.name === name);
}

/** Returns the elements in a node, from the outside, in the order of the document. */
export function* listElements(node: MarkupElement): Generator<MarkupElement, void> {
  for (const child of node.children) {
    if (typeof child === "string") continue;
    yield child;
    yield* listElements(child);
  }
}

export function findElement(node: MarkupElement, name: string): MarkupElement | undefined {
  for (const element of listElements(node)) if (element.name === name) return element;
  return undefined;
}
