import { useSyncExternalStore } from "react";

import { VisuallyHidden } from "./visually-hidden.tsx";

interface Announcement {
  /** Distinguishes two announcements with the same text. */
  id: number;
  text: string;
}

const NONE: Announcement = { id: 0, text: "" };

let current = NONE;
const subscribers = new Set<() => void>();

/** Announces a text to screen readers when they pause, for changes that are visible without it. In the browser only. */
export function announce(text: string): void {
  current = { id: current.id + 1, text };
  for (const notify of subscribers) notify();
}

/** The live region of `announce`. Render it once, where nothing makes it inert. */
export function Announcer() {
  const { id, text } = useSyncExternalStore(subscribe, getCurrent, getNone);
  return (
    // React Aria hides everything else while one of its dialogs or menus is open.
    <VisuallyHidden aria-live="polite" aria-atomic="true" data-live-announcer>
      <span key={id}>{text}</span>
    </VisuallyHidden>
  );
}

function subscribe(onChange: () => void) {
  subscribers.add(onChange);
  return () => void subscribers.delete(onChange);
}

const getCurrent = () => current;
const getNone = () => NONE;
