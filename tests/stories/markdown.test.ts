import fc from "fast-check";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { expect, test } from "vitest";

import { readCjkEmphasis, readHtmlAsText, keepDialogue } from "#app/stories/markdown-plugins.ts";
import { MAX_PIECE_COST, splitMarkdown } from "#app/stories/markdown-limits.ts";
import { getParagraphText, runSteps, toFileInSteps } from "#app/stories/markdown.server.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { renderMarkdown, toPlainText } from "#tests/support/markdown.ts";
import { makeLongText } from "#tests/support/stories.ts";

/** Texts that try to run scripts. */
const HOSTILE = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "text <img src=x onerror=alert(1)> text",
  '<img src="x" onerror="alert(1)">',
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<iframe src=javascript:alert(1)></iframe>",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "<body onload=alert(1)>",
  "<style>@import 'javascript:alert(1)';</style>",
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<a href="javascript:alert(1)">x</a>',
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java\tscript:alert(1))",
  "[x](  javascript:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1))",
  "[x](javascript&colon;alert(1))",
  "[x](vbscript:msgbox(1))",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "[x](<javascript:alert(1)>)",
  "[x]( \u0001javascript:alert(1))",
  "[x][1]\n\n[1]: javascript:alert(1)",
  "<javascript:alert(1)>",
  "![x](javascript:alert(1))",
  "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)",
  '![x](https://example.com/x.png"onerror="alert(1))',
  '![x" onerror="alert(1)](https://example.com/x.png)',
  '[x](https://example.com "title\\" onclick=\\"alert(1)")',
  '[x](https://example.com/"onmouseover="alert(1))',
  "`<script>alert(1)</script>`",
  "```\n</code></pre><script>alert(1)</script>\n```",
  '```"><script>alert(1)</script>\ntext\n```',
  "    <script>alert(1)</script>",
  "> <script>alert(1)</script>",
  "- <script>alert(1)</script>",
  "# <script>alert(1)</script>",
  "\\<script>alert(1)\\</script>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "<!--><script>alert(1)</script>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml version='1.0'?><script>alert(1)</script>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  "</noscript><script>alert(1)</script>",
  "</section></div><script>alert(1)</script>",
  "<math><mtext></mtext><mglyph><svg><mtext><style><img src=x onerror=alert(1)>",
  "<form action=javascript:alert(1)><button>x</button></form>",
  '<button form="save-position" formaction="javascript:alert(1)">x</button>',
  "<input autofocus onfocus=alert(1)>",
  "<details open ontoggle=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<object data=javascript:alert(1)></object>",
  "<embed src=javascript:alert(1)>",
  "<link rel=stylesheet href=javascript:alert(1)>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<base href=//evil.example/>",
  '<p id="page">x</p>',
  '<a name="save-position">x</a>',
  "<template><script>alert(1)</script></template>",
  "<xmp><script>alert(1)</script></xmp>",
  "<textarea><script>alert(1)</script>",
  "\u0000<script>alert(1)</script>",
  "<scr\u0000ipt>alert(1)</scr\u0000ipt>",
  "<script\n>alert(1)</script\n>",
  "<<script>script>alert(1)<</script>/script>",
];

const TAGS = new Set(
  "a blockquote br button code em h2 h3 h4 h5 h6 hr img li noscript ol p pre section strong ul".split(
    " ",
  ),
);

