import { useSyncExternalStore } from "react";

import { findStorage } from "#app/writing/autosave/local-drafts.ts";

const KEY = "inkglade.plain-markdown";

const subscribers = new Set<() => void>();
/** What was chosen on this page, for where nothing can be stored. */
let chosen: boolean | undefined;

/** Returns whether this device's writer prefers plain Markdown: `null` on the server, which cannot know. */
export function useEditorChoice() {
  const isPlain = useSyncExternalStore(subscribe, read, () => null);
  return [isPlain, choose] as const;
}

function subscribe(notify: () => void): () => void {
  subscribers.add(notify);
  return () => void subscribers.delete(notify);
}

function read(): boolean {
  return chosen ?? findStorage()?.getItem(KEY) === "true";
}

function choose(isPlain: boolean): void {
  chosen = isPlain;
  try {
    if (isPlain) findStorage()?.setItem(KEY, "true");
    else findStorage()?.removeItem(KEY);
  } catch {
    // A full storage forgets the choice, which is little.
  }
  for (const notify of subscribers) notify();
}
