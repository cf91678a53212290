import { useEffect, useState, type RefObject } from "react";

import type { ReadingData } from "./reading-data.ts";

/**
 * Returns the story to show. A new version of its text replaces the old one once the user would not notice the
 * difference. Until then, `showUpdate` shows it at once.
 *
 * @param text the element around the text
 */
export function useTextUpdate(story: ReadingData, text: RefObject<HTMLElement>) {
  const [shown, setShown] = useState(story);
  const [showUpdate, setShowUpdate] = useState<(() => void) | null>(null);
  const isSame = story.version === shown.version;
  if (isSame && story !== shown) setShown(story);
  const update = isSame || story.html === null ? null : { story, html: story.html };
  const updated = update?.story;
  const html = update?.html;

  useEffect(() => {
    if (!updated || html === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    import("./text-update.client.ts").then(
      ({ updateText }) => {
        if (signal.aborted || !text.current) return;
        const show = updateText({
          root: text.current,
          html,
          replace: () => setShown(updated),
          onWait: () => setShowUpdate(() => () => show()),
          signal,
        });
      },
      () => undefined,
    );
    return () => {
      controller.abort();
      setShowUpdate(null);
    };
  }, [updated, html, text]);

  return { shown, showUpdate };
}
