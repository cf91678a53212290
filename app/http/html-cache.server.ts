import type { HtmlCache } from "#app/ui/server-html.tsx";

/** An element's children begin after a marker, the index of their key and this sign. */
const BEGIN = "+";

/** They end before a marker and this sign. */
const END = "-";

/** React puts this between adjacent texts, and so also next to our markers. */
const SEPARATOR = "<!-- -->";

/** Creates a cache in this isolate's memory. Beyond `maxLength` characters, the least recently used HTML is deleted. */
export function createHtmlCache(maxLength: number) {
  const entries = new Map<string, string>();
  let length = 0;

  function find(key: string): string | undefined {
    const html = entries.get(key);
    if (html === undefined) return undefined;
    entries.delete(key);
    entries.set(key, html);
    return html;
  }

  function remove(key: string): void {
    length -= key.length + (entries.get(key) ?? "").length;
    entries.delete(key);
  }

  function set(key: string, html: string): void {
    if (entries.has(key)) remove(key);
    entries.set(key, html);
    length += key.length + html.length;
    for (const oldest of entries.keys()) {
      if (length <= maxLength) return;
      remove(oldest);
    }
  }

  return {
    /** Starts a page. `finish` returns its HTML as React would have rendered it without the cache. */
    startPage() {
      // Random, so that users cannot write a text that looks like it.
      const marker = crypto.randomUUID();
      const keys: string[] = [];
      const cache: HtmlCache = {
        find,
        startElement: (key) => `${marker}${keys.push(key) - 1}${BEGIN}`,
        endElement: () => marker + END,
      };
      function finish(page: string): string {
        if (keys.length === 0) return page;
        const { html, elements } = removeMarkers(page, marker);
        for (const { index, start, end } of elements) {
          const key = keys[index];
          if (key !== undefined) set(key, copy(html.slice(start, end)));
        }
        return html;
      }
      return { cache, finish };
    },
  };
}

/** The children of an element in a page without markers. */
interface RenderedElement {
  /** The index of the key. */
  index: number;
  start: number;
  end: number;
}

function removeMarkers(
  page: string,
  marker: string,
): { html: string; elements: RenderedElement[] } {
  const [first = "", ...parts] = page.split(marker);
  const elements: RenderedElement[] = [];
  const open: Omit<RenderedElement, "end">[] = [];
  let html = first;
  for (const part of parts) {
    const [sign = "", digits = ""] = /^(\d*)[+-]/.exec(part) ?? [];
    const rest = part.slice(sign.length);
    if (sign.endsWith(BEGIN)) {
      open.push({ index: Number(digits), start: html.length });
      html += rest.startsWith(SEPARATOR) ? rest.slice(SEPARATOR.length) : rest;
    } else {
      if (html.endsWith(SEPARATOR)) html = html.slice(0, -SEPARATOR.length);
      const element = open.pop();
      if (element) elements.push({ ...element, end: html.length });
      html += rest;
    }
  }
  return { html, elements };
}

/** Returns a copy of a text. A substring would hold the whole page in memory. */
function copy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
