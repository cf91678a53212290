import { useEffect, useState } from "react";

const SECOND_MS = 1000;

/** Returns how many seconds are left until a time, in milliseconds since the Unix epoch. Updates every second. */
export function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / SECOND_MS));
}
