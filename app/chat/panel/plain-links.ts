import { createContext } from "react";

/** Whether links are plain: outside of the app there is no router. */
export const PlainLinksContext = createContext(false);
