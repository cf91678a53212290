import { useMemo, useSyncExternalStore } from "react";

import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Clock } from "./locale.ts";

const MINUTE_MS = 60_000;

/** Returns the server's guess of how the person reads a clock, then what their browser knows better. */
export function useClock(guess: Clock): Clock {
  const isHydrated = useHydrated();
  return useMemo(() => (isHydrated ? readClock() : guess), [guess, isHydrated]);
}

/** Returns the minute it is, in milliseconds since the Unix epoch; on the server, and at first, when the page was made. */
export function useNow(made: number): number {
  return useSyncExternalStore(followMinutes, readMinute, () => made);
}

function readClock(): Clock {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { locale: navigator.language, timeZone };
}

function readMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
}

function followMinutes(notify: () => void): () => void {
  const timer = setInterval(notify, MINUTE_MS);
  return () => clearInterval(timer);
}
