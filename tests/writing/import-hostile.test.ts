import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";

import { importText } from "#app/writing/import/import-text.ts";
import { formatLosses, readLosses } from "#app/writing/import/losses.ts";
import { buildDocx, p, r } from "#tests/support/docx.ts";
import { createZip64 } from "#tests/support/zip64.ts";

const text = (name: string, content: string | Buffer) => () =>
  importText({ name, bytes: Uint8Array.from(Buffer.from(content)) });
const bytes = (content: Uint8Array) => () => importText({ name: "a.docx", bytes: content });
const zip = (files: Record<string, string>) =>
  bytes(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, file]) => [name, strToU8(file)]))),
  );

const document = buildDocx({ body: p(r("The tide came in.")) });
const OLE = Buffer.from("d0cf11e0a1b11ae10000", "hex");

/** Returns a ZIP that says that its files are small. */
function lieAboutSizes(archive: Uint8Array): Uint8Array {
  const copy = Buffer.from(archive);
  for (let at = copy.indexOf("PK\x01\x02"); at >= 0; at = copy.indexOf("PK\x01\x02", at + 4)) {
    copy.writeUInt32LE(10, at + 24);
  }
  return copy;
}

const REFUSED: Record<string, [() => unknown, RegExp]> = {
  "an empty file": [text("a.txt", ""), /has no text/],
  "a file of spaces": [text("a.md", " \n\n"), /has no text/],
  "an empty document": [bytes(buildDocx({ body: p("") })), /has no text/],
  "an older or an encrypted Word document": [text("a.doc", OLE), /Save it as \.docx/],
  "an RTF file": [text("a.rtf", "{\\rtf1 Hello}"), /Save it as \.docx/],
  "a PDF": [text("a.pdf", "%PDF-1.7"), /save that as \.docx/],
  "an OpenDocument text": [zip({ "content.xml": "<x/>" }), /Save it as \.docx/],
  "an EPUB": [zip({ "META-INF/container.xml": "<x/>" }), /EPUB/],
  "a file of Pages": [zip({ "Index/Document.iwa": "x" }), /Pages/],
  "another ZIP": [zip({ "a.png": "x" }), /isn't text/],
  "a picture": [text("a.txt", Buffer.from("89504e470d0a1a0a0000", "hex")), /isn't text/],
  "a document that was cut off": [bytes(document.slice(0, -30)), /damaged/],
  "a document with damaged parts": [
    bytes(document.map((byte, index) => (index > 200 && index < 420 ? 255 : byte))),
    /damaged|has no text/,
  ],
  "a ZIP bomb": [
    bytes(zipSync({ "word/document.xml": new Uint8Array(13 * 1024 * 1024) }, { level: 1 })),
    /more in it than we can read/,
  ],
  "a ZIP bomb that says it is small": [
    bytes(lieAboutSizes(zipSync({ "word/document.xml": new Uint8Array(9_000_000) }, { level: 1 }))),
    /damaged|has no text/,
  ],
  "a ZIP that fflate would read for ever": [bytes(createZip64()), /more in it than we can read/],
  "100,000 nested elements of HTML": [
    text("a.html", "<div>".repeat(100_000)),
    /more in it than we can read/,
  ],
  "100,000 nested elements of Word": [
    bytes(buildDocx({ body: "<w:sdt>".repeat(100_000) })),
    /more in it than we can read/,
  ],
  "100,000 open fields": [
    bytes(buildDocx({ body: p('<w:r><w:fldChar w:fldCharType="begin"/></w:r>'.repeat(100_000)) })),
    /more in it than we can read/,
  ],
  "a million elements": [
    text("a.html", "<i></i>".repeat(1_000_000)),
    /more in it than we can read/,
  ],
  "a million line ends that are shown": [
    text("a.html", `<p style="white-space: pre">${"a\n".repeat(1_000_000)}</p>`),
    /more in it than we can read/,
  ],
  "a text longer than a story": [
    text("a.txt", "Salt. ".repeat(90_000)),
    /Split the document in two/,
  ],
};

for (const [name, [run, message]] of Object.entries(REFUSED)) {
  test(`says what to do with ${name}`, () => {
    expect(run).toThrow(message);
  });
}

/** Markup in which a careless reader would look for the end of something again and again. */
const ENDLESS = [
  "<a ",
  "<!--",
  "<style>",
  "</style ",
  '<a x="',
  "<![CDATA[",
  "&amp",
  "<a b='\">",
  "{}.",
  "[",
  "*",
  "_",
];

test("reads endless markup in linear time", () => {
  for (const part of ENDLESS) {
    const html = `<p>Salt</p>${part.repeat(300_000 / part.length)}`;
    const read = text("a.html", html);
    const isNested = part.startsWith("<a b");
    if (isNested) expect(read).toThrow(/more in it/);
    else expect(read().text).toMatch(/^Salt/);
  }
});

/** Documents that would take minutes if each sign, run or paragraph were compared with all others. */
const LONG: Record<string, string> = {
  "spaces between words": `<p>Salt${"\u3000".repeat(300_000)}end</p>`,
  "spaces between bold words": `<p>Salt <b>and${"\u3000".repeat(300_000)}sand</b></p>`,
  "marks before a letter": `<p>Salt<b>${"!".repeat(200_000)}and${"!".repeat(200_000)}sand</b>end</p>`,
  "number signs in a heading": `<h1>Salt ${"#".repeat(400_000)} end</h1>`,
  "long styles": `<style>.a{${"x:1;".repeat(100_000)}}</style>Salt${"<p class=a>x".repeat(100_000)}`,
  "classes with long styles": `<style>.a{${"x:1;".repeat(400)}}</style><p class="${"a ".repeat(500_000)}">Salt</p>`,
  "bold words": `<p>Salt ${"<b>a</b> ".repeat(80_000)}</p>`,
};

test.each(Object.entries(LONG))("reads many %s in linear time", (_what, html) => {
  expect(text("a.html", html)().text).toContain("Salt");
});

test("reads many empty paragraphs in linear time", () => {
  const salt = p(r("Salt")).repeat(4);
  const heading = p(r("One"), '<w:outlineLvl w:val="0"/>');
  expect(bytes(buildDocx({ body: `${salt}${"<w:p/>".repeat(70_000)}${heading}` }))()).toMatchObject(
    {
      text: "Salt\n\nSalt\n\nSalt\n\nSalt\n\n# One",
    },
  );
});

test("reads every encoding that writing programs save text in", () => {
  const words = "“Café?” — zażółć";
  const utf16 = Buffer.from(words, "utf16le");
  const swapped = Buffer.from(utf16).swap16();
  const encodings = {
    "UTF-8": Buffer.from(words),
    "UTF-8 with a mark": Buffer.from(`\ufeff${words}`),
    "UTF-16": utf16,
    "UTF-16 with a mark": Buffer.from(`\ufeff${words}`, "utf16le"),
    "UTF-16, big-endian": swapped,
    "UTF-16, big-endian, with a mark": Buffer.concat([Buffer.from([0xfe, 0xff]), swapped]),
  };
  for (const [name, content] of Object.entries(encodings)) {
    expect([name, text("a.txt", content)().text]).toEqual([name, words]);
  }
  const html = Buffer.from(
    '<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>',
    "latin1",
  );
  expect(text("a.html", html)().text).toBe("Привет");
  expect(text("a.html", '<meta charset="nonsense"><p>Salt</p>')().text).toBe("Salt");
});

test.each(["utf-16", "UTF-16BE", "unicode", "csUnicode", "ucs-2", "iso-10646-ucs-2"])(
  "reads HTML in UTF-8 that says it is %s, of an even or odd number of bytes",
  (encoding) => {
    const html = `<html><meta charset="${encoding}"><p>Café</p></html>`;
    for (const page of [html, `${html} `]) expect(text("a.html", page)().text).toBe("Café");
  },
);

test("never makes markup, links or pictures of what could harm readers", () => {
  const html = `<p onclick="steal()">One<script>steal()</script> &lt;script&gt; <a href="javascript:steal()">two</a> <a href=" jAvaScript:steal()">three</a> <img src="javascript:steal()"> <img src="http://example.com/a.png"> <img src="data:image/png;base64,AA"></p>`;
  expect(text("a.html", html)().text).toBe("One \\<script> two three");
});

test("reads no more about what was not kept than the app writes", () => {
  const losses = readLosses(
    "pictures.3,<b>.2,tables.x,underlining.0,pictures.99999,constructor.1,contents.1",
  );
  expect(formatLosses(losses)).toBe("pictures.3,contents.1");
});
