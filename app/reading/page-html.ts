import { createContext } from "react";

/** The safe HTML of the page being rendered on the server. Empty in the browser, which has it in the page. */
export const PageHtmlContext = createContext("");
