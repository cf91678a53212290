import { unzipSync } from "fflate/browser";

import { MAX_STORY_LENGTH, MAX_TITLE_LENGTH, toLine } from "#app/writing/draft.ts";
import { isMarkdown, proseToMarkdown } from "#app/writing/plain-prose.ts";
import { getText, tidyBlocks, toMarkdown, type Block } from "./blocks.ts";
import { readDocx } from "./docx-blocks.ts";
import { readHtmlBlocks } from "./html-blocks.ts";
import type { Losses } from "./losses.ts";
import { findElement, getMarkupText, MarkupError, parseMarkup, WINDOWS_1252 } from "./markup.ts";
import { readSiteBlocks } from "./site-blocks.ts";

/** A text from a file, as a story can have it. */
export interface ImportedText {
  /** The document's title, where it is clear; else empty. */
  title: string;
  /** Markdown. */
  text: string;
  /** The title as the document began with it, in Markdown, if it was taken from the text. */
  titleText?: string;
  losses: Losses;
  /** How plain text was read, and how else it could be. */
  reading?: { as: "prose" | "Markdown"; otherText: string };
}

/** Says why a file cannot be imported, and what to do. */
export class ImportError extends Error {}

/** In bytes, uncompressed: a text of the maximum length takes a few MB, with all that Word says about it. */
const MAX_MARKUP_BYTES = 12 * 1024 * 1024;

const DOCX_PART =
  /^(?:word\/(?:document|styles|numbering|footnotes|endnotes|(?:header|footer)\d{1,3})\.xml|word\/_rels\/(?:document|footnotes|endnotes)\.xml\.rels|docProps\/core\.xml)$/;

/** Google Docs puts a web page in a ZIP, with its pictures. */
const WEB_PAGE = /^[^/]+\.html?$/i;

const SAVE_AS_DOCX = "Save it as .docx, then choose it again.";

/** Files of other programs, by their first bytes. */
const OTHER_FILES: [start: string, sentence: string][] = [
  [
    "%PDF",
    "A PDF has pages and no paragraphs. Open the document it was made from, and save that as .docx.",
  ],
  ["{\\rtf", `We can't read RTF files. ${SAVE_AS_DOCX}`],
  [
    "\xd0\xcf\x11\xe0",
    `That's an older Word document (.doc), or one with a password. Remove the password. ${SAVE_AS_DOCX}`,
  ],
];

/** ZIP files that are not `.docx`, by a name in them. */
const OTHER_ZIPS: [name: RegExp, sentence: string][] = [
  [
    /^META-INF\/encryption\.xml$|^EncryptedPackage$/,
    `That file has a password. Remove it, then choose the file again.`,
  ],
  [
    /^META-INF\/container\.xml$/,
    "We can't read EPUB files. Choose the document it was made from, as .docx or .html.",
  ],
  [/^content\.xml$/, `We can't read OpenDocument files. ${SAVE_AS_DOCX}`],
  [
    /^Index\//,
    `We can't read files of Pages. In Pages, export it to Word, then choose the .docx file.`,
  ],
];

const DAMAGED = "That file is damaged or incomplete. Save it again, or copy its text and paste it.";
const EMPTY = "That file has no text. Choose another one.";
const NO_TEXT_FILE = "That file isn't text. Choose a .docx, .md, .txt or .html file.";
const TOO_MUCH = "That file has more in it than we can read. Copy its text and paste it instead.";
const TOO_LONG = `A story can have up to ${MAX_STORY_LENGTH.toLocaleString("en")} characters. Split the document in two.`;

/**
 * Reads a file as a story: Word's, HTML, Markdown or plain text. Runs in the browser, and on the server for those without
 * scripts.
 *
 * @throws {ImportError} with a sentence that says what to do
 */
export function importText({ name, bytes }: { name: string; bytes: Uint8Array }): ImportedText {
  try {
    const imported = readFile(name, bytes);
    if (imported.text.trim() === "") throw new ImportError(EMPTY);
    if (imported.text.length > MAX_STORY_LENGTH) throw new ImportError(TOO_LONG);
    return { ...imported, title: toTitle(imported.title) };
  } catch (error) {
    if (error instanceof MarkupError) throw new ImportError(TOO_MUCH);
    throw error;
  }
}

