import type { AddressMode, CodeScreen } from "./email-link-screen.ts";

const ADDRESS_TITLES: Record<AddressMode, string> = {
  verifyEmail: "Confirm your e-mail",
  verifyAndChangeEmail: "Change your e-mail",
  recoverEmail: "Restore your old e-mail",
};

/** Returns what a screen is called, in its heading and in the title of the page. */
export function titleOf(screen: CodeScreen): string {
  switch (screen.kind) {
    case "reset-request":
      return "Reset your password";
    case "new-password":
      return "Choose a new password";
    case "apply-code":
      return ADDRESS_TITLES[screen.mode];
    case "dead-link":
      return screen.isUnreachable ? "That didn't work" : "This link no longer works";
  }
}
