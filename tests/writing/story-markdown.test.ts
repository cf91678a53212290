import {
  commands,
  config,
  Editor,
  editorViewCtx,
  init,
  keymap,
  parser,
  schema,
  serializer,
} from "@milkdown/kit/core";
import { Clock, Container, Ctx } from "@milkdown/kit/ctx";
import type { Node } from "@milkdown/kit/prose/model";
import { EditorState } from "@milkdown/kit/prose/state";
import fc from "fast-check";
import { expect, test, vi } from "vitest";

import {
  configureMarkdown,
  StoryMarkdown,
  storySchema,
} from "#app/writing/editor/story-markdown.ts";

const CANONICAL: Record<string, string> = {
  "a paragraph": "The tide came in.",
  paragraphs: "The tide came in.\n\nIt went out again.",
  "line ends inside a paragraph": "Roses are red,\nviolets are blue.",
  "a line break": "Roses are red,\\\nviolets are blue.",
  headings: "# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six",
  emphasis: "She was *almost* there, **almost** there, ***almost*** there.",
  "emphasis inside a word": "un*believ*able and un**believ**able",
  "emphasis beside Chinese, Japanese and Korean punctuation":
    "これは**「重要」**です。\n\n- **重要なこと。**そして*「次」*も\n\n## 这是***《红楼梦》***的\n\n**（주의）**를",
  "a quote": "> The sea is not a road.\n>\n> It is a door.\n\nSo they said.",
  "a quote in a quote": "> > Deep\n>\n> less deep",
  "a list": "- salt\n- brass\n- sand",
  "a list in a list": "- salt\n  - coarse\n  - fine\n- brass",
  "a numbered list": "1. salt\n2. brass\n3. sand",
  "a numbered list that begins later": "7. salt\n8. brass",
  "a list of paragraphs": "- salt\n\n  from the sea\n\n- brass",
  "lists of which an item begins with something else than text":
    "- - coarse\n- brass\n\nSalt:\n\n1. # Sand\n2. > Brass\n3. ```\n   code\n   ```",
  "two lists that follow each other": "- salt\n- brass\n\n* sand",
  "a scene break": "Evening.\n\n---\n\nMorning.",
  "a link":
    '[The harbour](https://example.com/harbour) and [one](https://example.com "with a title")',
  "a bare address": "<https://example.com/>",
  "a picture":
    '![A lamp](https://example.com/lamp.png)\n\n![A lamp](https://example.com/lamp.png "Lit")',
  code: "Type `ls -l` here.\n\n```\nif (tide) {\n  go();\n}\n```\n\n```ts\nlet salt = 1;\n```",
  "code with a title": '```ts title="salt.ts" {1}\nlet salt = 1;\n```',
  "characters that need escapes": "5 \\* 3, \\_not\\_ this, #1, \\[sic] \\<b> and a\\`b",
  "a number and a dot that start no list": "1984\\. It was a year.",
  "a dash that starts no list": "\\- said nobody",
  "dashes and quotation marks": "“Come in,” she said — and he did… It’s late.",
  "paragraphs that begin with wide spaces": "　　海は道ではない。\n\n　扉だ。　\n\n\u00a0Indented.",
  "other scripts": "海は道ではない。\n\nالبحر\n\n😀 ❤️‍🔥",
  nothing: "",
};

/** Markdown in a style that the editor does not write. Blocks that are not edited must stay as they are. */
const FOREIGN: Record<string, string> = {
  "other syntax": "Setext\n======\n\n* star\n+ plus\n\n__bold__ _it_\n\n***\n\n~~~\ncode\n~~~\n",
  "blank lines": "\n\n\nOne\n\n\n\nTwo   \n\n",
  "an indented block of code": "One\n\n    code\n\nTwo",
  HTML: "<!-- note -->\n\n<div>\nOne</div>\n\nTwo <b>three</b>",
  "lazy lines": "> one\ntwo\n\n1) three\n4) four",
  "no blank line after a heading": "# One\nTwo\n# Three\n- four",
  "a dialogue": "[Anna]: Hello!\n\n[Ben]: Hello, Anna.\n\n[Anna]: Goodbye!\n[Ben]: Bye!\nHe left.",
  "comments in definitions": "[//]: # (a note)\n\nOne\n\n[//]: <> (more)\n[later]: # 'and more'",
  references:
    "See [the harbour][1], [Pier] and ![a lamp][lamp].\n\n[1]: https://example.com/1\n[pier]:\n  <https://example.com/2>\n  'With a\n  title'\n\n[LAMP]: https://example.com/lamp.png",
  "definitions in quotes and lists":
    "> [a]: https://example.com/\n> 'one\n> two'\n>\n> [Anna]: Hello!\n\n- [b]: # (salt)\n- brass\n  - [Ben]: Hi!\n\n  [c]: https://example.com/c\n\n[a] [b] [c]",
  "definitions of the same label":
    "[a]: https://example.com/1\n[a]: https://example.com/2\n\n[a]\n\n[A]: https://example.com/3",
  footnotes: "Salt.[^1] Brass.[^2]\n\n[^1]: Sea\n\n[^2]: https://example.com/brass",
};

