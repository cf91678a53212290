import type { RenderedText } from "#app/stories/markdown.server.ts";
import { escapeXml, removeNonXml } from "#app/stories/xml.server.ts";

/** A text as the content of XHTML files. */
export interface ChapterFiles {
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
export function toChapterFiles({ html, chapters }: RenderedText, address: string): ChapterFiles {
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
