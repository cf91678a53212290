import { isSceneBreak } from "#app/writing/scene-break.ts";
import { toPictureAddress } from "./story-addresses.ts";

export interface CleanHtml {
  html: string;
  /** What was in the HTML but cannot be in a story, such as "tables". Their words are kept. */
  lost: string[];
  /** What was left out with its words. */
  leftOut: string[];
}

const UNWANTED = "script, style, meta, link, title, template, iframe, object, svg, form";

/** Text that its writer deleted, hid, or wrote beside the text: in HTML, in Word and in exports of Google Docs. */
const PRIVATE = [
  "[hidden], del, .msoDel",
  "[style*='mso-element:comment-list'], .msocomtxt, .MsoCommentText, .MsoCommentReference, .msocomanchor",
  "[style*='mso-special-character:comment']",
  "sup:has(> a[href^='#cmnt']), div:has(> p > a[href^='#cmnt_ref'])",
].join(", ");

const HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)/i;

/** The attributes that the schema reads. */
const WANTED_ATTRIBUTES = /^(href|src|alt|title|start|data-.*)$/;

/** Blocks that can have both text and blocks as children. */
const CONTAINERS =
  "p, h1, h2, h3, h4, h5, h6, div, section, article, main, header, footer, nav, aside, address, blockquote, center, figure, figcaption, details, summary, fieldset, li, dd, dt";

const BLOCKS = `${CONTAINERS}, ul, ol, dl, table, pre, hr`;

const OTHER_PICTURES = "pictures that are not on the web";

const TEXT_STYLES = [
  "display",
  "fontWeight",
  "fontStyle",
  "textDecorationLine",
  "textAlign",
] as const;

/** Removes everything but the text and its formats. */
export function cleanHtml(html: string): CleanHtml {
  const body = parseHtml(html);
  removeComments(body);
  applyStyleSheets(body);
  for (const element of body.querySelectorAll(UNWANTED)) element.remove();
  // Word's own elements, such as `<o:p>`.
  for (const element of body.querySelectorAll("*")) {
    if (element.tagName.includes(":")) unwrap(element);
  }
  const leftOut = removePrivate(body) ? ["deleted or hidden text and comments"] : [];
  // The line above the footnotes.
  for (const line of body.querySelectorAll("[style*='-list'] > hr, hr.msocomoff")) line.remove();
  const lost = findLost(body);
  convertWordLists(body);
  nestLists(body);
  for (const table of [...body.querySelectorAll("table")].toReversed()) convertTable(table);
  for (const image of body.querySelectorAll("img")) {
    const address = image.getAttribute("src") ?? "";
    const src = /^(?:https?:|\/pictures\/)/i.test(address) ? toPictureAddress(address) : null;
    if (src !== null) {
      image.setAttribute("src", src);
      continue;
    }
    image.remove();
    if (!leftOut.includes(OTHER_PICTURES)) leftOut.push(OTHER_PICTURES);
  }
  for (const link of body.querySelectorAll("a")) {
    if (!/^(https?|mailto):/i.test(link.getAttribute("href") ?? "")) unwrap(link);
  }
  convertEmphasis(body);
  for (const container of [...body.querySelectorAll(CONTAINERS)].toReversed()) {
    splitParagraphs(container);
  }
  splitParagraphs(body);
  convertParagraphs(body);
  for (const element of body.querySelectorAll<HTMLElement>("*")) cleanAttributes(element);
  return { html: body.innerHTML, lost, leftOut };
}

/** Parses HTML in an element of no page: nothing is loaded or run, and no style sheet is applied. */
export function parseHtml(html: string): HTMLElement {
  const { ownerDocument } = document.createElement("template").content;
  const body = ownerDocument.createElement("div");
  body.innerHTML = html;
  return body;
}

function removeComments(body: HTMLElement): void {
  const comments = body.ownerDocument.createNodeIterator(body, NodeFilter.SHOW_COMMENT);
  for (let node = comments.nextNode(); node; node = comments.nextNode()) {
    node.parentNode?.removeChild(node);
  }
}

/** Writes the styles of classes into the elements. Word hides text with them; others write italics so. */
function applyStyleSheets(body: HTMLElement): void {
  for (const { textContent } of body.querySelectorAll("style")) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(textContent ?? "");
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule)) continue;
      for (const name of TEXT_STYLES) {
        const value = rule.style[name];
        if (value === "") continue;
        for (const { style } of body.querySelectorAll<HTMLElement>(rule.selectorText)) {
          style[name] ||= value;
        }
      }
    }
  }
}

function removePrivate(body: HTMLElement): boolean {
  const found = [
    ...body.querySelectorAll(PRIVATE),
    ...[...body.querySelectorAll("[style]")].filter((element) =>
      HIDDEN.test(element.getAttribute("style") ?? ""),
    ),
  ];
  for (const element of found) element.remove();
  return found.some(hasText);
}

