import { createContext } from "react";

/** The safe HTML of the page being rendered on the server. Empty in the browser, where the document contains it. */
export const PageHtmlContext = createContext("");
