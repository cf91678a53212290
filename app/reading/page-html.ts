import { createContext } from "react";

/** The safe HTML that the page being made holds. Empty in browsers, which find it in the page. */
export const PageMarkupContext = createContext("");
