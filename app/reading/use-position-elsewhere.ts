import { useEffect, useRef, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { JUMP_PERCENT, type ReadingPosition } from "./position.ts";
import type { PositionView } from "./reading-data.ts";

/** A page that was hidden for this long asks where the user has read meanwhile. */
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
 * Returns the user's position on another device when it is much further than here: live from their first input on,
 * before which nothing of Firebase is loaded, and when they come back to the page.
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
    const stopping = new AbortController();
    const { signal } = stopping;

    // An earlier position was known when the page was made, or comes from here.
    const isNew = (time: unknown) => typeof time === "number" && time > savedAt.current;

    async function update() {
      const found = await fetchPosition(story);
      if (signal.aborted || !found || !isNew(found.time)) return;
      // The text on this page may be an older version, without that paragraph.
      if (document.getElementById(found.paragraph)) setPosition(found);
    }

    async function subscribe(user: string) {
      const { watchPosition } = await import("./watch-position.ts");
      if (signal.aborted) return;
      const onChange = (time: unknown) => void (isNew(time) && update());
      const stop = watchPosition({ story, uid: user, firebase, onChange });
      signal.addEventListener("abort", stop);
    }

    onFirstInput(() => void subscribe(uid).catch(() => undefined), signal);
    onReturn(() => void update(), signal);
    return () => {
      stopping.abort();
      setPosition(null);
    };
  }, [story, uid, firebase, isDismissed]);

  const isFurther = position !== null && position.percent > percent + JUMP_PERCENT;
  // A user who has read on to there, and goes back, is not asked again.
  if (position && !isFurther) setPosition(null);
  return { further: isFurther ? position : null, dismiss: () => setIsDismissed(true) };
}

function onFirstInput(callback: () => void, signal: AbortSignal): void {
  const listening = new AbortController();
  const stop = () => listening.abort();
  signal.addEventListener("abort", stop);
  function onInput() {
    stop();
    callback();
  }
  for (const type of INPUTS) {
    addEventListener(type, onInput, { signal: listening.signal, passive: true });
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

/** Returns the position in the user's account; `null` where there is none, or it cannot be read now. */
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
