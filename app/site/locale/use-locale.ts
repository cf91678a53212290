import { useMemo, useSyncExternalStore } from "react";

import { useHydrated } from "#app/ui/hydration.ts";
import { chooseLocale, type Locale } from "./locale.ts";

const MINUTE_MS = 60_000;

/** Returns the locale that the server guessed from the request, then the browser's own once hydrated. */
export function useLocale(guess: Locale): Locale {
  const isHydrated = useHydrated();
  return useMemo(() => (isHydrated ? getBrowserLocale(guess) : guess), [guess, isHydrated]);
}

/** Returns the current minute in milliseconds since the Unix epoch; `renderedAt` on the server and while hydrating. */
export function useNow(renderedAt: number): number {
  return useSyncExternalStore(subscribeToMinutes, getMinute, () => renderedAt);
}

function getBrowserLocale(guess: Locale): Locale {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return chooseLocale([navigator.language, guess.language], [timeZone, guess.timeZone]);
}

function getMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
}

function subscribeToMinutes(notify: () => void): () => void {
  const timer = setInterval(notify, MINUTE_MS);
  return () => clearInterval(timer);
}