test.each(Object.entries(CANONICAL))("%s: is written as it was read", async (_, markdown) => {
  const story = await createStory();
  expect(story.write(story.read(markdown))).toBe(markdown);
});

test.each(Object.entries({ ...CANONICAL, ...FOREIGN }))(
  "%s: opening it changes no byte",
  async (_, markdown) => {
    const story = await createStory();
    const doc = story.read(markdown);
    story.setSource(doc, markdown);
    expect(story.write(doc)).toBe(markdown);
  },
);

test.each(Object.entries({ ...CANONICAL, ...FOREIGN }))(
  "%s: is written as Markdown of the same story",
  async (_, markdown) => {
    const story = await createStory();
    const written = story.write(story.read(markdown));
    expect(story.read(written).toJSON()).toEqual(story.read(markdown).toJSON());
    expect(story.write(story.read(written))).toBe(written);
  },
);

test("words of emphasis in emphasis are all emphasized", async () => {
  const story = await createStory();
  const doc = story.read("*so *very* **far** *[away](https://example.com/)* out*, **a **b** c**");
  expect(story.write(doc)).toBe("*so very **far** [away](https://example.com/) out*, **a b c**");
});

test("a change in one block does not change the bytes of the others", async () => {
  const story = await createStory();
  const markdown = "Setext\n======\n\n\n* star\n\n__bold__\n";
  const doc = story.read(markdown);
  story.setSource(doc, markdown);

  const changed = doc.type.create(null, [
    doc.child(0),
    doc.child(1),
    doc.type.schema.node("paragraph", null, [doc.type.schema.text("new")]),
    doc.child(2),
  ]);
  expect(story.write(changed)).toBe("Setext\n======\n\n\n* star\n\nnew\n\n__bold__\n");
});

test.each([
  ["これ&#x306F;**「重要」**です。", "これは**「重要」**です。•"],
  ["`&#x306F;**` これ&#x306F;**「重要」**です。", null],
  ["a&#x306F;*　は*b, 5&#x33;**(x)**", null],
])(
  "%j: only references that Japanese emphasis does not need become letters",
  async (text, typed) => {
    const story = await createStory();
    const doc = story.read(text);
    story.setSource(doc, text);
    const written = story.write(
      EditorState.create({ doc }).tr.insertText("•", doc.content.size - 1).doc,
    );
    expect(written).toBe(typed ?? written);
    expect(story.read(written).textContent).toBe(`${doc.textContent}•`);
  },
);

test.each(Object.entries({ ...CANONICAL, ...FOREIGN }))(
  "%s: a letter typed before or after it loses no word",
  async (_, markdown) => {
    const story = await createStory();
    for (const [text, position] of [
      [`Begin.\n\n${markdown}`, 0],
      [`${markdown}\n\nEnd.`, -1],
    ] as const) {
      const written = typeInto(story, text, position);
      expect(findLostWords(text, written)).toEqual([]);
      const others = written.replace("•", "");
      expect(trimBlankLines(others)).toBe(trimBlankLines(text));
    }
  },
);

/** Without numbers, because the editor renumbers lists. */
const WORDS = /\p{L}+/gu;

/** Lines that Markdown may read as something without words. */
const LINES = [
  "[Anna]: Hello!",
  "[Anna]: Hello there",
  "[Ben]: <Hi>",
  "[Cy\\]]: R&D",
  "[^1]: Note",
  "[//]: # (a note)",
  "[todo]: <> 'later on'",
  "[home]: https://example.com/home",
  "[home]:",
  '[mail]: mailto:a@example.com "Write\nto me"',
  "https://example.com/",
  "'A title'",
  "See [home], [Anna] and [mail][].",
  "![home]",
  "\\[no]: x",
  "<!-- comment -->",
  "<div>",
  "</div>",
  "<b>bold</b> text",
  "*em* and **strong**",
  "    code",
  "plain words",
];
const LEADS = ["", "", "", "> ", "- ", "1. ", "  ", "> - ", "> > ", "- - "];

