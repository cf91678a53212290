import { useEffect, useRef, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { fetchToken } from "#app/session/fetch-token.ts";
import { JUMP_PERCENT, placesPath, type Place } from "./position.ts";
import type { PlaceView } from "./reading-data.ts";

/** A device that was left for this long asks where its person has read meanwhile. */
const AWAY_MS = 30_000;

/** What shows that somebody is there. */
const TOUCHES = ["pointerdown", "keydown", "wheel"];

export interface FurtherPlaceOptions {
  story: string;
  /** Of whoever is signed in: nobody else has another device. */
  uid: string | undefined;
  /** The same at every render. */
  firebase: FirebaseConfig;
  percent: number;
  kept: PlaceView | null;
}

/**
 * Tells where the reader has come to on another device, when that is much further than here: live from the first touch of
 * the page on, before which nothing of Firebase is fetched, and when they come back to it.
 */
export function useFurtherPlace({ story, uid, firebase, percent, kept }: FurtherPlaceOptions) {
  const [further, setFurther] = useState<Place | null>(null);
  const [isDismissed, setIsDismissed] = useState(false);
  const here = useRef({ percent, time: 0 });
  useEffect(() => {
    here.current = { percent, time: kept?.time ?? 0 };
  });

  useEffect(() => {
    if (!uid || isDismissed) return undefined;
    let isOver = false;
    let stop = () => {};

    // What is no later was known when the page was made, or comes from here.
    const isNews = (time: unknown) => typeof time === "number" && time > here.current.time;

    async function ask() {
      const place = await fetchPlace(story);
      if (isOver || !place || !isNews(place.time)) return;
      // The text on this page may be an older one, without that paragraph.
      if (document.getElementById(place.paragraph)) setFurther(place);
    }

    async function watch(person: string) {
      const { watchOwnDocument } = await import("#app/firebase/user-document.client.ts");
      if (isOver) return;
      const path = `${placesPath(person)}/${story}`;
      stop = watchOwnDocument(firebase, { uid: person, path }, fetchToken, ({ time }) => {
        if (isNews(time)) void ask();
      });
    }

    const stopWaiting = onFirstTouch(() => void watch(uid).catch(() => {}));
    const stopAsking = onReturn(() => void ask());
    return () => {
      isOver = true;
      stopWaiting();
      stopAsking();
      stop();
      setFurther(null);
    };
  }, [story, uid, firebase, isDismissed]);

  const isFurther = further !== null && further.percent > percent + JUMP_PERCENT;
  // Whoever has read on to there, and goes back, knows.
  if (further && !isFurther) setFurther(null);
  return { further: isFurther ? further : null, dismiss: () => setIsDismissed(true) };
}

function onFirstTouch(begin: () => void): () => void {
  const touched = new AbortController();
  const { signal } = touched;
  function take() {
    touched.abort();
    begin();
  }
  for (const type of TOUCHES) addEventListener(type, take, { signal, passive: true });
  return () => touched.abort();
}

function onReturn(ask: () => void): () => void {
  let leftAt = Infinity;
  function follow() {
    if (document.visibilityState === "hidden") leftAt = Date.now();
    else if (Date.now() - leftAt > AWAY_MS) ask();
  }
  document.addEventListener("visibilitychange", follow);
  return () => document.removeEventListener("visibilitychange", follow);
}

/** Returns where the account says that the reader is. */
async function fetchPlace(story: string): Promise<Place | null> {
  try {
    const response = await fetch(`/places?story=${encodeURIComponent(story)}`);
    if (!response.ok) return null;
    const { place }: { place: Place | null } = await response.json(); // from our own server
    return place;
  } catch {
    return null;
  }
}
