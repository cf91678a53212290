import { createContext } from "react";

/** The nonce of this response's Content-Security-Policy. Empty in the browser, which hides nonces from scripts. */
export const NonceContext = createContext("");
