import { useEffect, useState } from "react";

import type { OutboxState } from "#app/chat/outbox/outbox.ts";

const SLOW_MS = 5000;

/**
 * Returns whether a message has been on its way for five seconds, even if the panel was opened only later.
 *
 * @param now returns milliseconds since the Unix epoch
 */
export function useIsSlow(sending: OutboxState["sending"], now: () => number): boolean {
  const [slowMessage, setSlowMessage] = useState<OutboxState["sending"]>(null);
  useEffect(() => {
    if (!sending) return undefined;
    const timer = setTimeout(() => setSlowMessage(sending), sending.since + SLOW_MS - now());
    return () => clearTimeout(timer);
  }, [sending, now]);
  return sending !== null && sending === slowMessage;
}
