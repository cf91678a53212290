import { createContext } from "react";

/** The nonce of the response's Content-Security-Policy. Empty in the browser, which hides nonces from scripts. */
export const NonceContext = createContext("");
