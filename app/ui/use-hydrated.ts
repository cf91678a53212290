import { useSyncExternalStore } from "react";

/** Returns `false` on the server and during hydration, `true` from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot);
}

const subscribe = () => () => undefined;
const getSnapshot = () => true;
const getServerSnapshot = () => false;
