import { escapeLineStart, isSceneBreak } from "#app/writing/plain-prose.ts";

/** A part of a document, as a story can have it. */
export type Block =
  | { type: "paragraph"; content: Inline[]; isTitle?: boolean }
  | { type: "heading"; level: number; content: Inline[]; isTitle?: boolean }
  | { type: "break" }
  | { type: "quote"; blocks: Block[] }
  | List
  | { type: "code"; text: string };

interface List {
  type: "list";
  /** Which list of the document its items say they belong to. */
  id?: string | undefined;
  isOrdered: boolean;
  start: number;
  items: Block[][];
}

export interface Format {
  isBold?: boolean;
  isItalic?: boolean;
  /** A web or e-mail address. */
  href?: string | undefined;
}

/** Words, a line break, or a picture. */
export type Inline =
  | ({ type: "text"; text: string } & Format)
  | { type: "line" }
  | { type: "picture"; src: string; alt: string };

/** A scene break may be an empty line in a text that has few others. */
const MIN_PARAGRAPHS = 3;

export function getText(content: readonly Inline[]): string {
  return content.map((inline) => (inline.type === "text" ? inline.text : " ")).join("");
}

/** Whether anything is shown. */
export function hasContent(content: readonly Inline[]): boolean {
  return content.some(
    (inline) => inline.type === "picture" || (inline.type === "text" && inline.text.trim() !== ""),
  );
}

/** An item of a list as Word and Google Docs write it: one after the other, with a level from 0. */
export interface FlatItem {
  id: string;
  level: number;
  isOrdered: boolean;
  /** The number of the item. */
  number: number;
  blocks: Block[];
}

/** Adds an item to the last list, to a list in its last item, or to a new list. */
export function addItem(
  blocks: Block[],
  { id, level, isOrdered, number, blocks: item }: FlatItem,
): void {
  let container = blocks;
  for (let depth = 0; depth < level; depth += 1) {
    const inner = getLastItem(container, depth === 0 ? id : undefined);
    if (!inner) break;
    container = inner;
  }
  const list = container.at(-1);
  const isSame = list?.type === "list" && list.isOrdered === isOrdered;
  if (isSame && (container !== blocks || list.id === id)) list.items.push(item);
  else container.push({ type: "list", id, isOrdered, start: number, items: [item] });
}

/** Returns the last item of the list that the blocks end with. */
export function getLastItem(blocks: readonly Block[], id?: string): Block[] | undefined {
  const list = blocks.at(-1);
  return list?.type === "list" && (id === undefined || list.id === id)
    ? list.items.at(-1)
    : undefined;
}

/** Finds scene breaks, and removes empty paragraphs: some writers have them everywhere, others only between scenes. */
export function tidyBlocks(blocks: readonly Block[]): Block[] {
  const isBreak = areBlanksBreaks(blocks);
  const tidy: Block[] = [];
  for (const [index, block] of blocks.entries()) {
    const isScene =
      (block.type === "paragraph" || block.type === "heading") &&
      isSceneBreak(getText(block.content));
    if (isScene || block.type === "break") {
      if (tidy.at(-1)?.type !== "break") tidy.push({ type: "break" });
    } else if (block.type === "paragraph" && !hasContent(block.content)) {
      // The first of several says as much as all of them.
      const isFirst = isShown(blocks[index - 1] ?? block) && tidy.at(-1)?.type === "paragraph";
      if (isBreak && isFirst && isParagraph(findNext(blocks, index))) tidy.push({ type: "break" });
    } else if (block.type === "heading") {
      if (!hasContent(block.content)) continue;
      tidy.push(block);
    } else if (block.type === "quote") {
      const inner = tidyBlocks(block.blocks);
      if (inner.length > 0) tidy.push({ ...block, blocks: inner });
    } else if (block.type === "list") {
      const items = block.items
        .map((item) => item.filter(isShown))
        .filter((item) => item.length > 0);
      if (items.length > 0) tidy.push({ ...block, items });
    } else {
      tidy.push(block);
    }
  }
  return tidy;
}

function isShown(block: Block): boolean {
  return block.type !== "paragraph" || hasContent(block.content);
}

function isParagraph(block: Block | undefined): boolean {
  return block?.type === "paragraph" && !isSceneBreak(getText(block.content));
}

/** Returns the next block that is not empty. */
function findNext(blocks: readonly Block[], index: number): Block | undefined {
  let next = index + 1;
  while (next < blocks.length && !isShown(blocks[next] ?? { type: "break" })) next += 1;
  return blocks[next];
}

/** Whether most paragraphs follow each other without an empty line, so that one is a break between scenes. */
function areBlanksBreaks(blocks: readonly Block[]): boolean {
  let direct = 0;
  let blank = 0;
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    if (!before || !isParagraph(block) || !isShown(block) || !isParagraph(before)) continue;
    if (isShown(before)) direct += 1;
    else blank += 1;
  }
  return direct >= MIN_PARAGRAPHS && direct >= 3 * blank;
}

