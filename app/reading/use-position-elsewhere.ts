import { useEffect, useRef, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { JUMP_PERCENT, type ReadingPosition } from "#app/stories/positions/position.ts";
import type { PositionView } from "./reading-data.ts";

/** After being hidden for this long, the page fetches the user's position on other devices. */
const HIDDEN_MS = 30_000;

const INPUTS = ["pointerdown", "keydown", "wheel"];

export interface PositionElsewhereOptions {
  story: string;
  /** `undefined` for visitors, who have no other device. */
  uid: string | undefined;
  /** The same object at every render. */
  firebase: FirebaseConfig;
  percent: number;
  saved: PositionView | null;
}

/**
 * Returns the user's position on another device if it is much further than on this page. Subscribes to it after the
 * first input, so that Firebase is not loaded before, and fetches it when the user returns to the page.
 */
export function usePositionElsewhere(options: PositionElsewhereOptions) {
  const { story, uid, firebase, percent, saved } = options;
  const [position, setPosition] = useState<ReadingPosition | null>(null);
  const [isDismissed, setIsDismissed] = useState(false);
  const savedAt = useRef(0);
  useEffect(() => {
    savedAt.current = saved?.time ?? 0;
  });

  useEffect(() => {
    if (!uid || isDismissed) return undefined;
    const controller = new AbortController();
    const { signal } = controller;

    // The server has already compared earlier positions, or they come from this page.
    const isNew = (time: unknown) => typeof time === "number" && time > savedAt.current;

    async function update() {
      const found = await fetchPosition(story);
      if (signal.aborted || !found || !isNew(found.time)) return;
      // This page may show an older version of the text without that paragraph.
      if (document.getElementById(found.paragraph)) setPosition(found);
    }

    async function subscribe(user: string) {
      const { subscribeToPosition } = await import("./subscribe-to-position.ts");
      if (signal.aborted) return;
      const onChange = (time: unknown) => void (isNew(time) && update());
      const unsubscribe = subscribeToPosition({ story, uid: user, firebase, onChange });
      signal.addEventListener("abort", unsubscribe);
    }

    onFirstInput(() => void subscribe(uid).catch(() => undefined), signal);
    onReturn(() => void update(), signal);
    return () => {
      controller.abort();
      setPosition(null);
    };
  }, [story, uid, firebase, isDismissed]);

  const isFurther = position !== null && position.percent > percent + JUMP_PERCENT;
  // Once the user has read that far, the position is not offered again.
  if (position && !isFurther) setPosition(null);
  return { furtherPosition: isFurther ? position : null, dismiss: () => setIsDismissed(true) };
}

function onFirstInput(callback: () => void, signal: AbortSignal): void {
  const controller = new AbortController();
  const stop = () => controller.abort();
  signal.addEventListener("abort", stop);
  function onInput() {
    stop();
    callback();
  }
  for (const type of INPUTS) {
    addEventListener(type, onInput, { signal: controller.signal, passive: true });
  }
}

function onReturn(callback: () => void, signal: AbortSignal): void {
  let hiddenAt = Infinity;
  function onChange() {
    if (document.visibilityState === "hidden") hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > HIDDEN_MS) callback();
  }
  document.addEventListener("visibilitychange", onChange, { signal });
}

/** Returns the position in the user's account; `null` if there is none or it cannot be read now. */
async function fetchPosition(story: string): Promise<ReadingPosition | null> {
  try {
    const response = await fetch(`/places?story=${encodeURIComponent(story)}`);
    if (!response.ok) return null;
    const { position }: { position: ReadingPosition | null } = await response.json(); // from our own server
    return position;
  } catch {
    return null;
  }
}
