import { readFile } from "node:fs/promises";

import { strFromU8 } from "fflate/browser";
import { expect, test } from "vitest";

import { PALETTES } from "#app/stories/epub/cover-drawing.server.ts";
import { loader } from "#app/routes/read.$id[.]epub.ts";
import { builtInStories } from "#app/stories/built-in.server.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";
import { startApp, type TestApp } from "#tests/support/routes.ts";
import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { downloadEpub, findAll, getTextPaths, type Epub } from "./epub.ts";

const ID = "salt-0123456789";
const OPF = "book/package.opf";
const NAV = "book/contents.xhtml";

async function downloadText(app: TestApp, text: string): Promise<Epub> {
  await publishStory(app.firebase.hosts, { id: ID, title: "Salt", text });
  return downloadEpub(app, ID);
}

/** Expects that every file is listed once, and that every link leads to an element of the book or to the web. */
function expectConsistent(book: Epub): void {
  const items = findAll(book, OPF, "item").map(({ attributes }) => `book/${attributes.href}`);
  expect(
    [...book.files.keys()].filter((path) => /^book\/(?!package)/.test(path)).toSorted(),
  ).toEqual(items.toSorted());
  const targets = new Set(book.files.keys());
  for (const [path, elements] of book.elements) {
    const ids = elements.flatMap(({ attributes: { id } }) => id ?? []);
    expect(new Set(ids).size, path).toBe(ids.length);
    for (const id of ids) targets.add(`${path}#${id}`);
  }
  for (const [path, elements] of book.elements) {
    if (!path.startsWith("book/")) continue;
    for (const { attributes } of elements) {
      const { href, src } = attributes;
      const target = href ?? src;
      if (target === undefined || /^(?:https?|mailto):/.test(target)) continue;
      expect(targets, `${path}: ${target}`).toContain(`book/${target}`);
    }
  }
}

test.each(builtInStories)("$title is a book with its whole text in order", async (story) => {
  await using app = await startApp();

  const book = await downloadEpub(app, story.id);

  expect(book.headers.get("Content-Type")).toBe("application/epub+zip");
  expect(book.headers.get("Content-Disposition")).toBe(`attachment; filename="${story.id}.epub"`);
  // As the container format wants it: the first file, not compressed, without extra fields.
  expect(strFromU8(book.bytes.subarray(30, 58))).toBe("mimetypeapplication/epub+zip");
  expectConsistent(book);
  const markdown = await readFile(`public/assets/stories/${story.id}.md`, "utf8");
  const { paragraphs } = renderMarkdown(markdown);
  const ids = getTextPaths(book).flatMap((path) =>
    (book.elements.get(path) ?? []).flatMap(({ attributes: { id } }) => id ?? []),
  );
  expect(ids).toEqual(paragraphs.map(({ id }) => id));
  expect(findAll(book, OPF, "dc:title")[0]?.text).toBe(story.title);
  expect(findAll(book, OPF, "dc:creator")[0]?.text).toBe("Inkglade Editors");
  expect(findAll(book, OPF, "dc:language")[0]?.text).toBe("en");
  expect(findAll(book, OPF, "dc:subject").map(({ text }) => text)).toEqual(story.tags);
  expect(findAll(book, "book/title.xhtml", "html")[0]?.attributes.lang).toBe("en");
});

