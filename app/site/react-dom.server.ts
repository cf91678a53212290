import type ReactDOM from "react-dom";

// Libraries import React DOM in each of their files, but call it only in the browser. vite.config.ts builds the Worker
// with this file instead, which keeps 55 KB of compressed code out of it. `react-dom/server` is not affected.

function rejectCall(): never {
  throw new Error("React DOM is only available in the browser");
}

export const createPortal: typeof ReactDOM.createPortal = rejectCall;
export const flushSync: typeof ReactDOM.flushSync = rejectCall;
export default { createPortal, flushSync };
