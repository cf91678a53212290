import type { HtmlCache } from "#app/ui/cached-html.tsx";

const BEGIN = "+";
const END = "-";

/** React puts this between adjacent texts, and so also next to our markers. */
const SEPARATOR = "<!-- -->";

/** Creates a cache in the memory of this isolate. Beyond `maxLength` characters, what was not used the longest is deleted. */
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
      // Nobody can know it, so no text of a user is mistaken for it.
      const marker = crypto.randomUUID();
      const keys: string[] = [];
      const cache: HtmlCache = {
        find,
        begin(key) {
          keys.push(key);
          return marker + BEGIN;
        },
        end: () => marker + END,
      };

      function finish(page: string): string {
        if (keys.length === 0) return page;
        const [first = "", ...parts] = page.split(marker);
        const open: { key: string; start: number }[] = [];
        let html = first;
        let count = 0;
        for (const part of parts) {
          const rest = part.slice(1);
          if (part.startsWith(BEGIN)) {
            open.push({ key: keys[count] ?? "", start: html.length });
            count += 1;
            html += rest.startsWith(SEPARATOR) ? rest.slice(SEPARATOR.length) : rest;
          } else {
            if (html.endsWith(SEPARATOR)) html = html.slice(0, -SEPARATOR.length);
            const closed = open.pop();
            if (closed) set(closed.key, copy(html.slice(closed.start)));
            html += rest;
          }
        }
        return html;
      }

      return { cache, finish };
    },
  };
}

/** A part of a string would keep the whole string in memory. */
function copy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
