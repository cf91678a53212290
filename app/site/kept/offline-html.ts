import { chooseLocale, formatShortDateTime } from "#app/site/locale/locale.ts";
import { readInfo, toSizeText, type KeptPage } from "./kept-pages.ts";

/** The end of the start tag of the element for notes, which `OutdatedNote` renders. */
const NOTE_TAG_END = ' data-outdated-note="">';

/**
 * The tokens of a message banner. A kept page can be of an earlier build than the worker, so its class names are not
 * known. Its policy allows style attributes.
 */
const NOTE_STYLE =
  "padding:var(--s3) var(--s4);border-inline-start:var(--edge) solid currentcolor;border-radius:var(--radius-3);background:var(--warn-soft);color:var(--on-warn-soft)";

/** Returns a kept page with a note that says so, and on /home with the list of the kept stories. */
export async function addOfflineNote(
  response: Response,
  stories: readonly KeptPage[] | null,
): Promise<Response> {
  const html = await response.text();
  const time = readInfo(response)?.time ?? Date.now();
  const list = stories ? createList(stories) : "";
  const listBox = list && `<div style="margin-block-start:var(--s4)">${list}</div>`;
  const note = `<div data-kept style="${NOTE_STYLE}"><div role="status"><p>You seem to be offline. This page is from <time datetime="${new Date(time).toISOString()}">${formatTime(time)}</time>.</p><p>You can keep reading. What you write stays in this browser.</p></div>${listBox}</div>`;
  // A function, because a text may contain the patterns of `replace`, such as "$&".
  return new Response(
    html.replace(NOTE_TAG_END, () => NOTE_TAG_END + note),
    { headers: response.headers },
  );
}

/** Returns the page for an address that is not kept. It needs no scripts, and no files. */
export function createOfflinePage(
  { pathname, search }: Pick<URL, "pathname" | "search">,
  stories: readonly KeptPage[],
): Response {
  const nonce = crypto.randomUUID();
  const title = "You seem to be offline";
  const advice =
    pathname === "/create"
      ? "<p>What you wrote here is kept in this browser, and opens when you're back online.</p>"
      : "";
  // Two slashes at the start would lead to another host.
  const path = (pathname + search).replace(/^\/+/, "/");
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Inkglade</title>
<style nonce="${nonce}">${STYLES}</style>
<main>
<h1>${title}</h1>
<p>We can't load this page without a connection. Nothing you saved was lost.</p>
${advice}
<p><a href="${escape(path)}">Try again</a></p>
${stories.length > 0 ? createList(stories) : "<p>No stories are kept on this device yet. Stories that you open are.</p>"}
</main>
</html>
`;
  const policy = ["default-src 'none'", `style-src 'nonce-${nonce}'`, "base-uri 'none'"];
  policy.push("form-action 'none'", "frame-ancestors 'none'");
  return new Response(html, {
    status: 503,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy.join("; "),
    },
  });
}

/** The colours of tokens.css. */
const STYLES = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#faf9f5,#0b1311);color:light-dark(#16211c,#e8f1ec)}
body{margin:0}
main{max-width:40rem;margin:0 auto;padding:3rem 1.25rem}
h1,h2{font-family:Georgia,serif;line-height:1.2}
a{display:inline-block;padding-block:.625rem;color:light-dark(#047857,#6ee7b7)}
a:focus-visible{outline:2px solid;outline-offset:2px}
ul{padding:0;list-style:none}`;

function createList(stories: readonly KeptPage[]): string {
  if (stories.length === 0) return "";
  const items = stories.map(({ path, title, bytes, isChosen }) => {
    const size = toSizeText(bytes);
    const note = isChosen ? `Kept offline · ${size}` : size;
    return `<li><a href="${escape(path)}"><bdi>${escape(title ?? "")}</bdi></a> <small>${note}</small></li>`;
  });
  return `<h2 id="kept">Stories on this device</h2><ul aria-labelledby="kept">${items.join("")}</ul>`;
}

function formatTime(time: number): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const locale = chooseLocale([navigator.language], [timeZone]);
  return escape(formatShortDateTime(time, locale, Date.now()));
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
