import { useEffect, useState } from "react";

import type { Clock } from "#app/schemas/clock.ts";

/** Returns the server's guess of how the person reads a clock, then what their browser knows better. */
export function useClock(guess: Clock): Clock {
  const [clock, setClock] = useState(guess);
  useEffect(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    setClock({ locale: navigator.language, timeZone });
  }, []);
  return clock;
}
