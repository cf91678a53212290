import { useEffect, useLayoutEffect } from "react";

/** A layout effect. React 18 warns about `useLayoutEffect` on the server. */
export const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
