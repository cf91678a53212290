import type { Action, ActionContext } from "./action.ts";
import { auth, unauth } from "./auth.ts";
import { DatabaseError, createInvalidRequestError } from "./errors.ts";
import { get } from "./get.ts";
import { listen } from "./listen.ts";
import { merge } from "./merge.ts";
import { onDisconnectCancel, onDisconnectMerge, onDisconnectPut } from "./on-disconnect.ts";
import { put } from "./put.ts";
import { unlisten } from "./unlisten.ts";

/** Statistics and App Check, which have no effect here. */
function acknowledge(): unknown {
  return "";
}

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["s", acknowledge],
  ["appcheck", acknowledge],
  ["unappeck", acknowledge], // Spelled this way by the SDK.
  ["auth", auth],
  ["gauth", auth],
  ["unauth", unauth],
  ["q", listen],
  ["n", unlisten],
  ["g", get],
  ["p", put],
  ["m", merge],
  ["o", onDisconnectPut],
  ["om", onDisconnectMerge],
  ["oc", onDisconnectCancel],
]);

/** Handles a request and returns the status and payload of the response. Never throws. */
export function dispatch(
  context: ActionContext,
  name: string,
  body: unknown,
  onError: (error: unknown) => void,
): { s: string; d: unknown } {
  try {
    const action = ACTIONS.get(name);
    if (!action) throw createInvalidRequestError(`Unknown action "${name}".`);
    return { s: "ok", d: action(context, body) };
  } catch (error) {
    if (error instanceof DatabaseError) return { s: error.status, d: error.message };
    onError(error);
    return { s: "internal_error", d: "Internal error" };
  }
}
