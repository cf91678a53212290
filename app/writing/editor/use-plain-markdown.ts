import { useState, useSyncExternalStore } from "react";

import { getStorage } from "#app/site/storage.ts";

const KEY = "inkglade.plain-markdown";

/** Returns whether the user prefers plain Markdown in this browser (`null` on the server), and a setter. */
export function usePlainMarkdown() {
  const stored = useSyncExternalStore(subscribeToNothing, read, () => null);
  const [chosen, setChosen] = useState<boolean | null>(null);

  function set(isPlain: boolean) {
    setChosen(isPlain);
    try {
      if (isPlain) getStorage()?.setItem(KEY, "true");
      else getStorage()?.removeItem(KEY);
    } catch {
      // If storage is full, the preference is lost with the page.
    }
  }
  return [chosen ?? stored, set] as const;
}

function subscribeToNothing() {
  return () => {};
}

function read(): boolean {
  return getStorage()?.getItem(KEY) === "true";
}
