/** How many quotes and lists may be in one another: as many as markdown-it takes. Each level is one of recursion. */
const MAX_DEPTH = 100;

/**
 * The parser may read on to the end of the paragraph at each sign, and the same again at the next one. A novel costs
 * a hundredth of this, a poem of 800 lines without a stanza a half; what costs all of it takes a second or two.
 */
const MAX_COST = 20_000_000;

/** A line, an escape or a reference is cheaper than a bracket. */
const CHEAP = 1 / 4;

/** What a paragraph costs, and each quote or item, beside what is in them. */
const PARAGRAPH_COST = 500;
const MARK_COST = 1500;

/**
 * For a line that goes on with a quote or an item without its sign, and for one that makes a heading of those before
 * it, the parser goes through what it has found so far: so much a line.
 */
const LOOKING_BACK_COST = 8;

const LEAD = /^(?:[ \t>]|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))+/;

const MARK = /[-+*>]|\d+[.)]/g;

const NONE = { lead: "", length: 0, weight: 0 };

/** Such an item ends the paragraph before it, whatever that was. */
const ITEM = /^ {0,3}(?:[-+*]|1[.)])[ \t]+\S/;

const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;

/**
 * Tells, in a time that grows with the text alone, whether Markdown would take the parser far longer than any text
 * that is meant to be read, or more recursion than there is room for. Never lower than what the parser finds, both the
 * depth and the cost are estimates.
 */
export function isTooIntricate(markdown: string): boolean {
  let depth = 0;
  let cost = 0;
  let paragraph = NONE;
  for (const [number, line] of markdown.split(/\r\n?|\n/).entries()) {
    const lead = LEAD.exec(line)?.[0] ?? "";
    const marks = listMarks(lead, lead === line);
    // Without a mark nothing new begins, and what was begun may go on.
    if (marks > 0) depth = marks + Math.min(depth, countKept(lead));
    cost += marks * MARK_COST;

    const isBlank = /^[ \t>]*$/.test(line);
    if (isBlank || ITEM.test(line)) {
      cost += paragraph.length * paragraph.weight;
      paragraph = NONE;
    }
    if (!isBlank) {
      if (paragraph.length === 0) cost += PARAGRAPH_COST;
      else if (UNDERLINE.test(line) || isLazy(lead, paragraph.lead))
        cost += number * LOOKING_BACK_COST;
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

/** Returns how many quotes and items a line begins. */
function listMarks(lead: string, isWhole: boolean): number {
  const marks = lead.match(MARK) ?? [];
  return marks.length - (isWhole ? countRule(marks) : 0);
}

/** Returns how many lists at most a line goes on with: two columns is the least, and a mark's own blank is none. */
function countKept(lead: string): number {
  const blanks = lead.replaceAll(/\S /g, "").replaceAll("\t", "    ").replaceAll(/\S/g, "");
  return Math.floor(blanks.length / 2);
}

/** Tells whether a line may lack signs of the quotes and items that the paragraph before it is in. */
function isLazy(lead: string, before: string): boolean {
  if (!/\S/.test(before)) return false;
  return lead.length < before.length || countQuotes(lead) < countQuotes(before);
}

function countQuotes(lead: string): number {
  return lead.split(">").length - 1;
}

/** Three or more of a sign at the end of a line are no lists, but a rule. */
function countRule(marks: readonly string[]): number {
  const sign = marks.at(-1);
  if (sign !== "-" && sign !== "*") return 0;
  const count = marks.length - 1 - marks.findLastIndex((mark) => mark !== sign);
  return count < 3 ? 0 : count;
}

function weigh(line: string): number {
  const signs = line.match(/[[\]<*_`]/g)?.length ?? 0;
  const cheap = line.match(/[!&\\]/g)?.length ?? 0;
  return signs + (1 + cheap) * CHEAP;
}
