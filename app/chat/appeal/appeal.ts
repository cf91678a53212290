import type { ActionError } from "#app/session/action-result.ts";

/** The address that asks to post again. */
export const APPEAL_PATH = "/rooms/general/appeal";

/** Why an appeal was not sent, with what was submitted. */
export interface AppealResult extends ActionError {
  values: Record<"uid" | "appeal" | "returnTo", string>;
}
