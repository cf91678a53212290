import { createContext, useContext, useState } from "react";

/** Parts of the reading page that only the server renders, as safe HTML. */
export interface PageHtml {
  text: string;
  /** What follows the text. */
  end: string;
}

/** The HTML of the page being rendered on the server; `null` in the browser, where the document contains it. */
export const PageHtmlContext = createContext<PageHtml | null>(null);

/**
 * Returns the initial HTML of a part of the page, which React does not hydrate.
 *
 * @param id of the element around the part
 * @param html the part after a client-side navigation; `null` on the first page
 */
export function usePageHtml(part: keyof PageHtml, id: string, html: string | null): string {
  const pageHtml = useContext(PageHtmlContext);
  const [initialHtml] = useState(() => html ?? pageHtml?.[part] ?? findInPage(id));
  return initialHtml;
}

/** Returns the HTML that the server has rendered, during hydration. */
function findInPage(id: string): string {
  return typeof document === "undefined" ? "" : (document.getElementById(id)?.innerHTML ?? "");
}
