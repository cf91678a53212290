/** Blocks of Markdown that can be parsed on their own, except that fenced code may continue in the next piece. */
export interface MarkdownPiece {
  text: string;
  /** What parsing it costs at most, in the time that one character of plain prose takes. */
  cost: number;
}

/** The maximum nesting of quotes and lists, as in markdown-it. The parser recurses for each level. */
const MAX_DEPTH = 100;

/** How many times as long as plain prose of the same length a text may take. Short texts may always take `MIN_COST`. */
const MAX_COST_PER_CHARACTER = 4;
const MIN_COST = 500_000;

/** Parsing a piece cannot be interrupted. At this cost, it takes less time than a long novel in one piece. */
export const MAX_PIECE_COST = 400_000;

/** A piece ends at the next possible place after this cost. The parser takes quadratic time for long lists of blocks. */
const PIECE_COST = 20_000;

/** The costs of a line, an empty line, a paragraph, a quote or list item, a special character, and a link. */
const LINE_COST = 25;
const EMPTY_LINE_COST = 10;
const PARAGRAPH_COST = 45;
const MARKER_COST = 120;
const CONTINUED_MARKER_COST = 30;
const HEAVY_COST = 15;
const LINK_COST = 50;

/**
 * The parser may scan to the end of the paragraph at each special character, and compares it with the others. A line, an
 * escape or a reference weighs less than a bracket.
 */
const SCAN_COST = 1 / 50;
const PAIR_COST = 1 / 20;
const LIGHT_WEIGHT = 1 / 4;

/**
 * When a line begins a quote or item, continues it without its marker, or turns the lines before it into a heading, the
 * parser may go through everything it has found in this piece. This is the cost for each of the lines before it.
 */
const EARLIER_LINE_COST = 1 / 4;
const EARLIER_ITEM_COST = 1 / 20;

/** The maximum cost of all comparisons of a reference with a definition. */
const DEFINITION_COST = 1 / 50;

const LEAD = /^(?:[ \t>]|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))+/;

const MARKER = /[-+*>]|\d+[.)]/g;

const NO_PARAGRAPH = { lead: "", length: 0, weight: 0, heavy: 0 };

/** An item that ends the paragraph before it. */
const ITEM = /^ {0,3}(?:[-+*]|1[.)])[ \t]+\S/;

const HEADING = /^ {0,3}#/;

const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;

/** A line that ends all lists, quotes and indented code before it, if it follows an empty line. */
const TOP_LEVEL = /^(?!(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$))[^ \t]/;

/** A line that may be the last of a code block, which the parser has to see whole. */
const CODE = /^(?:[ \t>]*(?:`{3}|~{3})| {4}|\t)/;

/** Whether a text has too many marks for its length to be shown with its formatting. Takes linear time. */
export function isTooComplex(markdown: string): boolean {
  return splitMarkdown(markdown) === null;
}

/**
 * Splits a text between blocks, so that it can be parsed piece by piece; `null` if Markdown would take the parser far
 * longer than any real text, or overflow its stack. Takes linear time. Depth and cost are estimates, but rarely too low.
 */
export function splitMarkdown(markdown: string): MarkdownPiece[] | null {
  const maxCost = Math.max(MIN_COST, MAX_COST_PER_CHARACTER * markdown.length);
  const pieces: MarkdownPiece[] = [];
  let depth = 0;
  let total = 0;
  let cost = 0;
  let start = 0;
  let number = 0;
  let definitions = 0;
  let references = 0;
  let isAfterBlank = true;
  let isAfterCode = false;
  let paragraph = NO_PARAGRAPH;

  function endParagraph() {
    const { length, weight, heavy } = paragraph;
    cost += length * weight * SCAN_COST + heavy ** 2 * PAIR_COST;
    paragraph = NO_PARAGRAPH;
  }

  function endPiece(end: number) {
    if (end > start) pieces.push({ text: markdown.slice(start, end), cost });
    total += cost;
    cost = 0;
    start = end;
    number = 0;
  }

  for (const { 0: whole, 1: line = "", index } of markdown.matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g)) {
    if (isAfterBlank && !isAfterCode && cost > PIECE_COST && TOP_LEVEL.test(line)) endPiece(index);
    const lead = LEAD.exec(line)?.[0] ?? "";
    const markers = countMarkers(lead, lead === line);
    // A line without markers starts no quote or item, and may continue all of them.
    if (markers > 0) depth = markers + Math.min(depth, countContinued(lead));
    const isBlank = /^[ \t>]*$/.test(line);
    const isItem = ITEM.test(line);
    const isHeading = HEADING.test(line);
    const isContinued = paragraph.length > 0 && !isItem;
    cost += whole.length + (line === "" ? EMPTY_LINE_COST : LINE_COST);
    cost += markers * (isContinued ? CONTINUED_MARKER_COST : MARKER_COST);
    if (isHeading || (markers > 0 && !isContinued)) cost += number * EARLIER_ITEM_COST;

    if (isBlank || isItem || isHeading) endParagraph();
    if (!isBlank) {
      if (paragraph.length === 0) cost += PARAGRAPH_COST;
      else if (UNDERLINE.test(line) || isLazy(lead, paragraph.lead))
        cost += number * EARLIER_LINE_COST;
      const heavy = line.match(/[[\]<*_`]/g)?.length ?? 0;
      const light = line.match(/[!&\\]/g)?.length ?? 0;
      const links = line.split("](").length - 1;
      cost += (heavy + light) * HEAVY_COST + links * LINK_COST;
      paragraph = {
        lead: lead.length > paragraph.lead.length ? lead : paragraph.lead,
        length: paragraph.length + line.length + 1,
        weight: paragraph.weight + heavy + (1 + light) * LIGHT_WEIGHT,
        heavy: paragraph.heavy + heavy,
      };
      isAfterCode = CODE.test(line);
      // Texts with definitions are parsed twice.
      if (line.includes("]:")) definitions += 1;
      references += line.split("]").length - 1;
    }
    isAfterBlank = /^[ \t]*$/.test(line);
    number += 1;
    const comparisons = definitions * references * DEFINITION_COST;
    if (depth > MAX_DEPTH || cost > MAX_PIECE_COST || total + cost + comparisons > maxCost) {
      return null;
    }
  }
  endParagraph();
  if (cost > MAX_PIECE_COST || total + cost > maxCost) return null;
  endPiece(markdown.length);
  return pieces;
}

/** Returns the number of quotes and items that a line starts. */
function countMarkers(lead: string, isWhole: boolean): number {
  const marks = lead.match(MARKER) ?? [];
  return marks.length - (isWhole ? countRule(marks) : 0);
}

/** Returns the maximum number of lists that a line may continue. Each takes at least two columns of indentation. */
function countContinued(lead: string): number {
  const blanks = lead.replaceAll(/\S /g, "").replaceAll("\t", "    ").replaceAll(/\S/g, "");
  return Math.floor(blanks.length / 2);
}

/** Whether a line may continue the paragraph before it without all markers of its quotes and items. */
function isLazy(lead: string, before: string): boolean {
  if (!/\S/.test(before)) return false;
  return lead.length < before.length || countQuotes(lead) < countQuotes(before);
}

function countQuotes(lead: string): number {
  return lead.split(">").length - 1;
}

/** Returns how many markers at the end of a line are a thematic break: three or more of the same. */
function countRule(marks: readonly string[]): number {
  const sign = marks.at(-1);
  if (sign !== "-" && sign !== "*") return 0;
  const count = marks.length - 1 - marks.findLastIndex((mark) => mark !== sign);
  return count < 3 ? 0 : count;
}