/** Writes blocks as Markdown. */
export function toMarkdown(blocks: readonly Block[]): string {
  let text = "";
  let before: Block | undefined;
  let isOtherMark = false;
  for (const block of blocks) {
    // Adjacent lists with the same marks would be one list.
    const isAdjacent =
      block.type === "list" && before?.type === "list" && before.isOrdered === block.isOrdered;
    isOtherMark = isAdjacent && !isOtherMark;
    const written = writeBlock(block, isOtherMark);
    if (written === "") continue;
    text += (text && "\n\n") + written;
    before = block;
  }
  return text;
}

function writeBlock(block: Block, isOtherMark: boolean): string {
  switch (block.type) {
    case "paragraph":
      return writeLines(block.content);
    case "heading": {
      const words = writeLines(block.content).replaceAll(/\\?\n/g, " ");
      return words && `${"#".repeat(block.level)} ${words.replace(/(?<!#)#+$/, "\\$&")}`;
    }
    case "break":
      return "---";
    case "quote":
      return toMarkdown(block.blocks)
        .split("\n")
        .map((line) => (line === "" ? ">" : `> ${line}`))
        .join("\n");
    case "code": {
      const longest = block.text.match(/`{3,}/g)?.reduce((a, b) => (b.length > a.length ? b : a));
      const fence = longest === undefined ? "```" : `${longest}\``;
      return `${fence}\n${block.text}\n${fence}`;
    }
    case "list":
      return writeList(block, isOtherMark);
  }
}

function writeList({ isOrdered, start, items }: List, isOtherMark: boolean): string {
  let text = "";
  for (const [index, item] of items.entries()) {
    const ordered = `${start + index}${isOtherMark ? ")" : "."}`;
    const mark = isOrdered ? ordered : isOtherMark ? "*" : "-";
    let content = "";
    let isLoose = false;
    for (const block of item) {
      const written = toMarkdown([block]);
      const isTight = block.type === "list";
      isLoose ||= content !== "" && !isTight;
      content += (content && (isTight ? "\n" : "\n\n")) + written;
    }
    text += `${mark} ${content.replaceAll(/\n(?=[^\n])/g, `\n${" ".repeat(mark.length + 1)}`)}`;
    if (index < items.length - 1) text += isLoose ? "\n\n" : "\n";
  }
  return text;
}

/** Writes the lines of a paragraph, without line breaks at its ends. */
function writeLines(content: readonly Inline[]): string {
  const lines: Inline[][] = [[]];
  for (const inline of content) {
    if (inline.type === "line") lines.push([]);
    else lines.at(-1)?.push(inline);
  }
  return lines
    .map((line) => escapeLineStart(trimLine(writeInlines(mergeRuns(line), {}))))
    .filter((line) => line !== "")
    .join("\\\n");
}

/** Removes the spaces at both ends, but not a Chinese or Japanese indent. */
function trimLine(line: string): string {
  return line.replace(/^[^\S\u3000]+/, "").trimEnd();
}

/** Spaces that HTML shows as one. A no-break space alone stays one: French has it before some marks. */
const SPACES = /[ \t\r\n\u00a0]{2,}|[\t\r\n]/g;

/** Joins runs of the same format, and collapses spaces. */
function mergeRuns(line: readonly Inline[]): Inline[] {
  const spaced = joinRuns(line).map((run) =>
    run.type === "text" ? { ...run, text: run.text.replaceAll(SPACES, " ") } : run,
  );
  return settleEdges(spaced);
}

function isSame(one: Format, other: Format): boolean {
  return FORMATS.every((name) => (one[name] || undefined) === (other[name] || undefined));
}

/** Links first: emphasis around a bracket after a letter would not be read as emphasis. */
const FORMATS = ["href", "isBold", "isItalic"] as const;
const EMPHASIS = ["isBold", "isItalic"] as const;
type FormatName = (typeof FORMATS)[number];

/** Writes each format around as many runs as have it. */
function writeInlines(runs: readonly Inline[], outer: Format): string {
  const written: string[] = [];
  let last = "";
  for (let index = 0; index < runs.length;) {
    const run = runs[index];
    if (!run) break;
    const extents = FORMATS.map((name) => ({
      name,
      end: outer[name] ? index : getExtent(runs, index, name),
    }));
    const { name, end } = extents.reduce((widest, next) => (next.end > widest.end ? next : widest));
    // A mark after another would be read as one longer mark.
    const isBlocked = name !== "href" && /(?<!\\)\*$/.test(last);
    if (end > index && isBlocked && run.type === "text") {
      last = writeInlines([{ ...run, isBold: false, isItalic: false }], outer);
      index += 1;
    } else if (end > index) {
      const format = { ...outer, ...pickFormat(run, name) };
      last = addMarks(writeInlines(runs.slice(index, end), format), name, format);
      index = end;
    } else {
      last = writeInline(run, outer);
      index += 1;
    }
    // A link after an exclamation mark would be a picture.
    if (last.startsWith("[")) written.push(written.pop()?.replace(/!$/, "\\!") ?? "");
    written.push(last);
  }
  return written.join("");
}

function pickFormat(run: Inline, name: FormatName): Format {
  return run.type === "text" ? { [name]: run[name] } : {};
}

/** Returns where the runs end that have the same value of a format as the first one. */
function getExtent(runs: readonly Inline[], start: number, name: FormatName): number {
  const first = runs[start];
  const value = first?.type === "text" ? first[name] : undefined;
  let end = start;
  if (!value) return end;
  for (let run = runs[end]; run?.type === "text" && run[name] === value; run = runs[end]) end += 1;
  return end;
}

function writeInline(run: Inline, outer: Format): string {
  if (run.type === "line") return "\n";
  if (run.type === "picture") return `![${escapeText(run.alt, true)}](${escapeAddress(run.src)})`;
  return escapeText(run.text, outer.href !== undefined);
}

/** Returns words with their marks, which touch words and not spaces. */
function addMarks(written: string, name: FormatName, { href }: Format): string {
  const words = written.trim();
  if (words === "") return written;
  const lead = written.slice(0, written.length - written.trimStart().length);
  const trail = written.slice(written.trimEnd().length);
  if (name === "href") return `${lead}[${words}](${escapeAddress(href ?? "")})${trail}`;
  const mark = name === "isBold" ? "**" : "*";
  return `${lead}${mark}${words}${mark}${trail}`;
}

const PUNCTUATION = "\\p{P}\\p{S}";
// At the end only a whole run is tried: from each of its signs it would take quadratic time.
const EDGES = {
  start: { space: /^\s+/, marks: new RegExp(`^[${PUNCTUATION}]+`, "u") },
  end: {
    space: /(?<!\s)\s+$/,
    marks: new RegExp(`(?<![${PUNCTUATION}])[${PUNCTUATION}]+$`, "u"),
  },
};
const LETTER = new RegExp(`^[^\\s${PUNCTUATION}]$`, "u");

/**
 * Takes emphasis from spaces at the ends of emphasized words, and from punctuation there with a letter beside it: Markdown
 * would show the stars. It looks the same.
 */
function settleEdges(runs: readonly Inline[]): Inline[] {
  // Each change may uncover another at the other end.
  let settled = [...runs];
  for (let round = 0; round < 2; round += 1) {
    settled = joinRuns(
      settled.flatMap((run, index) => settleEdge(run, settled[index - 1], "start")),
    );
    const after = settled;
    settled = joinRuns(after.flatMap((run, index) => settleEdge(run, after[index + 1], "end")));
  }
  return settled;
}

function settleEdge(run: Inline, beside: Inline | undefined, at: keyof typeof EDGES): Inline[] {
  if (run.type !== "text") return [run];
  const other = beside?.type === "text" ? beside : undefined;
  const isNew = (name: FormatName) => run[name] !== undefined && run[name] !== other?.[name];
  if (!EMPHASIS.some((name) => run[name] && !other?.[name])) return [run];
  const common: Format = {
    href: run.href,
    isBold: run.isBold === true && other?.isBold === true,
    isItalic: run.isItalic === true && other?.isItalic === true,
  };
  const next = Array.from(other?.text ?? "");
  const isBesideLetter = LETTER.test((at === "start" ? next.at(-1) : next.at(0)) ?? "");
  // The bracket of a link is punctuation too.
  if (isBesideLetter && run.href !== undefined && isNew("href")) return [{ ...run, ...common }];
  const { space, marks } = EDGES[at];
  const edge =
    space.exec(run.text)?.[0] ?? (isBesideLetter ? marks.exec(run.text)?.[0] : undefined);
  if (edge === undefined) return [run];
  const edgeRun: Inline = { type: "text", text: edge, ...common };
  return at === "start"
    ? [edgeRun, { ...run, text: run.text.slice(edge.length) }]
    : [{ ...run, text: run.text.slice(0, run.text.length - edge.length) }, edgeRun];
}

function joinRuns(runs: readonly Inline[]): Inline[] {
  const joined: Inline[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (run.type === "text" && run.text === "") continue;
    if (run.type === "text" && last?.type === "text" && isSame(run, last)) {
      joined[joined.length - 1] = { ...last, text: last.text + run.text };
    } else joined.push(run);
  }
  return joined;
}

function escapeText(text: string, isInBrackets: boolean): string {
  const escaped = text.replaceAll(
    /[\\`*<]|&(?=#?\w+;)|\](?=[([:])|!(?=\[)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    "\\$&",
  );
  return isInBrackets ? escaped.replaceAll(/(?<!\\)[[\]]/g, "\\$&") : escaped;
}

function escapeAddress(address: string): string {
  return address.replaceAll(/[\s()<>\\]/g, (sign) =>
    encodeURIComponent(sign).replace("(", "%28").replace(")", "%29"),
  );
}
