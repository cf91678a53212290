import { useMemo } from "react";

import { useScripts } from "#app/components/use-scripts.ts";
import type { Clock } from "#app/schemas/clock.ts";

/** Returns the server's guess of how the person reads a clock, then what their browser knows better. */
export function useClock(guess: Clock): Clock {
  const hasScripts = useScripts();
  return useMemo(() => (hasScripts ? readClock() : guess), [guess, hasScripts]);
}

function readClock(): Clock {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { locale: navigator.language, timeZone };
}
