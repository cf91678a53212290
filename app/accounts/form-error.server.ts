import { AuthError } from "#app/firebase/auth-error.server.ts";
import type { FormError } from "#app/http/form.ts";
import type { FailureReason } from "#app/session/action-result.ts";
import { STATUSES } from "#app/session/run-action.server.ts";

interface AccountError {
  reason: FailureReason;
  status: number;
  banner: FormError;
}

type Screen = keyof typeof MESSAGES;

/** The specification's messages, by screen and provider code. Other codes show the provider's message. */
const MESSAGES = {
  "sign-in": new Map([
    ["user-not-found", "User not found"],
    ["wrong-password", "Invalid password"],
  ]),
  "sign-up": new Map([
    ["email-already-in-use", "Email already in use"],
    ["invalid-email", "Invalid email address"],
    ["weak-password", "Password should be at least 6 characters"],
  ]),
};

const FALLBACKS = { "sign-in": "Login failed", "sign-up": "Registration failed" };

const EXPIRED_LINK = "This link has been used or is too old. Ask for a new one.";

/** Hints below the message, by provider code. */
const HINTS = new Map([
  ["too-many-requests", "Too many attempts. Wait a few minutes, or reset your password."],
  ["network-request-failed", "We can't reach the sign-in service. Nothing was lost; try again."],
  [
    "user-token-expired",
    "You were signed out for your security. Sign in again; your text is safe.",
  ],
  [
    "password-does-not-meet-requirements",
    "Choose a longer password with different kinds of characters.",
  ],
  ["invalid-credential", "Check the e-mail and the password, or reset your password."],
  ["invalid-action-code", EXPIRED_LINK],
  ["expired-action-code", EXPIRED_LINK],
  ["requires-recent-login", "Enter your password again to make this change."],
]);

/** The reason for each provider code. It is `invalid` for all others. */
const REASONS = new Map<string, FailureReason>([
  ["network-request-failed", "unavailable"],
  ["too-many-requests", "too-fast"],
]);

/**
 * Returns the error to show on a screen, and the status of the response.
 *
 * @throws the error itself unless it is an `AuthError`
 */
export function toFormError(screen: Screen, error: unknown): AccountError {
  if (!(error instanceof AuthError)) throw error;
  const reason = REASONS.get(error.code) ?? "invalid";
  return { reason, status: STATUSES[reason], banner: toFormErrorText(screen, error) };
}

function toFormErrorText(screen: Screen, { code, message }: AuthError): FormError {
  return {
    message: MESSAGES[screen].get(code) ?? (message || FALLBACKS[screen]),
    hint: HINTS.get(code),
  };
}
