import type { Notice } from "./flash.ts";

interface Words {
  message: string;
  hint?: string;
  /** @default 'success' */
  severity?: "warn";
}

/** What each notice says. */
export const NOTICE_WORDS: Partial<Record<Notice, Words>> = {
  "session-ended": {
    message: "You were signed out for safety. Sign in again; your text is kept.",
    severity: "warn",
  },
  "password-changed": {
    message: "Your new password is set.",
    hint: "Wherever else you were signed in, you are signed out.",
  },
  "profile-saved": {
    message: "Saved.",
    hint: "Your next message carries it. What you have said before stays as it is.",
  },
  "confirmation-sent": { message: "A link is on its way to you." },
  "password-link-sent": { message: "A link to choose a password is on its way to you." },
  "google-linked": { message: "Google is linked. You can sign in with either now." },
  "google-unlinked": { message: "Google is unlinked. You sign in with your password." },
  "signed-out-elsewhere": { message: "You are signed out everywhere else." },
  "session-removed": {
    message: "That browser is signed out.",
    hint: "It may take up to a minute to show there.",
  },
  "sign-out-pending": {
    message: "You are signed out in this browser.",
    hint: "We couldn't reach our database to end the session everywhere. We'll try again the next time you visit.",
    severity: "warn",
  },
  "account-deleted": { message: "Your account is deleted, and what was yours with it." },
  "email-confirmed": { message: "Your e-mail is confirmed." },
  "email-changed": { message: "Your e-mail is changed. Sign in with the new address." },
  "email-restored": {
    message: "Your e-mail is what it was before.",
    hint: "If you did not change it, somebody knows your password: ask for a new one.",
  },
};
