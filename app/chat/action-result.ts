import type { FormError } from "#app/accounts/form-error.ts";

/** Why an action on a message failed. `gone`: the message does not exist any more. */
export type ActionErrorReason =
  | "unauthenticated"
  | "other-user"
  | "invalid"
  | "denied"
  | "gone"
  | "too-late"
  | "too-many"
  | "too-fast"
  | "unavailable";

export interface ActionError extends FormError {
  status: "error";
  reason: ActionErrorReason;
}

/** The server's response when a message is edited, deleted or reported, or a person hidden. */
export type ActionResult = { status: "done" } | ActionError;