test("a published story is a book with a file and an entry in the contents for each chapter", async () => {
  await using app = await startApp();
  const text =
    "Before.\n\n# One\n\nFirst.\n\n### Part\n\nSecond.\n\n> ## In a quote\n\n## Two\n\nThird.";
  const updatedAt = "2026-03-04T05:06:07.891234Z";
  const story = { id: ID, title: "Salt", text, description: "A clerk.", tags: ["sea"], updatedAt };
  await publishStory(app.firebase.hosts, story);

  const book = await downloadEpub(app, ID);

  expectConsistent(book);
  const blocks = getTextPaths(book).map((path) =>
    (book.elements.get(path) ?? []).filter(({ name }) => /^(?:p|h\d)$/.test(name)),
  );
  expect(blocks.map((file) => file.map(({ text: words }) => words))).toEqual([
    ["Before."],
    ["One", "First.", "Part", "Second.", "In a quote"],
    ["Two", "Third."],
  ]);
  expect(findAll(book, NAV, "a").map((link) => [link.text, link.attributes.href])).toEqual([
    ["Salt", "title.xhtml"],
    ["One", expect.stringMatching(/^text-2\.xhtml#p-/)],
    ["In a quote", expect.stringMatching(/^text-2\.xhtml#p-/)],
    ["Two", expect.stringMatching(/^text-3\.xhtml#p-/)],
  ]);
  expect(findAll(book, OPF, "meta")[0]?.text).toBe("2026-03-04T05:06:07Z");
  expect(findAll(book, OPF, "dc:identifier")[0]?.text).toBe(`http://localhost/read/${ID}`);
  expect(findAll(book, OPF, "dc:language")[0]?.text).toBe("und");
  expect(findAll(book, "book/title.xhtml", "p").map((p) => p.text)).toEqual(["Ana", "A clerk."]);
});

test("a book says where it is from, and when it was changed and downloaded", async () => {
  await using app = await startApp();

  const book = await downloadText(app, "The tide came in.");

  const [about] = findAll(book, "book/about.xhtml", "body");
  const today = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  expect(about?.text.trim()).toBe(
    `Salt by Ana is from Inkglade: http://localhost/read/${ID}\n` +
      `Last changed on 1 January 2026. Downloaded on ${today.format(new Date())}.`,
  );
  expect(findAll(book, "book/about.xhtml", "a")[0]?.attributes.href).toBe(
    `http://localhost/read/${ID}`,
  );
});

test.each([
  ['A & B <b>"C"</b> ]]>', 'A & B <b>"C"</b> ]]>'],
  ["Salt\u0001\u001F\uFFFE & \u0085\u007F", "Salt & \u0085"],
  ["\u0002", ID],
  ["&amp;lt;", "&amp;lt;"],
  ["盐与潮水".repeat(9), "盐与潮水".repeat(9)],
])("the title %j does not break a book", async (title, shown) => {
  await using app = await startApp();
  const story = { id: ID, title, text: "Salt.", author: title, description: title, tags: [title] };
  await publishStory(app.firebase.hosts, story);

  const book = await downloadEpub(app, ID);

  expectConsistent(book);
  expect(findAll(book, OPF, "dc:title")[0]?.text).toBe(shown);
  expect(findAll(book, "book/title.xhtml", "h1")[0]?.text).toBe(shown);
  expect(findAll(book, OPF, "dc:creator")[0]?.text).not.toBe("");
});

test.each([
  ["attributes", '![a < b & "c" > d](https://example.com/x.png "<section>") ]]> <b>&amp;</b>'],
  ["odd addresses", "[x](<http://example.com/a b|c^d`{e}\\[f]#g#h%zz> 'a<b>\"c\"')"],
  [
    "other addresses",
    "[x](http://[::1]/) [y](mailto:a@b.example) [z](//c.example) [w](#p-1) [v](u)",
  ],
  ["pictures in links", "[![a](https://example.com/x.png)](https://example.com)"],
  ["control characters", "a\u0000\u0001\u000C\u001Fb \uFFFF `\u0008` \u0085"],
  ["lists and code", "3. a\n4. b\n   - c\n\n***\n\na  \nb\n\n    code <x> & ]]>\n"],
  ["a depth that is shown unparsed", `Deep ${">".repeat(3000)} down`],
  ["headings without words", "## \u0001\n\n## &nbsp;\n\n##\n\n## ***\n"],
  ["tags", "</body></html><!-- x --> <![CDATA[ <?xml?>"],
  ["nothing", " "],
])("Markdown with %s is well-formed in a book", async (_what, text) => {
  await using app = await startApp();

  const book = await downloadText(app, text);

  expectConsistent(book);
  expect(getTextPaths(book).length).toBeGreaterThan(0);
});

test("a picture of a text is its description, which links to it", async () => {
  await using app = await startApp();

  const uploaded = `/pictures/ana/${"0".repeat(32)}.webp`;
  const book = await downloadText(
    app,
    `![A lamp](https://example.com/lamp.png) ![](${uploaded}) [![Sea](https://example.com/s.png)](https://sea.example)`,
  );

  const [path = ""] = getTextPaths(book);
  expect(findAll(book, path, "img")).toEqual([]);
  expect(findAll(book, path, "a").map(({ text, attributes }) => [text, attributes.href])).toEqual([
    ["[Picture: A lamp]", "https://example.com/lamp.png"],
    ["[Picture]", `http://localhost${uploaded}`],
    ["[Picture: Sea]", "https://sea.example/"],
  ]);
});

test("a text from right to left is turned from left to right, and a Chinese one is not", async () => {
  await using app = await startApp();
  const getDirection = (book: Epub) =>
    findAll(book, OPF, "spine")[0]?.attributes["page-progression-direction"];

  const hebrew = await downloadText(app, "היה היה.\n\nIn English.");
  const [path = ""] = getTextPaths(hebrew);
  expect(getDirection(hebrew)).toBe("rtl");
  expect(findAll(hebrew, path, "p").map(({ attributes }) => attributes.dir)).toEqual([
    "rtl",
    undefined,
  ]);
  const chinese = await downloadText(app, "## 第一章\n\n从前有一座山。");
  expect(getDirection(chinese)).toBeUndefined();
  expect(findAll(chinese, NAV, "a")[1]?.text).toBe("第一章");
});

test.each([
  ["a numeral", "## ۱\n\nیکی بود", [["h2", undefined]]],
  [
    "a foreign epigraph",
    "## In English\n\nیکی بود",
    [
      ["h2", "ltr"],
      ["p", undefined],
    ],
  ],
])(
  "a Persian book that begins with %s is turned from left to right",
  async (_what, text, blocks) => {
    await using app = await startApp();
    await publishStory(app.firebase.hosts, { id: ID, title: "Salt", text, language: "fa" });

    const book = await downloadEpub(app, ID);

    expect(findAll(book, OPF, "spine")[0]?.attributes["page-progression-direction"]).toBe("rtl");
    const elements = getTextPaths(book).flatMap((path) => book.elements.get(path) ?? []);
    const directions = elements.map(({ name, attributes }) => [name, attributes.dir]);
    expect(directions).toContainEqual(["body", "rtl"]);
    for (const block of blocks) expect(directions).toContainEqual(block);
  },
);

test("a book is in the language of its story", async () => {
  await using app = await startApp();
  const story = { id: ID, title: "山", text: "从前有一座山。", language: "zh-Hans" };
  await publishStory(app.firebase.hosts, story);

  const book = await downloadEpub(app, ID);

  expect(findAll(book, OPF, "dc:language")[0]?.text).toBe("zh-Hans");
  expect(findAll(book, "book/text-1.xhtml", "html")[0]?.attributes.lang).toBe("zh-Hans");
});

test("a book has 500 chapters in files of their own, and those after them with the last", async () => {
  await using app = await startApp();
  const text = Array.from(
    { length: 510 },
    (_, number) => `# Part ${number}\n\nText ${number}.\n\n`,
  );

  const book = await downloadText(app, text.join(""));

  expectConsistent(book);
  expect(getTextPaths(book)).toHaveLength(500);
  expect(findAll(book, NAV, "a")).toHaveLength(501);
  expect(findAll(book, "book/text-500.xhtml", "body")[0]?.text).toContain("Text 509.");
});

test("a book of the longest text has all of its paragraphs", async () => {
  await using app = await startApp();
  const text = makeLongText(MAX_STORY_LENGTH - 1000);

  const book = await downloadText(app, text);

  expectConsistent(book);
  const ids = getTextPaths(book).flatMap((path) =>
    (book.elements.get(path) ?? []).flatMap(({ attributes: { id } }) => id ?? []),
  );
  expect(ids).toEqual(renderMarkdown(text).paragraphs.map(({ id }) => id));
});

test("the cover has the title in lines that fit", async () => {
  await using app = await startApp();
  const getLines = (book: Epub) => findAll(book, "book/cover.svg", "tspan").map(({ text }) => text);

  expect(getLines(await downloadEpub(app, "the-lamplighters-orchard"))).toEqual([
    "The",
    "Lamplighter's",
    "Orchard",
  ]);
  await publishStory(app.firebase.hosts, { id: ID, title: "长".repeat(100), text: "Salt." });
  const lines = getLines(await downloadEpub(app, ID));
  expect(lines.map((line) => line.length)).toEqual([7, 7, 7, 7, 8]);
  expect(lines.at(-1)).toMatch(/长…$/);
});

test("the drawn covers in books have the colours of those on pages", async () => {
  const css = await readFile("app/styles/tokens.css", "utf8");
  const readDark = (name: string) =>
    toOklab(new RegExp(`--${name}: light-dark\\(#\\w+, (#\\w+)\\)`).exec(css)?.[1] ?? "");

  const palettes = PALETTES.map((_, index) => {
    const top = turn(readDark("own"), 30 * index);
    const motif = turn(readDark("primary"), 30 * index);
    return [top, mix(top, readDark("bg"), 0.55), [motif[0] - 0.08, 0.7 * motif[1], 0.7 * motif[2]]];
  });

  for (const [index, palette] of palettes.entries()) {
    for (const [place, color] of palette.entries()) {
      const written = toOklab(PALETTES[index]?.[place] ?? "");
      expect(Math.hypot(...written.map((value, axis) => value - (color[axis] ?? 0)))).toBeLessThan(
        0.01,
      );
    }
  }
});

test("a missing story has no book", async () => {
  await using app = await startApp();
  const withoutReader = app.withVariables({ READER: "placeholder" });

  const params = { id: "the-lamplighters-orchard" };
  expect(await withoutReader.send(loader, "/read/x.epub", { params })).toMatchObject({
    status: 404,
  });
  expect(await app.send(loader, "/read/x.epub", { params: { id: "x" } })).toMatchObject({
    status: 404,
  });
});

test("a book that cannot be loaded says so", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await app.send(loader, `/read/${ID}.epub`, { params: { id: ID } });

  expect(response).toMatchObject({ status: 503 });
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
});

type Oklab = [lightness: number, a: number, b: number];

/** @see https://bottosson.github.io/posts/oklab/ */
function toOklab(hex: string): Oklab {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((index) => Number.parseInt(hex.slice(index, index + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function turn([lightness, a, b]: Oklab, degrees: number): Oklab {
  const angle = Math.atan2(b, a) + (degrees * Math.PI) / 180;
  const chroma = Math.hypot(a, b);
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

function mix(from: Oklab, to: Oklab, share: number): Oklab {
  const [lightness, a, b] = from.map((value, axis) => value + share * ((to[axis] ?? 0) - value));
  return [lightness ?? 0, a ?? 0, b ?? 0];
}
