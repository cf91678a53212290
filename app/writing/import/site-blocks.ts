import { getText, type Block } from "./blocks.ts";
import { getClass, hasClass, readHtmlBlocks } from "./html-blocks.ts";
import { addLoss, type Losses } from "./losses.ts";
import {
  findElement,
  getMarkupText,
  isElement,
  listElements,
  type MarkupElement,
  type MarkupNode,
} from "./markup.ts";

interface Work {
  title: string;
  blocks: Block[];
}

/** Reads a work of Archive of Our Own or a part of a story on Wattpad, without what the page has around it. */
export function readSiteBlocks(page: MarkupElement, losses: Losses): Work | null {
  return readArchive(page, losses) ?? readWattpad(page, losses);
}

/** The parts of a work, on its page and in its download. */
const WORK_PARTS = /^(?:workskin|preface|chapters|afterword)$/;

/** What the archive adds. */
const FURNITURE =
  /(?:^|\s)(?:landmark|message|byline|endnote-link|jump|actions|navigation|associations|children|kudos|feedback)(?:\s|$)/;
const LABEL = /^(?:(?:work|chapter)\s+)?(?:(?:end|beginning|more)\s+)?(?:summary|notes?)\s*:?$/i;

function readArchive(page: MarkupElement, losses: Losses): Work | null {
  const parts = [...listElements(page)].filter(({ attributes }) =>
    WORK_PARTS.test(attributes.get("id") ?? ""),
  );
  const hasText = parts.some((part) =>
    [...listElements(part)].some((element) => hasClass(element, "userstuff")),
  );
  const isWork = hasText || parts.some((part) => hasClass(part, "userstuff"));
  if (!isWork) return null;
  const whole = parts.find(({ attributes }) => attributes.get("id") === "workskin");
  const shown = whole ? [whole] : parts;
  const heading = shown.flatMap((part) => [...listElements(part)]).find(isWorkTitle);
  const title = heading ? getMarkupText(heading).trim() : "";
  const tidy = shown.flatMap((part) => cleanWork(part, heading, losses));
  const styles = [...listElements(page)].filter(({ name }) => name === "style");
  const first: Block = {
    type: "heading",
    level: 1,
    isTitle: true,
    content: [{ type: "text", text: title }],
  };
  return { title, blocks: [first, ...readHtmlBlocks([...styles, ...tidy], losses)] };
}

function isWorkTitle(element: MarkupElement): boolean {
  return element.name === "h1" || (element.name === "h2" && hasClass(element, "title"));
}

/** Returns an element without the archive's own words. Its labels of notes become bold, because they are no chapters. */
function cleanWork(
  node: MarkupNode,
  title: MarkupElement | undefined,
  losses: Losses,
): MarkupNode[] {
  if (!isElement(node)) return [node];
  if (node === title) return [];
  if (hasClass(node, "byline")) addLoss(losses, "writer");
  if (hasClass(node, "tags") || hasClass(node, "stats")) {
    addLoss(losses, "work");
    return [];
  }
  if (FURNITURE.test(getClass(node))) return [];
  if (/^(?:p|h3|h4|div)$/.test(node.name) && LABEL.test(getMarkupText(node).trim())) {
    const label = getMarkupText(node).trim().replace(/\s*:$/, "");
    const bold = { ...node, name: "b", attributes: new Map(), children: [label] };
    return [{ ...node, name: "p", attributes: new Map(), children: [bold] }];
  }
  const children = node.children.flatMap((child) => cleanWork(child, title, losses));
  return [{ ...node, children }];
}

/** Reads a part on Wattpad, whose paragraphs have an id. */
function readWattpad(page: MarkupElement, losses: Losses): Work | null {
  const paragraphs = [...listElements(page)].filter(
    ({ name, attributes }) => name === "p" && attributes.has("data-p-id"),
  );
  if (paragraphs.length === 0) return null;
  const heading = findElement(page, "h1");
  const name = heading ? getMarkupText(heading).trim() : "";
  const blocks = readHtmlBlocks(paragraphs, losses);
  const [first] = blocks;
  const isRepeated = first?.type === "paragraph" && getText(first.content).trim() === name;
  const chapter: Block[] =
    name && !isRepeated
      ? [{ type: "heading", level: 2, content: [{ type: "text", text: name }] }]
      : [];
  const title = findElement(page, "title");
  // "The story - The part - Wattpad"
  const [story = "", , site] = (title ? getMarkupText(title) : "").split(" - ");
  return { title: site === undefined ? "" : story.trim(), blocks: [...chapter, ...blocks] };
}
