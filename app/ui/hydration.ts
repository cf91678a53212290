import { useSyncExternalStore, useEffect, useLayoutEffect } from "react";

/** Returns `false` on the server and during hydration, `true` from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot);
}

const subscribe = () => () => undefined;
const getSnapshot = () => true;
const getServerSnapshot = () => false;

/** A layout effect. React 18 warns about `useLayoutEffect` on the server. */
export const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
