import { isOffline, offlineMessage } from "#app/site/offline.ts";

/** Returns why a list was not saved, from the result of its form; `undefined` if it was. */
export function findListMessage(result: unknown): string | undefined {
  if (isOffline(result)) return offlineMessage(result);
  if (typeof result !== "object" || result === null || !("message" in result)) return undefined;
  return String(result.message);
}
