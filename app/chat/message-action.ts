import type { FormError } from "#app/accounts/form-error.ts";

/** Why an action on a message was refused. `gone`: the message does not exist any more. */
export type MessageActionReason =
  | "unauthenticated"
  | "other-user"
  | "invalid"
  | "denied"
  | "gone"
  | "too-late"
  | "too-many"
  | "too-fast"
  | "unavailable";

export interface MessageActionError extends FormError {
  status: "error";
  reason: MessageActionReason;
}

/** What the server answers when a message is edited, deleted or reported, or a person hidden. */
export type MessageActionResult = { status: "done" } | MessageActionError;

/** The reasons that a report offers. */
export const REPORT_KINDS = {
  spam: "Spam or advertising",
  abuse: "Harassment or hate",
  spoiler: "Spoiler",
  illegal: "Dangerous or illegal",
  other: "Something else",
} as const;

export type ReportKind = keyof typeof REPORT_KINDS;

/** The longest details of a report, in UTF-16 units. Together with its kind they stay below the 500 of the rules. */
export const MAX_DETAILS_LENGTH = 400;

/** Returns the address of one message, for edits and its deletion. */
export function messagePath(id: string): string {
  return `/rooms/general/messages/${id}`;
}

export const REPORTS_PATH = "/rooms/general/reports";
export const HIDDEN_PATH = "/rooms/general/hidden";
