/** What the page after a redirect says once. */
export const NOTICES = [
  "session-ended",
  "quest-not-open",
  "password-changed",
  "email-confirmed",
  "email-changed",
  "email-restored",
  "profile-saved",
  "confirmation-sent",
  "password-link-sent",
  "google-linked",
  "google-unlinked",
  "signed-out-elsewhere",
  "session-removed",
  "sign-out-pending",
  "account-deleted",
] as const;

export type Notice = (typeof NOTICES)[number];

/** Returns the notice of that name, if there is one. */
export function findNotice(name: unknown): Notice | undefined {
  return NOTICES.find((notice) => notice === name);
}
