import { useState, useSyncExternalStore } from "react";

import { readItem, writeItem } from "./storage.ts";

/**
 * Returns whether something is switched on in this browser (`null` on the server), and a setter.
 *
 * @param isOnByDefault whether it is on until the user has chosen
 */
export function useStoredSwitch(key: string, isOnByDefault = false) {
  const read = () => (readItem(key) ?? String(isOnByDefault)) === "true";
  const stored = useSyncExternalStore(subscribeToNothing, read, () => null);
  const [chosen, setChosen] = useState<boolean | null>(null);

  function set(isOn: boolean) {
    setChosen(isOn);
    writeItem(key, String(isOn));
  }
  return [chosen ?? stored, set] as const;
}

function subscribeToNothing() {
  return () => {};
}
