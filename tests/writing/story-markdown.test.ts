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
import { Fragment, type Node } from "@milkdown/kit/prose/model";
import { Clock, Container, Ctx } from "@milkdown/kit/ctx";
import * as fc from "fast-check";
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
  "a quote": "> The sea is not a road.\n>\n> It is a door.\n\nSo they said.",
  "a quote in a quote": "> > Deep\n>\n> less deep",
  "a list": "- salt\n- brass\n- sand",
  "a list in a list": "- salt\n  - coarse\n  - fine\n- brass",
  "a numbered list": "1. salt\n2. brass\n3. sand",
  "a numbered list that begins later": "7. salt\n8. brass",
  "a list of paragraphs": "- salt\n\n  from the sea\n\n- brass",
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
  HTML: "<!-- note -->\n\n<div>\nOne\n</div>\n\nTwo <b>three</b>",
  "lazy lines": "> one\ntwo\n\n1) three\n4) four",
  "no blank line after a heading": "# One\nTwo\n# Three\n- four",
  "link definitions that no link uses":
    "[Anna]: Hello!\n[Ben]: Hi!\n\nThey sat down.\n\n[//]: # (They stay.)\n",
  "a link definition in a quote and in a list":
    "> [Anna]: Hello!\n> They sat down.\n\n- salt\n\n  [Ben]:\n  Hi! 'Or bye?'\n- brass",
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

test("a change keeps every link definition, and a link that used one has its own URL", async () => {
  const story = await createStory();
  const markdown =
    "[Anna]: Hello!\n\nSee [the\nharbour][1].\n\n> [Anna]: Bye!\n> They left.\n\n[1]: https://example.com/ 'a title'";
  const doc = story.read(markdown);
  story.setSource(doc, markdown);

  expect(story.write(appendParagraph(doc, "x"))).toBe(
    "[Anna]: Hello!\n\nSee [the\nharbour](https://example.com/ \"a title\").\n\n> [Anna]: Bye!\n> They left.\n\n[1]: https://example.com/ 'a title'\n\nx",
  );
});

const LINES = [
  "[Anna]: Hello!",
  "[//]: # (a note)",
  "[Cy]: /url 'a title'",
  "See [this][Anna] and ![that][Cy].",
  "<!-- hidden -->",
  "# Heading",
  "    code",
  "Paragraph",
  "",
];

test("a change loses no word of any other block", async () => {
  const story = await createStory();
  const line = fc.tuple(fc.constantFrom("", "", "> ", "- ", "  "), fc.constantFrom(...LINES));
  const text = fc.array(line, { maxLength: 12 });

  fc.assert(
    fc.property(text, (lines) => {
      const markdown = lines.map((parts) => parts.join("")).join("\n");
      const doc = story.read(markdown);
      story.setSource(doc, markdown);
      const written = story.write(appendParagraph(doc, "x"));
      const words = new Set(written.match(/\w+/g));
      expect((markdown.match(/\w+/g) ?? []).filter((word) => !words.has(word))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("lists that become adjacent stay two lists", async () => {
  const story = await createStory();
  const markdown = "- one\n\nbetween\n\n- two";
  const doc = story.read(markdown);
  story.setSource(doc, markdown);

  const written = story.write(doc.type.create(null, [doc.child(0), doc.child(2)]));
  expect(story.read(written).childCount).toBe(2);
});

function appendParagraph(doc: Node, text: string): Node {
  const { schema } = doc.type;
  const paragraph = schema.node("paragraph", null, schema.text(text));
  return doc.copy(doc.content.append(Fragment.from(paragraph)));
}

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
