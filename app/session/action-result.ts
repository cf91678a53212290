import type { FormError } from "#app/http/form.ts";

/**
 * Why the server did not do what a user asked for. `other-user`: another user is signed in now. `gone`: what it is about
 * does not exist any more. `too-many`: a list is full. `muted`: an operator has muted the user.
 */
export type FailureReason =
  | "unauthenticated"
  | "other-user"
  | "invalid"
  | "denied"
  | "gone"
  | "too-late"
  | "too-many"
  | "too-fast"
  | "muted"
  | "unavailable";

export interface ActionError<Reason extends string = FailureReason> extends FormError {
  status: "error";
  reason: Reason;
  /** The name of the field that has to be changed first, if the form shows the hint there. */
  field?: string | undefined;
  /** The errors to show beside fields, by name. They are shown in place of the message. */
  fieldErrors?: Record<string, string[]> | undefined;
}

/** The server's response to what forms and scripts post. Some actions respond with more than `done`. */
export type ActionResult = { status: "done" } | ActionError;
