/**
 * What people write in Markdown but hardly in prose: headings, quotes, code, items with `*`, a list from 1 to 2, and links.
 * Not `-`, which begins a line of dialogue in many languages, nor emphasis, which means the same in both.
 */
const MARKDOWN =
  /^ {0,3}(?:#{1,6} +\S|> ?\S|```|={3,} *$|[*+] +[^*\s]|1[.)] .*\n+ *2[.)] )|\[[^[\]\n]+\](?:\([^\s()]+|: *<?https?:)/m;

/** In UTF-16 units. Lines of prose that were wrapped have one of these lengths at most. */
const WRAPPED = { min: 40, max: 100 };
const MAX_VERSE_LENGTH = 60;

/** What is not broken at the end of a line: a word, or up to a sign of Chinese or Japanese, which have no spaces. */
const FIRST_WORD = /^\S(?:(?<![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\uFF01-\uFFEE])\S)*/u;

/** Chinese and Japanese indents are ideographic spaces, which stay in the text. */
const INDENT = /^[ \t\u3000]+\S/;

/** Whether text has the signs of Markdown. Otherwise it is prose. */
export function isMarkdown(text: string): boolean {
  return MARKDOWN.test(text);
}

/**
 * Writes prose as Markdown: each line is a paragraph, whatever it begins with. Lines that were wrapped at the same width are
 * joined, and short lines that begin at the margin, with blank ones between, are verse. Emphasis stays.
 */
export function proseToMarkdown(prose: string): string {
  const lines = prose.split("\n");
  const isWrapped = isHardWrapped(lines);
  const isVerse = !isWrapped && isInStanzas(lines);
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const words = line.replace(/^[ \t]+/, "").trimEnd();
    if (words.trim() === "") {
      isOpen = false;
    } else if (isSceneBreak(words)) {
      paragraphs.push("---");
      isOpen = false;
    } else {
      const escaped = escapeMarkdown(words);
      const isNext = isOpen && (isVerse || (isWrapped && !INDENT.test(line)));
      if (isNext) paragraphs.push(`${paragraphs.pop() ?? ""}${isVerse ? "\\" : ""}\n${escaped}`);
      else paragraphs.push(escaped);
      isOpen = true;
    }
  }
  return paragraphs.join("\n\n");
}

/** Whether the first word of almost every next line would not have fitted into the line before. */
function isHardWrapped(lines: string[]): boolean {
  const width = lines.reduce((longest, { length }) => Math.max(longest, length), 0);
  let pairs = 0;
  let full = 0;
  for (const [index, line] of lines.entries()) {
    const next = FIRST_WORD.exec(lines[index + 1] ?? "")?.[0];
    if (line.trim() === "" || next === undefined) continue;
    pairs += 1;
    if (line.trimEnd().length + 1 + next.length > width) full += 1;
  }
  return width >= WRAPPED.min && width <= WRAPPED.max && pairs >= 3 && full / pairs >= 0.9;
}

function isInStanzas(lines: string[]): boolean {
  const text = lines.map((line) => line.trim()).join("\n");
  const isShort = lines.every((line) => line.length <= MAX_VERSE_LENGTH && !INDENT.test(line));
  return isShort && /\S\n{2,}\S/.test(text);
}

function escapeMarkdown(line: string): string {
  return escapeLineStart(line.replaceAll(/[\\`<]|&(?=#?\w+;)/g, "\\$&"));
}

/** Escapes what would begin a heading, a quote, a list or a rule. */
export function escapeLineStart(line: string): string {
  return line.replace(/^(?:[#>+=~-]|\*(?=\s))/, "\\$&").replace(/^(\d+)(?=[.)])/, "$1\\");
}

/** Marks that writers put between scenes: `* * *`, `---`, `~*~`, or one `#`, `*` or `⁂` alone. */
const SCENE_BREAK = /^(?:([*_~#•·–—-])(?:\s*\1){2,}|([~*•·-])\s*[~*•·]\s*\2|[#*⁂])$/u;

/** Whether a paragraph is nothing but a break between two scenes. */
export function isSceneBreak(text: string): boolean {
  return SCENE_BREAK.test(text.trim());
}
