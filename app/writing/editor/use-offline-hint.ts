import { useEffect, useState } from "react";

import { isOffline, offlineMessage } from "#app/site/offline.ts";

/**
 * Returns why the last form did not reach the server, and what to do, which changes once the connection is back.
 *
 * @param actionData what the form's action returned
 */
export function useOfflineHint(actionData: unknown): string | undefined {
  const [dataWhenOffline, setDataWhenOffline] = useState<unknown>();
  useEffect(() => {
    if (!isOffline(actionData)) return undefined;
    const onOnline = () => setDataWhenOffline(actionData);
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, [actionData]);
  if (!isOffline(actionData)) return undefined;
  return actionData === dataWhenOffline
    ? "You're back online. Try again."
    : offlineMessage(actionData);
}