function findLost(body: HTMLElement): string[] {
  const styled = [...body.querySelectorAll<HTMLElement>("*")].filter(hasText);
  const has = (test: (element: HTMLElement) => boolean) => styled.some(test);
  const hasLine = ({ style }: HTMLElement, line: string) =>
    `${style.textDecorationLine} ${style.textDecoration}`.includes(line);
  const isPartOfLink = (element: Element) =>
    element.closest("a[href]") ?? element.querySelector("a");
  const lost = {
    underlining: has(
      (element) =>
        (element.matches("u") || hasLine(element, "underline")) && !isPartOfLink(element),
    ),
    strikethrough: has(
      (element) => element.matches("s, strike") || hasLine(element, "line-through"),
    ),
    centring: has(
      (element) =>
        !isSceneBreak(element.textContent ?? "") &&
        (element.matches("center, [align=center]") || element.style.textAlign === "center"),
    ),
    tables: body.querySelector("tr > :is(td, th) + :is(td, th)") !== null,
  };
  return Object.entries(lost).flatMap(([name, isLost]) => (isLost ? [name] : []));
}

/** Converts Word's lists, which are paragraphs that begin with a bullet or number. */
function convertWordLists(body: HTMLElement): void {
  /** The open list of each level, from the outside. */
  let open: HTMLElement[] = [];
  let last: Element | null = null;
  let lastId = "";
  for (const paragraph of body.querySelectorAll<HTMLElement>(
    "p[style*='mso-list'], p[class^=MsoList]",
  )) {
    const root: Element | undefined = open[0];
    const isAfter = root !== undefined && paragraph.previousElementSibling === root;
    const [, id = "", level] =
      /mso-list\s*:\s*(l\d+)\s+level(\d+)/.exec(paragraph.getAttribute("style") ?? "") ?? [];
    const marker = paragraph.querySelector<HTMLElement>("[style*='mso-list:Ignore']");
    if (level === undefined || !marker) {
      // Another paragraph of the last item.
      if (isAfter && last) last.appendChild(paragraph);
      continue;
    }
    const label = marker.textContent?.trim() ?? "";
    marker.remove();
    const isNext = isAfter && id === lastId;
    lastId = id;
    const tag = /^\(?(?:\d+|[a-z]+)[.)]/i.test(label) ? "OL" : "UL";
    const depth = isNext ? Math.min(Number(level), open.length + 1) : 1;
    open = isNext ? open.slice(0, depth) : [];
    let list = open[depth - 1];
    if (list?.tagName !== tag) {
      open = open.slice(0, depth - 1);
      list = body.ownerDocument.createElement(tag);
      const start = /\d+/.exec(label)?.[0] ?? "1";
      if (tag === "OL" && start !== "1") list.setAttribute("start", start);
      if (depth > 1 && last) (open.at(-1)?.lastElementChild ?? last).appendChild(list);
      else paragraph.parentNode?.insertBefore(list, paragraph);
      open.push(list);
    }
    last = body.ownerDocument.createElement("li");
    list.appendChild(last);
    last.appendChild(paragraph);
  }
}

/** Puts lists that are directly in a list, as Google Docs writes them, into the item before. */
function nestLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll(":is(ul, ol) > :is(ul, ol)")) {
    const before = list.previousElementSibling;
    if (before?.tagName === "LI") {
      before.appendChild(list);
      continue;
    }
    const item = body.ownerDocument.createElement("li");
    list.replaceWith(item);
    item.appendChild(list);
  }
}

/** Turns each row into a paragraph. A row of one cell keeps its blocks. */
function convertTable(table: HTMLTableElement): void {
  const blocks: Node[] = table.caption ? [...table.caption.childNodes] : [];
  for (const { cells } of table.rows) {
    const [first, ...others] = cells;
    if (first && others.length === 0) {
      const div = table.ownerDocument.createElement("div");
      for (const node of [...first.childNodes]) div.appendChild(node);
      blocks.push(div);
      continue;
    }
    const paragraph = table.ownerDocument.createElement("p");
    for (const [index, cell] of [...cells].entries()) {
      if (index > 0) paragraph.append(" | ");
      for (const block of [
        ...cell.querySelectorAll("p, div, li, ul, ol, br, h1, h2, h3, h4, h5, h6"),
      ]) {
        block.before(" ");
        unwrap(block);
      }
      for (const node of [...cell.childNodes]) paragraph.appendChild(node);
    }
    blocks.push(paragraph);
  }
  table.replaceWith(...blocks);
}

