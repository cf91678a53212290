import { zipSync, strToU8, type Zippable } from "fflate/browser";

import { toStoryPath } from "#app/stories/book.ts";
import { toLanguageAttributes } from "#app/stories/language-attributes.ts";
import type { RenderedText } from "#app/stories/markdown.server.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import type { Story } from "#app/stories/story.ts";
import { getDirection } from "#app/stories/text-direction.server.ts";
import { escapeXml, removeNonXml } from "#app/stories/xml.server.ts";
import { drawCover } from "./cover-drawing.server.ts";

/** Says in a book that its language is not known. */
const UNKNOWN_LANGUAGE = "und";

/** Short, because readers have their own styles. */
const STYLES = `h1, h2, h3, h4, h5, h6 { line-height: 1.25; break-after: avoid; page-break-after: avoid; }
p { margin: 0; }
p + p { text-indent: 1.4em; }
p[data-unparsed], pre { white-space: pre-wrap; }
hr { width: 20%; margin: 2em auto; }
.cover, .title { margin: 0; text-align: center; }
.cover img { max-width: 100%; height: 98vh; }
.title h1 { margin: 20% 0 1em; }
.title p, .about p { margin: 1em 0; text-indent: 0; }
`;

const CONTAINER = `<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
`;

/** A page of the book. */
interface Page {
  name: string;
  type: "frontmatter" | "bodymatter" | "backmatter";
  dir?: "rtl" | undefined;
  /** XHTML. */
  body: string;
}

/**
 * Returns a story as a book.
 *
 * @param origin of this site
 * @param now milliseconds since the Unix epoch
 * @see https://www.w3.org/TR/epub-33/
 */
export async function createEpub(
  story: Story,
  origin: string,
  now: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const address = origin + toStoryPath(story.id);
  const text = await getRenderedText(story.markdown, story.language);
  const { bodies, chapters } = toChapterFiles(text, address);
  const { dir } = toLanguageAttributes(story.language);
  const beginning = text.paragraphs[0]?.start || story.title;
  const book = {
    address: escapeXml(address),
    title: escapeXml(story.title).trim() || escapeXml(story.id),
    author: escapeXml(story.author).trim() || "Anonymous",
    description: escapeXml(story.description).trim(),
    tags: story.tags.map((tag) => escapeXml(tag).trim()).filter(Boolean),
    language: story.language ?? UNKNOWN_LANGUAGE,
    isRtl: (story.language ? dir : getDirection(beginning)) === "rtl",
    isOngoing: story.isOngoing,
    changedAt: story.updatedAt,
    now,
  };
  const contents = text.chapters.map(({ id, title }, index) => ({
    href: `text-${(chapters[index] ?? 0) + 1}.xhtml#${id}`,
    words: escapeXml(title).trim() || `Chapter ${index + 1}`,
  }));
  const pages: Page[] = [
    { name: "cover", type: "frontmatter", body: COVER_PAGE },
    { name: "title", type: "frontmatter", body: toTitlePage(book) },
    ...bodies.map((body, index) => ({
      name: `text-${index + 1}`,
      type: "bodymatter" as const,
      dir,
      body,
    })),
    { name: "about", type: "backmatter", body: toAboutPage(book) },
  ];
  const zip: Zippable = {
    // First and not compressed, so that programs recognize the file by its first bytes.
    mimetype: [strToU8("application/epub+zip"), { level: 0 }],
    "META-INF/container.xml": strToU8(CONTAINER),
    "book/package.opf": strToU8(toPackage(book, pages)),
    "book/contents.xhtml": strToU8(toContents(book, contents)),
    "book/styles.css": strToU8(STYLES),
    "book/cover.svg": strToU8(drawCover(story)),
  };
  for (const { name, type, dir, body } of pages) {
    const direction = dir ? ` dir="${dir}"` : "";
    zip[`book/${name}.xhtml`] = strToU8(
      toDocument(book, `<body epub:type="${type}"${direction}>\n${body}</body>`),
    );
  }
  return new Uint8Array(zipSync(zip));
}