const ATTRIBUTES: Record<string, RegExp> = {
  alt: /^/,
  "data-unparsed": /^$/,
  decoding: /^async$/,
  form: /^save-position$/,
  href: /^(https?:|mailto:|[^:]*([/?#]|$))/i,
  id: /^p-[\da-z]+(-\d+)?$/,
  loading: /^lazy$/,
  name: /^paragraph$/,
  referrerpolicy: /^no-referrer$/,
  rel: /^nofollow ugc noopener$/,
  src: /^(https:|[^:]*([/?#]|$))/i,
  start: /^\d+$/,
  title: /^/,
  type: /^submit$/,
  value: /^p-[\da-z]+(-\d+)?$/,
};

/** Returns every serialized tag and attribute that is not on the lists of safe ones. */
function findUnsafe(html: string): string[] {
  const unsafe: string[] = [];
  // The serializer quotes and escapes all values, so these patterns match everything it writes.
  const rest = html.replaceAll(
    /<\/?([a-z][a-z\d]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/gi,
    (_tag: string, name: string, attributes: string) => {
      if (!TAGS.has(name)) unsafe.push(name);
      for (const [, key = "", value = ""] of attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)) {
        if (!ATTRIBUTES[key]?.test(value)) unsafe.push(`${name} ${key}=${value}`);
      }
      return "";
    },
  );
  if (rest.includes("<")) unsafe.push(rest.slice(rest.indexOf("<"), rest.indexOf("<") + 40));
  return unsafe;
}

test.each(HOSTILE)("runs nothing of %j", (markdown) => {
  expect(findUnsafe(renderMarkdown(markdown).html)).toEqual([]);
  expect(findUnsafe(renderMarkdown(`A line.\n\n${markdown}\n\nAnother.`).html)).toEqual([]);
});

test("finds unsafe tags and attributes with the check that these tests use", () => {
  const unsafe = [
    "<script>",
    '<p onclick="x">',
    '<a href="javascript:x">',
    '<img src="data:x">',
    '<p id="page">',
    "<svg",
  ];

  for (const html of unsafe) expect(findUnsafe(html), html).not.toEqual([]);
});

test("runs nothing of random combinations of markup", () => {
  const pieces = fc.constantFrom(
    ...[
      "<",
      ">",
      "</",
      "/>",
      "script",
      "img",
      "svg",
      "a",
      " href=",
      " src=",
      " onerror=",
      "javascript:",
    ],
    ...[
      "alert(1)",
      '"',
      "'",
      "`",
      "```",
      "[",
      "]",
      "(",
      ")",
      "![",
      "&#106;",
      "\n",
      "\n\n",
      "    ",
      "> ",
      "- ",
    ],
    ...[
      "x",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?",
      "*",
      "_",
      "#",
      "\\",
      "\u0000",
      "https://",
      "data:",
    ],
  );
  const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(""));

  fc.assert(
    fc.property(texts, (markdown) => {
      expect(findUnsafe(renderMarkdown(markdown).html)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

/** Texts that would take the parser minutes, or overflow its stack. */
const COMPLEX: Record<string, string> = {
  "a quote in quotes": `${">".repeat(3000)} deep`,
  "a quote in quotes, of the maximum length": "> ".repeat(MAX_STORY_LENGTH / 2),
  "emoji in a quote in quotes": `${">".repeat(3000)} ${"😀".repeat(3000)}`,
  "a list in lists": listIn(500),
  "a list in lists on one line": `${"- ".repeat(5000)}deep`,
  "an image in images": `${"![".repeat(5000)}deep${"](https://example.com/a.png)".repeat(5000)}`,
  "links that never end": "[a](".repeat(20_000),
  "images without an address": "![a][b]".repeat(20_000),
  "overlapping emphasis": "*a_ ".repeat(20_000),
  "comments that never end": `a ${"<!-- ".repeat(20_000)}`,
  "few comments that never end, before a long text": `a ${"<!-- ".repeat(1000)}${"sea ".repeat(50_000)}`,
  "code that never ends": Array.from({ length: 400 }, (_, count) => "`".repeat(count)).join(" "),
  "line breaks that never end": "a\\\n".repeat(50_000),
  "underlined headings": "a\n=\n".repeat(20_000),
  "quotes that are continued without a marker": "> a\nb\n\n".repeat(8_000),
  "items that never end": "- a\n\n> b\n\n".repeat(10_000),
  "items in items, again and again": `${"- ".repeat(90)}a\n\n`.repeat(1000),
  "headings underlined one by one": "a\n=\n\n".repeat(8_000),
};

test.each(Object.entries(COMPLEX))("shows %s unrendered", (_, text) => {
  const { html } = renderMarkdown(`The first.\n\n${text}\n\n<b>The last.`);

  expect(html).toMatch(/^<section><p data-unparsed="" id="p-[^"]+">The first\./);
  expect(html).toMatch(
    /&#x3C;b>The last\.<\/p><noscript><button [^>]+>Save my reading position here<\/button>/,
  );
  expect(html.isWellFormed()).toBe(true);
  expect(findUnsafe(html)).toEqual([]);
  expect(toPlainText(text).replaceAll(/\s+/g, "")).toBe(text.replaceAll(/\s+/g, ""));
});

/** Pieces of hostile Markdown, of which a whole story is made. */
const HOSTILE_PIECES = fc.oneof(
  fc.constantFrom(
    ...[
      "a\n\n",
      "a\n",
      "a  \n",
      "a\\\n",
      "- a\n",
      "- a\n\n",
      "1. a\n",
      "> a\n",
      "> a\n\n",
      ">\n\n",
    ],
    ...[
      "# a\n",
      "## a\n\n",
      "a\n=\n",
      "a\n-\n\n",
      "***\n",
      "-\n",
      "`a` ",
      "```\na\n```\n",
      "```\n\n",
      "    a\n\n",
    ],
    ...[
      "*a* ",
      "**a** ",
      "*a_ ",
      "*a\n\n",
      "**a\n\n",
      "[a](b) ",
      "[a](",
      "[",
      "]",
      "![",
      "](b)",
      "[a][b]",
      "![a](b)",
    ],
    ...[
      "[a]: http://x\n",
      "[a]\n\n",
      "[Anna]: Hi\n",
      "&amp; ",
      "\\* ",
      "<http://a> ",
      "<",
      "<b>a</b> ",
      "<!-- ",
      "<div>\n\n",
    ],
    ...["| a | b |\n|---|---|\n", "\n", "\t", "\0", "א\n\n", "。\n\n", "a\u0300\n\n"],
  ),
  fc.integer({ min: 2, max: 99 }).map((depth) => `${"> ".repeat(depth)}a\n\n`),
  fc.integer({ min: 2, max: 99 }).map((depth) => `${"- ".repeat(depth)}a\n\n`),
  fc.integer({ min: 2, max: 60 }).map((depth) => `${listIn(depth)}\n\n`),
  fc.integer({ min: 2, max: 500 }).map((count) => `${"*".repeat(count)}a\n\n`),
);

test("renders no hostile text of full size as more than 100,000 elements", () => {
  fc.assert(
    fc.property(fc.array(HOSTILE_PIECES, { minLength: 1, maxLength: 3 }), (pattern) => {
      const text = pattern.join("");
      const { html } = renderMarkdown(text.repeat(MAX_STORY_LENGTH / text.length));
      expect(html.split(/<\w/).length).toBeLessThan(100_000);
    }),
    { numRuns: 10 },
  );
});

test("does no more than a small part of the work for a hostile text of full size in one step", () => {
  const patterns = fc.array(HOSTILE_PIECES, { minLength: 1, maxLength: 4 });

  fc.assert(
    fc.property(patterns, fc.integer({ min: 1000, max: MAX_STORY_LENGTH }), (pattern, length) => {
      const text = pattern.join("");
      const pieces = splitMarkdown(text.repeat(Math.max(1, length / text.length))) ?? [];
      expect(Math.max(0, ...pieces.map(({ cost }) => cost))).toBeLessThanOrEqual(MAX_PIECE_COST);
      expect(pieces.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(
        5 * MAX_STORY_LENGTH,
      );
    }),
  );
});

test("renders a text in pieces like the whole text", () => {
  const blocks = fc.constantFrom(
    ...["The sea is *not* a road.", "“Yes,” she said.", "- salt\n- brass", "1. one\n\n   two"],
    ...[
      "> said\nlazy",
      "1) one",
      "```\ncode\n\nmore\n```",
      "```\nopen",
      "Before\n~~~\ncode\n\nmore\n~~~",
      "    indented\n\n    code",
      "~~~\n\n",
    ],
    ...[
      "[a] and *more*",
      "![b][a]",
      "[a]: https://example.com/a",
      "> [a]: https://example.com/b\n",
      "# One",
      "Two\n---",
    ],
    ...["***", "- ```\n  in an item", "<!-- open", "a\\\nb"],
  );
  // Long enough to end a piece.
  const filler = `\n\n${"The sea\n".repeat(450)}\n`;
  const parser = unified()
    .use(remarkParse)
    .use(readHtmlAsText)
    .use(keepDialogue)
    .use(readCjkEmphasis);
  const whole = parser.use(remarkRehype).use(rehypeStringify);

  fc.assert(
    fc.property(fc.array(blocks, { minLength: 1, maxLength: 4 }), (parts) => {
      const text = parts.join(filler);
      expect(outline(renderMarkdown(text).html)).toEqual(outline(String(whole.processSync(text))));
    }),
    { numRuns: 20 },
  );
});

/** Returns the elements and the words of HTML. */
function outline(html: string): string[] {
  const text = html.replaceAll(/<noscript>.*?<\/noscript>/g, "");
  return text.match(/<(?:pre|blockquote|ul|ol|li|em|a|code|img|hr)\b|[^\s<>]+(?=[^<>]*<)/g) ?? [];
}

const RICH: Record<string, string> = {
  "a novel": makeLongText(MAX_STORY_LENGTH - 1000),
  "a poem without stanzas": "Of man’s first disobedience and the fruit\\\n".repeat(800),
  "a quote in quotes": `${"> ".repeat(40)}deep`,
  "a list in lists": listIn(40),
  "the same list in lists again": `${listIn(20)}\n\n`.repeat(50),
  "items without empty lines between them": "- [a](https://example.com) *or* `b`\n".repeat(1000),
  "a long quote": "> The sea is not a road.\n>\n> It is a door.\n\n".repeat(500),
  "items that continue on a second line":
    "- salt\n  from the sea\n- brass\nfrom the hills\n".repeat(300),
  "lines of dialogue": "“Yes,” she said.\n\n".repeat(5000),
  "a paragraph of links": "[a](https://example.com) and ".repeat(150),
  "thematic breaks of many characters": `${"* ".repeat(200)}\n\n${"- ".repeat(200)}\n\n${"-".repeat(200)}`,
};

test.each(Object.entries(RICH))("renders %s", (_, text) => {
  const { html } = renderMarkdown(`# The first\n\n${text}`);

  expect(html).toContain(">The first</h2>");
});

function listIn(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${"  ".repeat(level)}- salt`).join("\n");
}

test("renders every element of Markdown", () => {
  const { html } = renderMarkdown(
    "# Part\n\nSome *words*, **loud** `code`  \nnext line.\n\n> said\n\n1. one\n2. two\n\n---\n\n![A leaf](https://example.com/leaf.png)\n\n[there](https://example.com)",
  );

  expect(html).toContain(">Part</h2>");
  expect(html).toContain("<em>words</em>");
  expect(html).toContain("<strong>loud</strong>");
  expect(html).toContain("<code>code</code><br>");
  expect(html).toMatch(/<blockquote>\s*<p id="p-[^"]+">said<\/p>/);
  expect(html).toContain("<hr>");
  expect(html).toMatch(
    /<img src="https:\/\/example.com\/leaf.png" alt="A leaf"[^>]* loading="lazy"/,
  );
  expect(html).toContain('<a href="https://example.com" rel="nofollow ugc noopener">there</a>');
});

test.each([
  "http://example.com/leaf.png",
  "HTTP://example.com/leaf.png",
  "ftp://example.com/leaf.png",
  "data:image/png;base64,iVBORw0KGgo=",
  "//example.com/leaf.png",
  "leaf.png",
  "/logout",
  "/pictures/../logout",
  "/pictures/abc/leaf.png",
  `/pictures/abc/${"0".repeat(32)}.svg`,
  `/pictures/abc/${"0".repeat(32)}.png?`,
])("removes the source of the image %s, which is neither https nor uploaded", (address) => {
  const { html } = renderMarkdown(`![A leaf](${address})`);

  expect(html).not.toContain("src=");
  expect(html).toContain('alt="A leaf"');
});

test("shows an uploaded picture by its path on this site", () => {
  const path = `/pictures/abc/${"0".repeat(32)}.webp`;

  expect(renderMarkdown(`![A leaf](${path})`).html).toContain(`<img src="${path}" alt="A leaf"`);
});

test("a downloaded text has the whole address of each uploaded picture", async () => {
  const path = `/pictures/abc/${"0".repeat(32)}.webp`;
  const text = `# Salt\n\n![A leaf](${path}) [${path}](${path}) \`![](${path})\`\n`;

  expect(await runSteps(toFileInSteps(text, "https://inkglade.example"))).toBe(
    `## Salt\n\n![A leaf](https://inkglade.example${path}) [${path}](${path}) \`![](${path})\`\n`,
  );
});

test("sends image hosts no referrer", () => {
  const { html } = renderMarkdown("![A leaf](https://example.com/leaf.png)");

  expect(html).toContain('referrerpolicy="no-referrer"');
});

test("allows only links to web pages and e-mail addresses", () => {
  const links = ["http://a.example", "https://a.example", "mailto:a@b.example", "ftp://a.example"];

  const { html } = renderMarkdown(links.map((link) => `[there](${link})`).join("\n\n"));

  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)).toEqual(links.slice(0, 3));
});

test("shows dialogue in the form of link definitions", () => {
  const text =
    "[Anna]: Hello!\n\n[Ben]: Hi 'Anna'\n\n[Anna]: How are you?\n\n> [Ben]: Fine!\n> [Anna]: Good.\n";
  expect(toPlainText(text)).toBe(text.replaceAll("> ", ""));
  expect(renderMarkdown(text).html).not.toContain("<a ");
});

test("does not show addresses and comments that are link definitions", () => {
  const text = `[a], [b] and [c]

[//]: # (a comment)

[todo]: <> "another"

[a]: https://example.com/a
[b]: <http://example.com/b>
  'title'

> [c]: mailto:a@example.com
`;
  expect(toPlainText(text)).toBe("a, b and c\n");
  const { html } = renderMarkdown(text);
  expect(html).toContain('href="https://example.com/a"');
  expect(html).toContain('href="http://example.com/b" title="title"');
  expect(html).toContain('href="mailto:a@example.com"');
});

test("lists the first 500 chapters of a text", () => {
  const text = Array.from({ length: 501 }, (_, index) => `## ${index + 1}\n\nThe sea.`).join(
    "\n\n",
  );

  const { chapters } = renderMarkdown(text);

  expect(chapters).toHaveLength(500);
  expect(chapters.at(-1)).toMatchObject({ title: "500" });
});

test("creates a unique id for every paragraph from its words", () => {
  const { paragraphs } = renderMarkdown("Once.\n\nTwice.\n\nonce\n\n- Twice\n\n# Once");
  const ids = paragraphs.map(({ id }) => id);

  expect(new Set(ids).size).toBe(5);
  expect(ids[2]).toBe(`${ids[0]}-2`);
  expect(ids[3]).toBe(`${ids[1]}-2`);
  expect(ids[4]).toBe(`${ids[0]}-3`);
});

test("does not change the id when only punctuation changes", () => {
  const before = renderMarkdown("She counted again and then went.").paragraphs[0];
  const after = renderMarkdown("She *counted* again, and then went…").paragraphs[0];

  expect(after?.id).toBe(before?.id);
});

test("measures the text before each paragraph", () => {
  const { paragraphs, length, words } = renderMarkdown(
    "One two.\n\nThree *four*.\n\n![leaf](https://example.com/a.png)",
  );

  expect(paragraphs).toMatchObject([
    { start: "One two.", before: 0, length: 8 },
    { start: "Three four.", before: 8, length: 11 },
  ]);
  expect(length).toBe(19);
  expect(words).toBe(4);
});

test("writes plain text with an empty line between paragraphs", () => {
  expect(
    toPlainText(
      "# Part\n\nSome *words*\\\nand [more](https://example.com).\n\n- one\n- two\n\n---\n\nEnd &amp; all.",
    ),
  ).toBe("Part\n\nSome words\nand more.\n\n- one\n\n- two\n\n* * *\n\nEnd & all.\n");
});

test.each([
  ["これは**「重要」**です。", "これは<strong>「重要」</strong>です。"],
  ["これ&#x306F;**「重要」**です。", "これは<strong>「重要」</strong>です。"],
  ["**重要なこと。**そして", "<strong>重要なこと。</strong>そして"],
  ["他说*“走吧”*，就走了。", "他说<em>“走吧”</em>，就走了。"],
  ["这是***《红楼梦》***的", "这是<em><strong>《红楼梦》</strong></em>的"],
  ["**（주의）**를 *읽다.*그", "<strong>（주의）</strong>를 <em>읽다.</em>그"],
  ["[は**「リンク」**で](https://a.example/)", "は<strong>「リンク」</strong>で"],
  ["𠮟る**「声」**𠮟る", "𠮟る<strong>「声」</strong>𠮟る"],
  ["５ * ６ * ７　*　八\\*「九」\\*", "５ * ６ * ７　*　八*「九」*"],
  ["word**(salt)**word", "word**(salt)**word"],
])("renders emphasis beside Chinese, Japanese and Korean punctuation: %j", (markdown, html) => {
  expect(renderMarkdown(markdown).html).toContain(html);
});

test.each([
  ["1986. A great year.", "1986. A great year."],
  ["3. three\n4. four", "3. three\n\n4. four"],
  [
    "- one\n\n  more\\\n  of it\n  1. inner\n- two",
    "- one\n\n  more\n  of it\n\n  1. inner\n\n- two",
  ],
  ["> - quoted", "- quoted"],
])("plain text keeps the marks of the list items in %j", (markdown, text) => {
  expect(toPlainText(markdown)).toBe(`${text}\n`);
});

test.each([
  ["# One\n\ntext\n\n## Two\n\n### Three", "## One\n\ntext\n\n## Two\n\n### Three"],
  ["One\n===\n\ntext\n\nTwo\n---", "One\n---\n\ntext\n\nTwo\n---"],
  ["One\n===  \n\n#1 Fan\n==", "One\n---  \n\n#1 Fan\n--"],
  ["\uFEFFHello\n\n# One", "Hello\n\n## One"],
  ["> # One\n> text\n\n- # Two", "> ## One\n> text\n\n- ## Two"],
  ["```\n# One\n\n# Two\n```\n\n\\# Three", "```\n# One\n\n# Two\n```\n\n\\# Three"],
  ["\r\n\r\n#\r\n\r\n  # One #\r\n", "\r\n\r\n##\r\n\r\n  ## One #\r\n"],
])("headings of %j are below the title in Markdown", async (markdown, lowered) => {
  expect(await runSteps(toFileInSteps(markdown, "https://inkglade.example"))).toBe(lowered);
});

test("a heading of many signs is below the title in linear time", async () => {
  const heading = `${"=".repeat(380_000)}x\n`;

  const file = await runSteps(toFileInSteps(`${heading}===`, "https://inkglade.example"));

  expect(file).toBe(`${heading}---`);
});

test("parses long code again only when it has doubled", () => {
  const text = `\`\`\`\n${"The sea.\n\n".repeat(4000)}\`\`\`\n`;

  expect([...toFileInSteps(text, "")].length).toBeLessThan(8);
});

test("renders a text without words", () => {
  expect(renderMarkdown("")).toMatchObject({ paragraphs: [], length: 0, words: 0 });
  expect(renderMarkdown("***")).toMatchObject({ paragraphs: [], length: 0 });
});

test.each([
  ["Only Latin.", /^<section><p id="[^"]+">Only Latin/],
  ["«سلام» قالت.", /<p id="[^"]+" dir="rtl">«سلام»/],
  ["12. שלום", /<p id="[^"]+" dir="rtl">|<ol start="12" dir="rtl">\s*<li>\s*<p id="[^"]+">שלום/],
  [
    "> שלום\n>\n> Hello",
    /<blockquote dir="rtl">\s*<p id="[^"]+">שלום<\/p>\s*<p id="[^"]+" dir="ltr">Hello/,
  ],
  [
    "- *ܫܠܡܐ*\n- b",
    /<ul dir="rtl">\s*<li>\s*<p id="[^"]+"><em>ܫܠܡܐ<\/em><\/p>\s*<\/li>\s*<li dir="ltr">/,
  ],
  ["## فصل", /<h2 id="[^"]+" dir="rtl">فصل/],
  ["1234", /<p id="[^"]+">1234/],
])("gives each block of %j the direction of its first letter", (markdown, html) => {
  expect(renderMarkdown(markdown).html).toMatch(html);
});

test("a text from right to left and one that begins with a line break are rendered apart", async () => {
  const text = "سلام\n\nHello (world).";
  await getRenderedText(`\n${text}`);
  expect((await getRenderedText(text, "ar")).html).toMatch(/<p id="[^"]+" dir="ltr">Hello/);
});

test.each([
  ["It began.", false],
  ["“Ça va ?” — 3 jours", false],
  ["Однажды", false],
  ["שלום", false],
  ["吾輩は猫である", false],
  ["كان يا ما كان", true],
  ["«كان» يا", true],
  ["ܐܝܬ ܗܘܐ", true],
  ["ߒߞߏ", true],
  ["ᠮᠣᠩᠭᠣᠯ", true],
  ["क्षण भर", true],
  ["ক্ষণ", true],
  ["ကျွန်တော်", true],
])("the section that begins with %j has no drop cap: %s", (text, isJoined) => {
  for (const markdown of [text, `## 1\n\n${text}`]) {
    expect(renderMarkdown(markdown).html.startsWith('<section data-joined="">')).toBe(isJoined);
  }
});

test("finds the directions of a text without letters in linear time", () => {
  const start = process.cpuUsage();
  renderMarkdown("> ".repeat(20) + "1".repeat(300_000));
  expect(process.cpuUsage(start).user).toBeLessThan(500_000);
});

test.each([
  ["<Anna> Hello there", "<Anna> Hello there"],
  ["She left. <sighs>", "She left. <sighs>"],
  ["red<br>violets", "red\nviolets"],
  ["red<BR />violets", "red\nviolets"],
  ['<p align="center">Chapter *One*</p>\nThe sea.', "Chapter One\nThe sea."],
  ["<div><p>One</p><p>Two</p></div>", "One\nTwo"],
  ["<b>loud</b> and <I> said", "loud and <I> said"],
  ["She waited. <a long pause> He left.", "She waited. <a long pause> He left."],
  ["<i love you> said the screen", "<i love you> said the screen"],
  ["One<hr noshade>two<br clear=all>three", "One\ntwo\nthree"],
  ["<a href=/x target='_blank' >here</a >, <font\ncolor=red/>there", "here, there"],
  ["Once <!-- upon a time", "Once <!-- upon a time"],
  ["<!-- a note -->", "<!-- a note -->"],
  ["<!--\n\nThe rest\n\nof the story", "<!--\n\nThe rest\n\nof the story"],
  ["<script>\nalert\n</script>", "<script>\nalert\n</script>"],
  ["- <br>\n- salt", "- salt"],
  ["<hr>\n\nThe sea.", "The sea."],
])("shows every word of %j", (markdown, text) => {
  expect(toPlainText(markdown)).toBe(`${text}\n`);
  expect(findUnsafe(renderMarkdown(markdown).html)).toEqual([]);
});

test("keeps the wide spaces with which paragraphs and lines begin, also beside a tag", () => {
  const { html } = renderMarkdown("\u3000One<br>\u00A0two\n\n\u3000Three");

  expect(html).toMatch(/>\u3000One<br>\s*(?:\u00A0|&nbsp;|&#xA0;)two/);
  expect(html).toContain(">\u3000Three");
});

test("returns the words of a paragraph without its markup", () => {
  const markdown = [
    "# One",
    "Rain *and* “wind” < sea & sky > land.",
    "![a > b](https://example.com/x.png) After &lt;the&gt; &amp;amp; storm",
    "Rain *and* “wind” < sea & sky > land.",
  ].join("\n\n");
  const text = renderMarkdown(markdown);

  const words = text.paragraphs.map((_, number) => getParagraphText(text, number));

  const rain = "Rain and “wind” < sea & sky > land.";
  expect(words).toEqual(["One", rain, "After <the> &amp; storm", rain]);
});
