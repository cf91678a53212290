import { useState, useSyncExternalStore } from "react";

import { getStorage } from "#app/writing/autosave/local-drafts.ts";

const KEY = "inkglade.plain-markdown";

/** Whether plain Markdown is preferred in this browser: `null` on the server, which can't know. */
export function usePlainMarkdown() {
  const stored = useSyncExternalStore(subscribeToNothing, read, () => null);
  const [chosen, setChosen] = useState<boolean | null>(null);

  function set(isPlain: boolean) {
    setChosen(isPlain);
    try {
      if (isPlain) getStorage()?.setItem(KEY, "true");
      else getStorage()?.removeItem(KEY);
    } catch {
      // With full storage the preference lasts as long as the editor.
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