test("a letter typed anywhere loses no word of a random story", async () => {
  const story = await createStory();
  const line = fc
    .record({ lead: fc.constantFrom(...LEADS), line: fc.constantFrom(...LINES) })
    .map((part) => part.lead + part.line);
  const end = fc.constantFrom("\n", "\n\n", "\n\n\n");
  const stories = fc
    .array(fc.tuple(line, end), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.flat().join(""));
  fc.assert(
    fc.property(stories, fc.nat(), (text, place) => {
      const written = typeInto(story, text, place);
      expect(findLostWords(text, written)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("random emphasis in Chinese and Japanese text is read as it was written", async () => {
  const story = await createStory();
  const { schema: nodes } = story.read("").type;
  const piece = fc.record({
    text: fc.constantFrom(
      "は",
      "「重要」",
      "。",
      "“走吧”",
      "（注）",
      "word",
      "(x)",
      "*",
      "_",
      "&#x306F;",
    ),
    marks: fc.subarray(["strong", "emphasis"]),
  });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
      const words = pieces.map(({ text, marks }) =>
        nodes.text(
          text,
          marks.map((mark) => nodes.mark(mark)),
        ),
      );
      const doc = nodes.node("doc", null, [nodes.node("paragraph", null, words)]);
      const written = story.write(doc);
      expect([written, story.read(written).toJSON()]).toEqual([written, doc.toJSON()]);
    }),
    { numRuns: 300 },
  );
});

test.each([
  "```\ncode",
  "~~~",
  "````ts\n```\ncode\n```\n",
  "~~~\n```\n\n",
  "```\ncode\n```",
  "<!-- note -->",
  "<!-- note",
  "<pre>verse",
  "<script>",
  "<!Doctor",
  "<?x",
  "<![CDATA[",
])("what is written after %j, the end of a story, stays outside of it", async (end) => {
  const story = await createStory();
  const text = `One\n\n${end}`;
  const doc = story.read(text);
  story.setSource(doc, text);
  const words = doc.type.schema.text("New words");
  const changed = doc.type.create(null, [
    ...doc.children,
    doc.type.schema.node("paragraph", null, [words]),
  ]);

  const written = story.write(changed);
  expect(written.startsWith(text.trimEnd())).toBe(true);
  expect(story.read(written).toJSON()).toEqual(changed.toJSON());
});

test("links keep their address when its definition is deleted", async () => {
  const story = await createStory();
  const text = "See [home].\n\n[home]: https://example.com/\n\nEnd.";
  const doc = story.read(text);
  story.setSource(doc, text);
  const changed = doc.type.create(null, [doc.child(0), doc.child(2)]);
  expect(story.write(changed)).toBe("See [home](https://example.com/).\n\nEnd.");
});

test("lists that become adjacent stay two lists", async () => {
  const story = await createStory();
  const markdown = "- one\n\nbetween\n\n- two";
  const doc = story.read(markdown);
  story.setSource(doc, markdown);

  const written = story.write(doc.type.create(null, [doc.child(0), doc.child(2)]));
  expect(story.read(written).childCount).toBe(2);
});

// Milkdown's clocks dispatch events on the window.
const clocks = new EventTarget();
for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"] as const) {
  vi.stubGlobal(name, clocks[name].bind(clocks));
}

/** Creates a `StoryMarkdown` on Milkdown without its view, which needs a page. */
async function createStory(): Promise<StoryMarkdown> {
  const ctx = new Ctx(new Container(), new Clock());
  const core = [schema, parser, serializer, commands, keymap, init(Editor.make())];
  const plugins = [...core, config(configureMarkdown), ...storySchema];
  ctx.inject(editorViewCtx);
  const runs = plugins.map((plugin) => plugin(ctx));
  await Promise.all(runs.map(async (run) => run()));
  return new StoryMarkdown(ctx);
}

/** Opens the text and types a letter into the text block at this place, counted from the end if it is negative. */
function typeInto(story: StoryMarkdown, text: string, place: number): string {
  const doc = story.read(text);
  story.setSource(doc, text);
  const places: number[] = [];
  doc.descendants((node: Node, position) => {
    if (node.isTextblock) places.push(position + 1);
  });
  const position = places.at(place < 0 ? place : place % places.length) ?? 0;
  return story.write(EditorState.create({ doc }).tr.insertText("•", position).doc);
}

function trimBlankLines(text: string): string {
  return text.trim().replaceAll(/\n{2,}/g, "\n\n");
}

/** Returns the words that a later text lacks. It may have more, such as a link's title in each link. */
function findLostWords(before: string, after: string): string[] {
  const words: string[] = after.match(WORDS) ?? [];
  return (before.match(WORDS) ?? []).filter((word) => {
    const index = words.indexOf(word);
    if (index !== -1) words.splice(index, 1);
    return index === -1;
  });
}