/** Writes bold and italic as elements around each text, however they are written: an open tag never reaches another line. */
function convertEmphasis(body: HTMLElement): void {
  const texts = body.ownerDocument.createNodeIterator(body, NodeFilter.SHOW_TEXT);
  const formats: { node: Node; tags: string[] }[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if ((node.textContent ?? "").trim() === "") continue;
    const tags = [isBold(node) ? "strong" : "", isItalic(node) ? "em" : ""];
    formats.push({ node, tags: tags.filter(Boolean) });
  }
  const plain = "b, strong, i, em, cite, u, s, strike, span, font, small, big, sub, sup, ins";
  for (const element of body.querySelectorAll(plain)) {
    if (!element.hasAttribute("data-type")) unwrap(element);
  }
  for (const { node, tags } of formats) {
    for (const tag of tags) {
      const element = body.ownerDocument.createElement(tag);
      node.parentNode?.replaceChild(element, node);
      element.appendChild(node);
    }
  }
}

function isBold(text: Node): boolean {
  for (let element = text.parentElement; element; element = element.parentElement) {
    const { fontWeight } = element.style;
    if (/^H[1-6]$/.test(element.tagName)) return false;
    if (fontWeight) return fontWeight.startsWith("bold") || Number(fontWeight) >= 600;
    if (element.matches("b, strong")) return true;
  }
  return false;
}

function isItalic(text: Node): boolean {
  for (let element = text.parentElement; element; element = element.parentElement) {
    const { fontStyle } = element.style;
    if (fontStyle) return fontStyle.startsWith("italic") || fontStyle.startsWith("oblique");
    if (element.matches("i, em, cite")) return true;
  }
  return false;
}

/** Two line breaks begin a paragraph. Text beside blocks becomes a paragraph of its own. */
function splitParagraphs(container: Element): void {
  const isParagraph = container.matches("p, h1, h2, h3, h4, h5, h6");
  const create = () =>
    isParagraph ? container.cloneNode(false) : container.ownerDocument.createElement("p");
  const groups: Node[][] = [[]];
  let breaks: Node[] = [];
  for (const node of [...container.childNodes]) {
    const group = groups.at(-1) ?? [];
    const isBlank = node.nodeType === Node.TEXT_NODE && node.textContent?.trim() === "";
    if (node instanceof Element && node.tagName === "BR") {
      breaks.push(node);
    } else if (isBlank && breaks.length > 0) {
      continue;
    } else if (!isBlock(node)) {
      if (breaks.length > 1) groups.push([node]);
      else group.push(...breaks, node);
      breaks = [];
    } else {
      groups.push([node], []);
      breaks = [];
    }
  }
  const isText = groups.length === 1 && (isParagraph || container.matches("li, dd, dt"));
  const blocks = groups.flatMap((group): Node[] => {
    const [first] = group;
    while (group[0] instanceof Element && group[0].tagName === "BR") group.shift();
    if (isText || (first && isBlock(first))) return group;
    if (!group.some((node) => hasText(node) || hasImage(node))) return [];
    const paragraph = create();
    for (const node of group) paragraph.appendChild(node);
    return [paragraph];
  });
  if (isParagraph && !isText) container.replaceWith(...blocks);
  else container.replaceChildren(...blocks);
}

function convertParagraphs(body: HTMLElement): void {
  // Word's border under an empty paragraph, which is what it makes of `---`.
  for (const border of body.querySelectorAll("[style*='mso-element:para-border-div']")) {
    if (!hasText(border)) border.replaceWith(body.ownerDocument.createElement("hr"));
  }
  for (const paragraph of body.querySelectorAll("p, h1, h2, h3, h4, h5, h6")) {
    const isBreak = isSceneBreak(paragraph.textContent ?? "") && !paragraph.closest("li");
    if (isBreak) paragraph.replaceWith(body.ownerDocument.createElement("hr"));
    // Word and many editors write an empty line as a paragraph with a no-break space.
    else if (!hasText(paragraph) && !hasImage(paragraph) && !paragraph.querySelector("hr"))
      paragraph.remove();
  }
}

function cleanAttributes(element: HTMLElement): void {
  for (const name of element.getAttributeNames()) {
    if (!WANTED_ATTRIBUTES.test(name)) element.removeAttribute(name);
  }
  // Pasted text must not become HTML in the story.
  if (element.dataset.type === "html") element.removeAttribute("data-type");
}

/** Whether a node is a block, or an element around blocks such as a link. Elements that are not known are text. */
function isBlock(node: Node): boolean {
  return node instanceof Element && (node.matches(BLOCKS) || node.querySelector(BLOCKS) !== null);
}

function hasText(node: Node): boolean {
  return (node.textContent ?? "").trim() !== "";
}

function hasImage(node: Node): boolean {
  return node instanceof Element && (node.matches("img") || node.querySelector("img") !== null);
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}
