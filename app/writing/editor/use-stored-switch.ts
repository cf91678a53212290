import { useState, useSyncExternalStore } from "react";

import { getStorage } from "#app/site/storage.ts";

/** Returns whether the user has switched something on in this browser (`null` on the server), and a setter. */
export function useStoredSwitch(key: string) {
  const read = () => getStorage()?.getItem(key) === "true";
  const stored = useSyncExternalStore(subscribeToNothing, read, () => null);
  const [chosen, setChosen] = useState<boolean | null>(null);

  function set(isOn: boolean) {
    setChosen(isOn);
    try {
      if (isOn) getStorage()?.setItem(key, "true");
      else getStorage()?.removeItem(key);
    } catch {
      // If storage is full, the preference is lost with the page.
    }
  }
  return [chosen ?? stored, set] as const;
}

function subscribeToNothing() {
  return () => {};
}
