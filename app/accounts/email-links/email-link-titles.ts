import type { AddressMode, EmailLinkScreen } from "./email-link-screen.ts";

const ADDRESS_TITLES: Record<AddressMode, string> = {
  verifyEmail: "Confirm your e-mail",
  verifyAndChangeEmail: "Change your e-mail",
  recoverEmail: "Restore your old e-mail",
};

/** Returns the heading of a screen, which is also the page's title. */
export function getEmailLinkTitle(screen: EmailLinkScreen): string {
  switch (screen.kind) {
    case "reset-request":
      return "Reset your password";
    case "new-password":
      return "Choose a new password";
    case "apply-code":
      return ADDRESS_TITLES[screen.mode];
    case "expired-link":
      return screen.isUnavailable ? "That didn't work" : "This link no longer works";
  }
}
