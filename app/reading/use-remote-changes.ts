import { useEffect, useRef, useState, type RefObject } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { JUMP_PERCENT, type ReadingPosition } from "#app/stories/positions/position.ts";
import type { PositionView, ReadingData } from "./reading-data.ts";

const INPUT_EVENTS = ["pointerdown", "keydown", "wheel", "visibilitychange"];

export interface RemoteChangesOptions {
  story: Pick<ReadingData, "id" | "updatedAt">;
  /** `undefined` for visitors, who have no other device. */
  uid: string | undefined;
  /** Must be the same object at every render. */
  firebase: FirebaseConfig;
  percent: number;
  saved: PositionView | null;
  /** Called when the story has changed since this page was loaded. */
  onUpdate: () => void;
}

/**
 * Returns the user's position on another device if it is much further than on this page, and reports changes of the story.
 * The code is loaded at the first input, so that Firebase is not loaded before.
 */
export function useRemoteChanges(options: RemoteChangesOptions) {
  const { story, uid, firebase, percent, saved, onUpdate } = options;
  const { id, updatedAt } = story;
  const [position, setPosition] = useState<ReadingPosition | null>(null);
  const [isDismissed, setIsDismissed] = useState(false);
  const latest = useRef({ savedAt: 0, isDismissed, onUpdate });
  useEffect(() => {
    latest.current = { savedAt: saved?.time ?? 0, isDismissed, onUpdate };
  });

  useEffect(() => {
    if (uid === undefined && updatedAt === null) return undefined;
    const input = new AbortController();
    const { signal } = input;
    const watching = new AbortController();
    function load() {
      input.abort();
      import("./remote-changes.client.ts").then(
        ({ watchRemoteChanges }) => {
          if (watching.signal.aborted) return;
          watchRemoteChanges({
            story: { id, updatedAt },
            uid,
            firebase,
            // The server has already compared earlier positions, unless this page has saved them itself.
            isNew: (time) =>
              typeof time === "number" &&
              time > latest.current.savedAt &&
              !latest.current.isDismissed,
            onPosition: setPosition,
            onUpdate: () => latest.current.onUpdate(),
            signal: watching.signal,
          });
        },
        () => undefined,
      );
    }
    for (const type of INPUT_EVENTS)
      document.addEventListener(type, load, { signal, passive: true });
    return () => {
      input.abort();
      watching.abort();
      setPosition(null);
    };
  }, [id, updatedAt, uid, firebase]);

  const isFurther = position !== null && position.percent > percent + JUMP_PERCENT;
  // Once the user has read that far, the position is not offered again.
  if (position && (!isFurther || isDismissed)) setPosition(null);
  return { furtherPosition: isFurther ? position : null, dismiss: () => setIsDismissed(true) };
}

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
    import("./remote-changes.client.ts").then(
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