function readFile(name: string, bytes: Uint8Array): ImportedText {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  if (bytes.length === 0) throw new ImportError(EMPTY);
  if (start.startsWith("PK")) return readZip(bytes);
  const other = OTHER_FILES.find(([sign]) => start.startsWith(sign));
  if (other) throw new ImportError(other[1]);
  const text = decodeText(bytes);
  if (text === null) throw new ImportError(NO_TEXT_FILE);
  const isHtml =
    /\.x?html?$/i.test(name) || /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html)\b/i.test(text);
  return isHtml ? readHtml(text) : readPlain(name, text);
}

function readZip(bytes: Uint8Array): ImportedText {
  // Not unzipped: fflate 0.8.2 may look for a field of such a file for ever.
  if (isZip64(bytes)) throw new ImportError(TOO_MUCH);
  const names: string[] = [];
  let isTooLarge = false;
  let size = 0;
  const files = unzip(bytes, (file) => {
    names.push(file.name);
    if (!DOCX_PART.test(file.name) && !WEB_PAGE.test(file.name)) return false;
    size += file.originalSize;
    isTooLarge ||= size > MAX_MARKUP_BYTES;
    return !isTooLarge;
  });
  if (isTooLarge) throw new ImportError(TOO_MUCH);
  const parts = new Map<string, string>();
  for (const [name, part] of Object.entries(files)) {
    const text = decodeText(part);
    if (text === null) throw new ImportError(DAMAGED);
    parts.set(name, text);
  }
  if (parts.has("word/document.xml")) return readWord(parts);
  const other = OTHER_ZIPS.find(([pattern]) => names.some((name) => pattern.test(name)));
  if (other) throw new ImportError(other[1]);
  const pages = [...parts].filter(([name]) => WEB_PAGE.test(name));
  if (pages.length === 1) return readHtml(pages[0]?.[1] ?? "");
  throw new ImportError(NO_TEXT_FILE);
}

/** Whether a ZIP is of the kind for more than 4 GB. Its last record, which a comment may follow, says so. */
function isZip64(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = Math.max(0, bytes.length - 22 - 0xffff);
  for (let end = bytes.length - 22; end >= first; end -= 1) {
    if (view.getUint32(end, true) !== 0x06054b50) continue;
    return (
      view.getUint16(end + 8, true) === 0xffff || view.getUint32(end + 16, true) === 0xffffffff
    );
  }
  return false;
}

function unzip(
  bytes: Uint8Array,
  filter: (file: { name: string; originalSize: number }) => boolean,
) {
  try {
    return unzipSync(bytes, { filter });
  } catch {
    throw new ImportError(DAMAGED);
  }
}

function readWord(parts: ReadonlyMap<string, string>): ImportedText {
  const losses: Losses = new Map();
  const { blocks, notes, title } = readDocx(parts, losses);
  return toStory(
    blocks,
    losses,
    /^(?:untitled|document\d*|microsoft word|dokument)/i.test(title) ? "" : title,
    notes,
  );
}

function readHtml(html: string): ImportedText {
  if (html.length > MAX_MARKUP_BYTES) throw new ImportError(TOO_MUCH);
  const losses: Losses = new Map();
  const page = parseMarkup(html, "html");
  const site = readSiteBlocks(page, losses);
  if (site) return toStory(site.blocks, losses, site.title);
  const title = findElement(page, "title");
  const blocks = readHtmlBlocks(page.children, losses);
  return toStory(blocks, losses, title ? getMarkupText(title) : "");
}

/** @param fallback the title that the file has, if its text shows none */
function toStory(
  blocks: Block[],
  losses: Losses,
  fallback: string,
  notes: Block[][] = [],
): ImportedText {
  const whole = removeEdgeBreaks(tidyBlocks(blocks));
  const { title, rest } = takeTitle(whole);
  const text = toMarkdown([...raiseHeadings(removeEdgeBreaks(rest)), ...toNotes(notes)]);
  const titleText = title && toMarkdown(whole.slice(0, 1));
  return { title: title || fallback, text, losses, ...(titleText && { titleText }) };
}

/** Removes the scene breaks before and after all scenes. */
function removeEdgeBreaks(blocks: readonly Block[]): Block[] {
  const isScene = ({ type }: Block) => type !== "break";
  return blocks.slice(blocks.findIndex(isScene), blocks.findLastIndex(isScene) + 1);
}

const CHAPTER = /^(?:chapter|part|book|prologue)\b/i;