/** What the pages of a book say about its story, escaped for XML. */
interface Book {
  address: string;
  title: string;
  author: string;
  description: string;
  tags: string[];
  language: string;
  isRtl: boolean;
  isOngoing: boolean;
  /** In milliseconds since the Unix epoch, like `now`; `null` if it never was. */
  changedAt: number | null;
  now: number;
}

function toPackage(book: Book, pages: Page[]): string {
  const modified = new Date(book.changedAt ?? book.now).toISOString().replace(/\.\d+/, "");
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="address">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="address">${book.address}</dc:identifier>
    <dc:title>${book.title}</dc:title>
    <dc:creator>${book.author}</dc:creator>
    <dc:language>${book.language}</dc:language>
    <dc:publisher>Inkglade</dc:publisher>
    <dc:source>${book.address}</dc:source>
${book.description ? `    <dc:description>${book.description}</dc:description>\n` : ""}${book.tags
    .map((tag) => `    <dc:subject>${tag}</dc:subject>\n`)
    .join("")}    <meta property="dcterms:modified">${modified}</meta>
  </metadata>
  <manifest>
    <item id="contents" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="cover-drawing" href="cover.svg" media-type="image/svg+xml" properties="cover-image"/>
    <item id="styles" href="styles.css" media-type="text/css"/>
${pages
  .map(
    ({ name }) =>
      `    <item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>\n`,
  )
  .join("")}  </manifest>
  <spine${book.isRtl ? ' page-progression-direction="rtl"' : ""}>
${pages.map(({ name }) => `    <itemref idref="${name}"/>\n`).join("")}  </spine>
</package>
`;
}

function toContents(book: Book, chapters: readonly { href: string; words: string }[]): string {
  const entries = [{ href: "title.xhtml", words: book.title }, ...chapters];
  const items = entries.map(
    ({ href, words }) => `<li><a href="${href}" dir="auto">${words}</a></li>\n`,
  );
  return toDocument(
    book,
    `<body>
<nav epub:type="toc">
<h1 lang="en" xml:lang="en">Contents</h1>
<ol${book.isRtl ? ' dir="rtl"' : ""}>
${items.join("")}</ol>
</nav>
</body>`,
  );
}

const COVER_PAGE = `<p class="cover"><img src="cover.svg" alt="Cover" lang="en" xml:lang="en"/></p>
`;

function toTitlePage({ title, author, description }: Book): string {
  return `<div class="title">
<h1 dir="auto">${title}</h1>
<p dir="auto">${author}</p>
${description ? `<p dir="auto">${description}</p>\n` : ""}</div>
`;
}

/** Where the story is from. */
function toAboutPage({ title, author, address, isOngoing, changedAt, now }: Book): string {
  return `<div class="about" lang="en" xml:lang="en">
<hr/>
<p><bdi>${title}</bdi> by <bdi>${author}</bdi> is from Inkglade: <a href="${address}">${address}</a></p>
<p>${changedAt === null ? "" : `Last changed on ${toDay(changedAt)}. `}Downloaded on ${toDay(now)}.</p>
${isOngoing ? "<p>This story is still being written.</p>\n" : ""}</div>
`;
}

function toDay(time: number): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(time);
}

function toDocument({ title, language }: Book, body: string): string {
  const lang = language === UNKNOWN_LANGUAGE ? "" : ` lang="${language}" xml:lang="${language}"`;
  return `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"${lang}>
<head>
<title>${title}</title>
<link rel="stylesheet" href="styles.css"/>
</head>
${body}
</html>
`;
}

/** A text as the content of XHTML files. */
interface ChapterFiles {
  /** What precedes the first chapter, if anything, and each chapter. At least one. */
  bodies: string[];
  /** The index of the file of each chapter, in the order of the text's chapters. */
  chapters: number[];
}

/** Tags, which may have `<` and `>` in attributes, and the text between them. */
const TOKEN = /<(\/?)([a-z]\w*)((?:"[^"]*"|[^">])*)>|[^<]+/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

const VOID_TAGS = new Set(["br", "hr"]);
const KEPT_ATTRIBUTES = new Set(["id", "dir", "start", "title", "data-unparsed"]);

/** XML cannot contain it, so no text does. */
const SEPARATOR = "\f";

/**
 * Divides a text by its chapters, and converts the HTML of `renderInSteps` to XHTML. Leaves out the sections and buttons of
 * the reading page. A book cannot contain pictures from elsewhere, so their alternative text links to them.
 *
 * @param address of the story, which relative links refer to
 */
function toChapterFiles({ html, chapters }: RenderedText, address: string): ChapterFiles {
  /** By the id of the heading. */
  const files = new Map(chapters.map(({ id }) => [id, -1]));
  let file = 0;
  let isEmpty = true;
  let isSectionStart = false;
  let isInButton = false;
  let isInLink = false;

  function convert(token: string, slash?: string, name?: string, attributes = ""): string {
    if (name === "noscript") isInButton = !slash;
    if (name === "noscript" || isInButton) return "";
    if (name === "section") {
      isSectionStart = !slash;
      return "";
    }
    if (name === undefined) return token.replaceAll(">", "&gt;");
    if (name === "a" && slash) {
      const end = isInLink ? "</a>" : "";
      isInLink = false;
      return end;
    }
    if (slash) return token;
    return toStartTag(name, readAttributes(attributes));
  }

  function toStartTag(name: string, attributes: Map<string, string>): string {
    const id = attributes.get("id") ?? "";
    const isNewFile = isSectionStart && !isEmpty && files.has(id);
    if (isNewFile) file += 1;
    if (files.has(id)) files.set(id, file);
    isSectionStart = false;
    isEmpty = false;
    if (name === "img") return toPictureLink(attributes, address, isInLink);
    const href = name === "a" ? toAddress(attributes.get("href"), address) : undefined;
    if (name === "a" && !href) return "";
    if (href) isInLink = true;
    const kept = [...attributes].filter(([key]) => KEPT_ATTRIBUTES.has(key));
    const written = [...(href ? [["href", href]] : []), ...kept].map(
      ([key, value = ""]) => ` ${key}="${escapeXml(value)}"`,
    );
    const tag = `<${name}${written.join("")}${VOID_TAGS.has(name) ? "/" : ""}>`;
    return isNewFile ? SEPARATOR + tag : tag;
  }

  const xhtml = removeNonXml(html).replaceAll(TOKEN, convert);
  return {
    bodies: xhtml.split(SEPARATOR),
    chapters: chapters.map(({ id }) => files.get(id) ?? 0),
  };
}

function toPictureLink(attributes: Map<string, string>, address: string, isInLink: boolean) {
  const words = escapeXml(
    `[Picture${attributes.get("alt")?.trim() ? `: ${attributes.get("alt")}` : ""}]`,
  );
  const href = isInLink ? undefined : toAddress(attributes.get("src"), address);
  return href ? `<a href="${escapeXml(href)}">${words}</a>` : words;
}

/** Returns the values of attributes. All character references in them are hexadecimal. */
function readAttributes(attributes: string): Map<string, string> {
  return new Map(
    Array.from(attributes.matchAll(ATTRIBUTE), ([, name = "", value = ""]) => [
      name,
      value.replaceAll(/&#x([\dA-F]+);/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      ),
    ]),
  );
}

/** Returns an absolute address, in which characters that RFC 3986 does not allow are encoded; browsers allow more. */
function toAddress(href: string | undefined, base: string): string | undefined {
  if (href === undefined || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  // Encoding would break the brackets of an IPv6 address.
  if (url.hostname.startsWith("[")) return undefined;
  const [start = "", ...fragment] = url.href.split("#");
  return [start, ...(fragment.length > 0 ? [fragment.join("%23")] : [])]
    .join("#")
    .replaceAll(/[^\w!#$%&'()*+,./:;=?@~-]|%(?![\da-f]{2})/gi, encodeURIComponent);
}
