import type { FormError } from "#app/http/form.ts";

/** The screen that sends a password reset link. */
export const RESET_PATH = "/login?reset=1";

/** The intent of the button on Sign In that opens this screen with the typed e-mail. */
export const FORGOT_INTENT = "forgot";

/** The `mode` of links from e-mails, as Firebase Authentication names them. */
export const EMAIL_LINK_MODES = [
  "resetPassword",
  "verifyEmail",
  "verifyAndChangeEmail",
  "recoverEmail",
] as const;

export type EmailLinkMode = (typeof EMAIL_LINK_MODES)[number];

/** The links about an e-mail address, which only need a confirmation. */
export type AddressMode = Exclude<EmailLinkMode, "resetPassword">;

/** A screen that /login shows instead of Sign In: to request a password reset link, or for a link from an e-mail. */
export type EmailLinkScreen =
  | { kind: "reset-request"; isSent: boolean }
  | { kind: "new-password"; email: string }
  | { kind: "apply-code"; mode: AddressMode }
  | { kind: "expired-link"; banner: FormError; isUnavailable: boolean };

/** The result of submitting the form of one of these screens. */
export interface EmailLinkResult {
  banner?: FormError | undefined;
  /** The e-mail as typed. */
  email?: string | undefined;
  fieldErrors?: { email?: string[] | undefined; password?: string[] | undefined } | undefined;
}
