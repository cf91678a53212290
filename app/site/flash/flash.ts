/** Messages that are shown once, on the page after a redirect. */
export const FLASHES = [
  "session-ended",
  "quest-not-open",
  "password-changed",
  "email-confirmed",
  "email-changed",
  "email-restored",
  "profile-saved",
  "about-saved",
  "confirmation-sent",
  "password-link-sent",
  "google-linked",
  "google-unlinked",
  "signed-out-elsewhere",
  "session-removed",
  "unseen-saved",
  "uncounted-saved",
  "person-shown",
  "sign-out-pending",
  "account-deleted",
  "message-edited",
  "message-deleted",
  "person-hidden",
  "message-reported",
  "report-message-deleted",
  "report-dismissed",
  "person-muted",
  "mute-lifted",
  "story-unpublished",
  "picture-removed",
] as const;

export type Flash = (typeof FLASHES)[number];

/** Sent with the page that shows it, so that scripts contain no messages. */
export interface FlashText {
  message: string;
  hint?: string;
  /** @default 'success' */
  severity?: "warn";
}

/** Returns the flash of that name, if there is one. */
export function findFlash(name: unknown): Flash | undefined {
  return FLASHES.find((flash) => flash === name);
}
