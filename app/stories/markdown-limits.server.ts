/** The maximum nesting of quotes and lists, as in markdown-it. The parser recurses for each level. */
const MAX_DEPTH = 100;

/**
 * The parser may scan to the end of the paragraph at each special character. A novel costs a hundredth of this maximum,
 * and a poem with 800 lines in one stanza half of it. A text at the maximum takes one or two seconds.
 */
const MAX_COST = 20_000_000;

/** The weight of a line, an escape or a reference, relative to a bracket. */
const LIGHT_WEIGHT = 1 / 4;

/** The cost of a paragraph and of a quote or list item, without their contents. */
const PARAGRAPH_COST = 500;
const MARKER_COST = 1500;

/**
 * When a line continues a quote or item without its marker, or turns the lines before it into a heading, the parser goes
 * through everything it has found so far. This is the cost for each of the lines before it.
 */
const EARLIER_LINE_COST = 8;

const LEAD = /^(?:[ \t>]|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))+/;

const MARKER = /[-+*>]|\d+[.)]/g;

const NO_PARAGRAPH = { lead: "", length: 0, weight: 0 };

/** An item that ends the paragraph before it. */
const ITEM = /^ {0,3}(?:[-+*]|1[.)])[ \t]+\S/;

const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;

/**
 * Whether Markdown would take the parser far longer than any real text, or overflow its stack. Takes linear time. Depth
 * and cost are estimates, but never too low.
 */
export function isTooComplex(markdown: string): boolean {
  let depth = 0;
  let cost = 0;
  let paragraph = NO_PARAGRAPH;
  for (const [number, line] of markdown.split(/\r\n?|\n/).entries()) {
    const lead = LEAD.exec(line)?.[0] ?? "";
    const markers = countMarkers(lead, lead === line);
    // A line without markers starts no quote or item, and may continue all of them.
    if (markers > 0) depth = markers + Math.min(depth, countContinued(lead));
    cost += markers * MARKER_COST;

    const isBlank = /^[ \t>]*$/.test(line);
    if (isBlank || ITEM.test(line)) {
      cost += paragraph.length * paragraph.weight;
      paragraph = NO_PARAGRAPH;
    }
    if (!isBlank) {
      if (paragraph.length === 0) cost += PARAGRAPH_COST;
      else if (UNDERLINE.test(line) || isLazy(lead, paragraph.lead))
        cost += number * EARLIER_LINE_COST;
      paragraph = {
        lead: lead.length > paragraph.lead.length ? lead : paragraph.lead,
        length: paragraph.length + line.length + 1,
        weight: paragraph.weight + weigh(line),
      };
    }
    if (depth > MAX_DEPTH || cost > MAX_COST) return true;
  }
  return cost + paragraph.length * paragraph.weight > MAX_COST;
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

function weigh(line: string): number {
  const heavy = line.match(/[[\]<*_`]/g)?.length ?? 0;
  const light = line.match(/[!&\\]/g)?.length ?? 0;
  return heavy + (1 + light) * LIGHT_WEIGHT;
}
