import type { FormError } from "#app/accounts/form-error.ts";

/** Why an action on a message was refused. `gone`: the message does not exist any more. */
export type ActionRefusal =
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
  reason: ActionRefusal;
}

/** What the server answers when a message is edited, deleted or reported, or a person hidden. */
export type ActionResult = { status: "done" } | ActionError;
