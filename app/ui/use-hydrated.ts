import { useSyncExternalStore } from "react";

/** Returns whether scripts run here: `false` in server HTML and while it comes alive, `true` from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(subscribe, inBrowser, onServer);
}

const subscribe = () => () => undefined;
const inBrowser = () => true;
const onServer = () => false;
