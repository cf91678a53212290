import { useMemo, useSyncExternalStore } from "react";

import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Clock } from "./locale.ts";

const MINUTE_MS = 60_000;

/** Returns the server's guess during hydration, then the browser's own language and time zone. */
export function useClock(guess: Clock): Clock {
  const isHydrated = useHydrated();
  return useMemo(() => (isHydrated ? readClock() : guess), [guess, isHydrated]);
}

/**
 * Returns the current minute in milliseconds since the Unix epoch; on the server and during hydration `renderedAt`, the
 * time of the response.
 */
export function useNow(renderedAt: number): number {
  return useSyncExternalStore(subscribeToMinutes, getMinute, () => renderedAt);
}

function readClock(): Clock {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { locale: navigator.language, timeZone };
}

function getMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
}

function subscribeToMinutes(notify: () => void): () => void {
  const timer = setInterval(notify, MINUTE_MS);
  return () => clearInterval(timer);
}
