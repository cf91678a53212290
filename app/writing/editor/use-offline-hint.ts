import { useEffect, useState } from "react";

import { isOffline, offlineMessage } from "#app/site/offline.ts";

/**
 * Returns why the last form did not reach the server, and what to do, which changes once the connection is back.
 *
 * @param answer what the form's action returned
 */
export function useOfflineHint(answer: unknown): string | undefined {
  const [answerBefore, setAnswerBefore] = useState<unknown>();
  useEffect(() => {
    if (!isOffline(answer)) return undefined;
    const onOnline = () => setAnswerBefore(answer);
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, [answer]);
  if (!isOffline(answer)) return undefined;
  return answer === answerBefore ? "You're back online. Try again." : offlineMessage(answer);
}