/** Returns the title that a document begins with, and the other blocks. */
function takeTitle(blocks: Block[]): { title: string; rest: Block[] } {
  const [first] = blocks;
  if (first?.type !== "paragraph" && first?.type !== "heading") return { title: "", rest: blocks };
  const words = toLine(getText(first.content));
  const others = blocks.slice(1).flatMap((block) => (block.type === "heading" ? block.level : []));
  const isHighest =
    first.type === "heading" && others.length > 0 && Math.min(...others) > first.level;
  const isLine = words !== "" && words.length <= MAX_TITLE_LENGTH;
  const isTitle = isLine && (first.isTitle ?? (isHighest && !CHAPTER.test(words)));
  return isTitle ? { title: words, rest: blocks.slice(1) } : { title: "", rest: blocks };
}

/** Makes chapters of the highest headings: those of level 1 and 2 are. */
function raiseHeadings(blocks: readonly Block[]): Block[] {
  const levels = blocks.flatMap((block) => (block.type === "heading" ? block.level : []));
  const shift = Math.max(0, Math.min(...levels) - 2);
  return blocks.map((block) =>
    block.type === "heading" && shift > 0 ? { ...block, level: block.level - shift } : block,
  );
}

/** Returns notes as a list at the end. The text refers to them by their numbers. */
function toNotes(notes: readonly Block[][]): Block[] {
  if (notes.length === 0) return [];
  const items = notes.map((note) => tidyBlocks(note));
  return [
    { type: "heading", level: 3, content: [{ type: "text", text: "Notes" }] },
    { type: "list", isOrdered: true, start: 1, items },
  ];
}

function readPlain(name: string, text: string): ImportedText {
  const losses: Losses = new Map();
  const title = "";
  const prose = proseToMarkdown(text);
  if (prose === text.trim()) return { title, text, losses };
  return /\.(?:md|markdown)$/i.test(name) || isMarkdown(text)
    ? { title, text, losses, reading: { as: "Markdown", otherText: prose } }
    : { title, text: prose, losses, reading: { as: "prose", otherText: text } };
}

function toTitle(title: string): string {
  const line = toLine(title);
  return line.length > MAX_TITLE_LENGTH ? "" : line;
}

/** In bytes: how much of a file is looked at to find its encoding. */
const SAMPLE = 4096;

const BYTE_ORDER_MARKS: [encoding: string, bytes: number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** What text has no use for. `\x1a` ended files of DOS. */
// oxlint-disable-next-line no-control-regex -- finds these
const CONTROLS = /[\0-\x08\x0e-\x19\x1b-\x1f]/;

/**
 * Decodes a text file with LF line breaks: UTF-8, UTF-16 with or without a byte order mark, or else Windows-1252, in which
 * Notepad wrote for decades. Returns `null` if it is no text.
 */
function decodeText(bytes: Uint8Array): string | null {
  const encoding = findMark(bytes) ?? findUtf16(bytes) ?? findDeclared(bytes) ?? "utf-8";
  const text = decode(bytes, encoding) ?? decode(bytes, "windows-1252");
  if (text === null || CONTROLS.test(text)) return null;
  return (
    text
      .replaceAll("\u001a", "")
      // Some versions of Node decode Windows-1252 as if it were Latin-1, where these are controls.
      .replaceAll(/[\u0080-\u009f]/g, (sign) => WINDOWS_1252.charAt(sign.charCodeAt(0) - 128))
      .replaceAll(/\r\n?/g, "\n")
      .toWellFormed()
  );
}

function findMark(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) =>
    mark.every((byte, index) => bytes[index] === byte),
  )?.[0];
}

/** In UTF-16, every other byte of Latin letters, spaces and line breaks is zero. */
function findUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length / 20 && even === 0) return "utf-16le";
  return even > sample.length / 20 && odd === 0 ? "utf-16be" : undefined;
}

/**
 * Returns the encoding that HTML declares. A declaration that was read here is not in UTF-16, whatever it says.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
 */
function findDeclared(bytes: Uint8Array): string | undefined {
  const start = decode(bytes.subarray(0, SAMPLE), "windows-1252") ?? "";
  const declared = /<meta[^>]+charset=["']?([\w-]+)/i.exec(start)?.[1];
  return /^utf-16|unicode|ucs-2/i.test(declared ?? "") ? undefined : declared;
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
