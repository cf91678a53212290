import { expect, test } from "vitest";

import { isMarkdown, proseToMarkdown } from "#app/writing/plain-prose.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";

const LONG = "He went down to the harbour and looked at the sea until the lamp was lit. ".repeat(3);

const CHINESE = [
  "江湖夜雨十年灯，他终于回到了那座熟悉的小城，街上的灯一盏一盏地亮了起来，雨声里仿佛还有旧日的笛声。",
  "她站在门口，手里提着一盏纸灯笼，没有说话，只是静静地看着他走近。",
  "“你回来了。”她说。声音很轻，像是怕惊动了屋檐下睡着的燕子，也怕惊动了那些年的梦。",
  "他点了点头，把湿透的斗篷挂在门后，火炉里的柴噼啪作响，两个人都没有再开口说一个字。",
  "夜深了，雨还在下。他们坐在火炉边，谁也没有提起当年的事情，仿佛那十年从来没有存在过。",
];

const PROSE: Record<string, [prose: string, paragraphs: string[]]> = {
  "first lines with a tab or four spaces": [
    "\tThe tide came in.\n    It went out.\n\n\tNobody saw it.",
    ["The tide came in.", "It went out.", "Nobody saw it."],
  ],
  "one line end for each paragraph": [
    `${LONG}\n${LONG}\n“Come in,” she said.`,
    [LONG.trim(), LONG.trim(), "“Come in,” she said."],
  ],
  "signs that would begin a list or a heading": [
    "1986. A great year.\n- Bonjour, dit-elle.\n- Bonjour.\n#1 was late.\n= two",
    ["1986. A great year.", "- Bonjour, dit-elle.", "- Bonjour.", "#1 was late.", "= two"],
  ],
  "signs of HTML and code": [
    "<Anna> Hello `there'\nA\\B &amp; C",
    ["<Anna> Hello `there'", "A\\B &amp; C"],
  ],
  "lines that were wrapped, with indented paragraphs": [
    [
      "   He went down to the harbour and looked at the sea until",
      "the lamp was lit, and then he looked at the lamp until the",
      "morning came, which was grey, and nobody had come to ask",
      "him anything.",
      "   Nobody ever did, since the winter when the old harbour",
      "was closed.",
    ].join("\n"),
    [
      "He went down to the harbour and looked at the sea until the lamp was lit, and then he looked at the lamp until the morning came, which was grey, and nobody had come to ask him anything.",
      "Nobody ever did, since the winter when the old harbour was closed.",
    ],
  ],
  "one Chinese paragraph in each line": [CHINESE.join("\n"), CHINESE],
  "ideographic indents and a blank line between scenes": [
    "　海は道ではない。\n「扉だ」\n　彼は言った。\n\n　朝が来た。",
    ["　海は道ではない。", "「扉だ」", "　彼は言った。", "　朝が来た。"],
  ],
  "Chinese lines that were wrapped, with ideographic indents": [
    `　${"海".repeat(39)}\n${"海".repeat(40)}\n${"海".repeat(40)}\n${"海".repeat(30)}。\n　灯。`,
    [`　${"海".repeat(39)} ${"海".repeat(40)} ${"海".repeat(40)} ${"海".repeat(30)}。`, "　灯。"],
  ],
};

test.each(Object.entries(PROSE))("prose with %s keeps its paragraphs", (_, [prose, paragraphs]) => {
  expect(isMarkdown(prose)).toBe(false);
  const { html } = renderMarkdown(proseToMarkdown(prose));

  expect(html).not.toMatch(/<(?:pre|code|ul|ol|h\d|blockquote)/);
  expect(readParagraphs(html)).toEqual(paragraphs);
});

test.each(["***", "* * *", "---", "___", "#", "⁂", "~~~", "          * * *"])(
  "a line %j between paragraphs of prose is a scene break",
  (line) => {
    expect(proseToMarkdown(`Evening.\n${line}\nMorning.`)).toBe("Evening.\n\n---\n\nMorning.");
  },
);

test("verse keeps its lines and stanzas, and emphasis stays", () => {
  expect(proseToMarkdown("Roses are *red*,\nviolets are blue.\n\nSugar is sweet.")).toBe(
    "Roses are *red*,\\\nviolets are blue.\n\nSugar is sweet.",
  );
});

test.each([
  "# High water\n\nIt was late.",
  "He said:\n> The sea is not a road.",
  "* salt\n* brass",
  "1. salt\n2. brass",
  "See [the harbour](https://example.com/).",
  "```\ncode\n```",
])("%j is Markdown", (text) => {
  expect(isMarkdown(text)).toBe(true);
});

function readParagraphs(html: string): string[] {
  const paragraphs = html.match(/<p[ >].*?<\/p>/gs) ?? [];
  return paragraphs.map((paragraph) =>
    paragraph
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/[ \n]+/g, " ")
      .replaceAll("&#x3C;", "<")
      .replaceAll("&#x26;", "&"),
  );
}
