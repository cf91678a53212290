import { createContext } from "react";

/** Parts of the reading page that only the server renders, as safe HTML. */
export interface PageHtml {
  text: string;
  /** What follows the text. */
  end: string;
}

/** The HTML of the page being rendered on the server; `null` in the browser, where the document contains it. */
export const PageHtmlContext = createContext<PageHtml | null>(null);

/** Returns the HTML of the element with that id, which the server has rendered, during hydration. */
export function findHtmlInPage(id: string): string {
  if (typeof document === "undefined") return "";
  return document.getElementById(id)?.innerHTML ?? "";
}
