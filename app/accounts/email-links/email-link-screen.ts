import type { FormError } from "#app/accounts/form-error.ts";

/** Where a link to a new password is asked for. */
export const RESET_PATH = "/login?reset=1";

/** What the button of Sign In sends that leads there with an e-mail. */
export const FORGOT_INTENT = "forgot";

/** What a link from a mail can be for, in the provider's words. */
export const CODE_MODES = [
  "resetPassword",
  "verifyEmail",
  "verifyAndChangeEmail",
  "recoverEmail",
] as const;

export type CodeMode = (typeof CODE_MODES)[number];

/** The links that are about an address and ask for nothing but a press. */
export type AddressMode = Exclude<CodeMode, "resetPassword">;

/** What stands at /login in place of Sign In: asking for a link to a new password, and where links from mails lead. */
export type CodeScreen =
  | { kind: "reset-request"; isSent: boolean }
  | { kind: "new-password"; email: string }
  | { kind: "apply-code"; mode: AddressMode }
  | { kind: "dead-link"; banner: FormError; isUnreachable: boolean };

/** What became of a form on such a screen. */
export interface CodeReply {
  banner?: FormError | undefined;
  /** The e-mail as typed. */
  email?: string | undefined;
  fieldErrors?: { email?: string[] | undefined; password?: string[] | undefined } | undefined;
}
