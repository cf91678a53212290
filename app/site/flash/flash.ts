/** Sent with the page that shows it, so that scripts contain no messages. */
export interface FlashText {
  message: string;
  hint?: string;
  /** @default 'success' */
  severity?: "warn";
}

/** Messages that are shown once, on the page after a redirect. The room has its own for what was done about a message. */
export const FLASH_TEXTS = {
  // The home page shows it in another way.
  "quest-not-open": null,
  "session-ended": {
    message: "You were signed out for your security. Sign in again; your text is safe.",
    severity: "warn",
  },
  "password-changed": {
    message: "Password changed.",
    hint: "You're signed out everywhere else.",
  },
  "profile-saved": {
    message: "Saved.",
    hint: "Your next message will show this. Older messages don't change.",
  },
  "about-saved": { message: "Saved." },
  "confirmation-sent": { message: "We e-mailed you a link." },
  "password-link-sent": { message: "We e-mailed you a link to choose a password." },
  "google-linked": {
    message: "Google is linked. You can now sign in with Google or your password.",
  },
  "google-unlinked": { message: "Google is unlinked. Sign in with your password from now on." },
  "signed-out-elsewhere": { message: "You're signed out everywhere else." },
  "session-removed": {
    message: "Browser signed out.",
    hint: "This can take up to a minute to show there.",
  },
  "unseen-saved": { message: "Saved." },
  "uncounted-saved": { message: "Saved." },
  "person-shown": { message: "You'll see their messages again." },
  "report-message-deleted": { message: "Message deleted." },
  "report-dismissed": { message: "Reports dismissed.", hint: "It can be reported again." },
  "person-muted": { message: "Muted." },
  "mute-lifted": { message: "They can post again." },
  "story-unpublished": { message: "Story unpublished." },
  "picture-removed": { message: "Picture removed." },
  "sign-out-pending": {
    message: "You're signed out in this browser.",
    hint: "We couldn't reach our database to end the session everywhere. We'll try again the next time you visit.",
    severity: "warn",
  },
  "account-deleted": { message: "Your account has been deleted." },
  "email-confirmed": { message: "Your e-mail has been confirmed." },
  "email-changed": { message: "Your e-mail has been changed. Sign in with your new address." },
  "email-restored": {
    message: "Your old e-mail has been restored.",
    hint: "If you didn't change it, someone may know your password. Choose a new one.",
  },
} satisfies Record<string, FlashText | null>;

export type Flash = keyof typeof FLASH_TEXTS | `message-${string}`;
