import { createCookie } from "#app/http/cookie.server.ts";
import { findFlash, type Flash, type FlashText } from "./flash.ts";

const cookie = createCookie("flash", { maxAgeSeconds: 60 });

/** Returns the headers that make the next page show a message once. */
export function setFlash(request: Request, flash: Flash) {
  return { "Set-Cookie": cookie.write(request, flash) };
}

/** Returns the message to show, or `null`. */
export function getFlash(request: Request): Flash | null {
  return findFlash(cookie.read(request)) ?? null;
}

/** Returns the headers that remove the message that was shown; none if there was no message. */
export function clearFlash(request: Request, flash: Flash | null): Record<string, string> {
  return flash ? { "Set-Cookie": cookie.remove(request) } : {};
}

/** Returns the headers that explain why the user has to sign in again; none for a user who signed out. */
export function setSessionEndedFlash(request: Request, hasEnded: boolean): Record<string, string> {
  return hasEnded ? setFlash(request, "session-ended") : {};
}

const TEXTS: Partial<Record<Flash, FlashText>> = {
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
};

/** Returns the message of a flash; `null` for none, and for a flash that its page shows in another way. */
export function getFlashText(flash: Flash | null): FlashText | null {
  return (flash && TEXTS[flash]) ?? null;
}
