import { describeError } from "#app/http/form.ts";
import type { ActionResult } from "#app/session/action-result.ts";
import { isOffline, offlineMessage, type Offline } from "./offline.ts";

/** Returns why a form was not saved; `undefined` if it was, or has not been sent. */
export function findFormError(result: ActionResult | Offline | undefined): string | undefined {
  if (isOffline(result)) return offlineMessage(result);
  return result?.status === "error" ? describeError(result) : undefined;
}
