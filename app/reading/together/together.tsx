import { useEffect, useState, type ComponentType } from "react";

import { readItem, writeItem } from "#app/site/storage.ts";
import type { TogetherDotsProps } from "./together-dots.client.tsx";

/** Loads `TogetherDots`. Render it only for users who want to be seen. */
export function LazyTogetherDots(props: TogetherDotsProps) {
  const [Dots, setDots] = useState<ComponentType<TogetherDotsProps> | null>(null);

  useEffect(() => {
    // If loading fails, the next page tries again.
    import("./together-dots.client.tsx").then(
      ({ TogetherDots }) => setDots(() => TogetherDots),
      () => undefined,
    );
  }, []);

  return Dots && <Dots {...props} />;
}

/** The stories that are forgotten first have been switched on first. */
const MAX_STORIES = 50;

/**
 * Returns whether a user wants to be seen reading a story in this browser, and a function that changes it, also in other tabs.
 *
 * @param uid `undefined` for visitors, who are never seen
 */
export function useTogetherSetting(story: string, uid: string | undefined) {
  const [isOn, setIsOn] = useState(false);

  useEffect(() => {
    const update = () => setIsOn(uid !== undefined && readStories(uid).includes(story));
    update();
    addEventListener("storage", update);
    return () => removeEventListener("storage", update);
  }, [story, uid]);

  function change(next: boolean) {
    setIsOn(next);
    if (uid !== undefined) writeStory(uid, story, next);
  }
  return [isOn, change] as const;
}

function readStories(uid: string): string[] {
  return readItem(toKey(uid))?.split(" ") ?? [];
}

function writeStory(uid: string, story: string, isOn: boolean): void {
  const others = readStories(uid).filter((id) => id !== story);
  const stories = isOn ? [story, ...others].slice(0, MAX_STORIES) : others;
  writeItem(toKey(uid), stories.join(" "));
}

function toKey(uid: string): string {
  return `inkglade.together.${uid}`;
}
