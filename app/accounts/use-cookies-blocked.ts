import { useSyncExternalStore } from "react";

/** Returns whether the browser says that it blocks cookies; `false` on the server and during hydration. */
export function useCookiesBlocked(): boolean {
  return useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot);
}

const subscribe = () => () => undefined;
// oxlint-disable-next-line baseline-js/use-baseline -- every browser has it; those that differ return `true`
const getSnapshot = () => !navigator.cookieEnabled;
const getServerSnapshot = () => false;
