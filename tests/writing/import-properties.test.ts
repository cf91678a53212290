import * as fc from "fast-check";
import { strToU8 } from "fflate";
import { expect, test } from "vitest";

import { loader as loadMarkdown } from "#app/routes/read.$id[.]md.ts";
import { loader as loadText } from "#app/routes/read.$id[.]txt.ts";
import { importText } from "#app/writing/import/import-text.ts";
import { buildDocx, p, r } from "#tests/support/docx.ts";
import { renderMarkdown, toPlainText } from "#tests/support/markdown.ts";
import { startApp } from "#tests/support/routes.ts";

const importFile = (name: string, content: string) => importText({ name, bytes: strToU8(content) });

test("imports every word of the files that readers download of a story", async () => {
  await using app = await startApp();
  const params = { id: "a-cartographer-of-rain" };
  const [markdown, plain] = await Promise.all(
    [loadMarkdown, loadText].map(async (load, index) => {
      const request = new Request(
        `http://localhost/read/${params.id}.${index === 0 ? "md" : "txt"}`,
      );
      return (await load({ request, params, context: app.contextFor(request) })).text();
    }),
  );
  expect(importFile("a.md", markdown ?? "")).toMatchObject({ title: "", text: markdown });
  const fromPlain = importFile("a.txt", plain ?? "");
  expect(fromPlain.title).toBe("");
  expect(toPlainText(fromPlain.text).split(/\n+/)).toEqual(plain?.split(/\n+/));
});

const sign = fc.constantFrom(..."abcé漢 .,-—*_#>~`[](){}<>&;\\!|'\"“”1.+=:/".split(""));
const words = fc.string({ unit: sign, minLength: 1, maxLength: 12 });
const block = fc.tuple(fc.constantFrom("", "## ", "> ", "- ", "1. ", "    ", "---\n"), words);
const story = fc.array(
  block.map(([mark, text]) => mark + text),
  { minLength: 1, maxLength: 6 },
);
/** What a story may begin with: nothing that only our files begin with. */
const beginning = fc.constantFrom(
  [],
  ["# Part One", "*London, 1911*"],
  ["# The Lighthouse", "*For my mother, who kept the light.*"],
);

test("imports Markdown that the editor has exported byte for byte", () => {
  fc.assert(
    fc.property(beginning, story, (first, blocks) => {
      const markdown = [...first, ...blocks].join("\n\n");
      fc.pre(markdown.trim() !== "");
      const { text, title } = importFile("a.md", markdown);
      expect([title, text]).toEqual(["", markdown]);
    }),
  );
});

/** Returns the paragraphs that readers see, with one space for each space. */
function readParagraphs(markdown: string): string[] {
  return [...renderMarkdown(markdown).html.matchAll(/<p\b[^>]*>([\s\S]*?)<\/p>/g)].map(
    ([, html = ""]) =>
      html
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll("&#x3C;", "<")
        .replaceAll("&#x26;", "&")
        .replaceAll(/\s+/g, " ")
        .trim(),
  );
}

const toXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const run = fc.tuple(words, fc.constantFrom("", "<w:b/>", "<w:i/>", "<w:b/><w:i/>"));

test("shows the words of a document as they are, whatever they contain and look like", () => {
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 5 }), (runs) => {
      const written = runs.map(([text]) => text).join("");
      const shown = `Salt ${written} end`.replaceAll(/\s+/g, " ");
      const body = p(
        r("Salt ") + runs.map(([text, format]) => r(toXml(text), format)).join("") + r(" end"),
      );
      const { text } = importText({ name: "a.docx", bytes: buildDocx({ body }) });
      expect(readParagraphs(text)).toEqual([shown]);
    }),
    { numRuns: 500 },
  );
});

test("shows the first signs of a paragraph as they are", () => {
  fc.assert(
    fc.property(words, (first) => {
      const body = p(r(toXml(`${first}x`))) + p(r("end"));
      const { text } = importText({ name: "a.docx", bytes: buildDocx({ body }) });
      expect(readParagraphs(text)).toEqual([`${first}x`.replaceAll(/\s+/g, " ").trim(), "end"]);
    }),
    { numRuns: 500 },
  );
});

test("keeps emphasis around whole words", () => {
  const word = fc.string({
    unit: fc.constantFrom(..."abcé.,—!?”“".split("")),
    minLength: 1,
    maxLength: 6,
  });
  const formats = { "": "", "<w:b/>": "strong", "<w:i/>": "em" } as const;
  const format = fc.constantFrom(...(["", "<w:b/>", "<w:i/>"] as const));
  fc.assert(
    fc.property(fc.array(fc.tuple(word, format), { minLength: 1, maxLength: 5 }), (runs) => {
      const body = p(r("Salt") + runs.map(([text, style]) => r(" ") + r(text, style)).join(""));
      const { text } = importText({ name: "a.docx", bytes: buildDocx({ body }) });
      const { html } = renderMarkdown(text);
      for (const [words, style] of runs) {
        if (style === "") continue;
        const name = formats[style];
        const inside = [...html.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "g"))].map(
          ([, found]) => found,
        );
        expect(inside.some((found) => found?.includes(words))).toBe(true);
      }
    }),
  );
});
