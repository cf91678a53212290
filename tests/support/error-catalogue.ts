import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";

import * as z from "zod";

import { sendJson, startServer } from "./server.ts";

interface ScreenTexts {
  message: string;
  hint?: string;
}

/** An error of the provider, and the text that each screen shows for it. */
interface CatalogueEntry {
  /** The SDK's error code, as in the specification. */
  code: string;
  /** `error.message` in the provider's response. */
  wire: string;
  signIn: ScreenTexts;
  signUp: ScreenTexts;
}

/** Returns an entry for which both screens show the provider's own sentence. */
function entry(code: string, wire: string, sentence: string, hint?: string): CatalogueEntry {
  const words = { message: `Firebase: ${sentence} (auth/${code}).`, ...(hint && { hint }) };
  return { code, wire, signIn: words, signUp: words };
}

const LINK_HINT = "This link has been used or is too old. Ask for a new one.";
const RATE_HINT = "Too many attempts. Wait a few minutes, or reset your password.";

/** The error catalogue of the specification. */
export const errorCatalogue: CatalogueEntry[] = [
  {
    ...entry(
      "user-not-found",
      "EMAIL_NOT_FOUND",
      "There is no user record corresponding to this identifier. The user may have been deleted.",
    ),
    signIn: { message: "User not found" },
  },
  {
    ...entry(
      "wrong-password",
      "INVALID_PASSWORD",
      "The password is invalid or the user does not have a password.",
    ),
    signIn: { message: "Invalid password" },
  },
  {
    ...entry(
      "email-already-in-use",
      "EMAIL_EXISTS",
      "The email address is already in use by another account.",
    ),
    signUp: { message: "Email already in use" },
  },
  {
    ...entry("invalid-email", "INVALID_EMAIL", "The email address is badly formatted."),
    signUp: { message: "Invalid email address" },
  },
  {
    ...entry(
      "weak-password",
      "WEAK_PASSWORD : Password should be at least 6 characters",
      "Password should be at least 6 characters",
    ),
    signUp: { message: "Password should be at least 6 characters" },
  },
  entry(
    "invalid-credential",
    "INVALID_LOGIN_CREDENTIALS",
    "The supplied auth credential is incorrect, malformed or has expired.",
    "Check the e-mail and the password, or reset your password.",
  ),
  entry(
    "too-many-requests",
    "TOO_MANY_ATTEMPTS_TRY_LATER",
    "We have blocked all requests from this device due to unusual activity. Try again later.",
    RATE_HINT,
  ),
  entry(
    "too-many-requests",
    "TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled.",
    "Access to this account has been temporarily disabled.",
    RATE_HINT,
  ),
  entry(
    "requires-recent-login",
    "CREDENTIAL_TOO_OLD_LOGIN_AGAIN",
    "This operation is sensitive and requires recent authentication. Log in again before retrying this request.",
    "Enter your password again to make this change.",
  ),
  entry(
    "user-token-expired",
    "TOKEN_EXPIRED",
    "The user's credential is no longer valid. The user must sign in again.",
    "You were signed out for your security. Sign in again; your text is safe.",
  ),
  entry(
    "invalid-action-code",
    "INVALID_OOB_CODE",
    "The action code is invalid. This can happen if the code is malformed, expired, or has already been used.",
    LINK_HINT,
  ),
  entry("expired-action-code", "EXPIRED_OOB_CODE", "The action code has expired.", LINK_HINT),
  entry(
    "password-does-not-meet-requirements",
    "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain a numeric character]",
    "Missing password requirements: [Password must contain a numeric character]",
    "Choose a longer password with different kinds of characters.",
  ),
  entry(
    "user-disabled",
    "USER_DISABLED",
    "The user account has been disabled by an administrator.",
  ),
  entry(
    "operation-not-allowed",
    "PASSWORD_LOGIN_DISABLED",
    "The given sign-in provider is disabled for this Firebase project. Enable it in the Firebase console, under the sign-in method tab of the Auth section.",
  ),
  entry(
    "brand-new",
    "BRAND_NEW : Whatever Google thinks of next",
    "Whatever Google thinks of next",
  ),
  {
    code: "",
    wire: "",
    signIn: { message: "Login failed" },
    signUp: { message: "Registration failed" },
  },
];

const attemptSchema = z.object({ email: z.string() });

/**
 * Returns a request handler that responds with the catalogue entry whose index is in the e-mail: `3@example.com` gets
 * the fourth entry. Other requests stay pending until `rejectPending` is called, which lets the app respond
 * to them.
 */
export function createFailingProvider() {
  const pending = new Set<ServerResponse>();
  return {
    respond: async (response: ServerResponse, request: IncomingMessage): Promise<void> => {
      const { email } = attemptSchema.parse(await json(request));
      const failure = errorCatalogue[Number.parseInt(email, 10)];
      if (failure) reject(response, failure.wire);
      else pending.add(response);
    },
    rejectPending(): void {
      for (const response of pending) reject(response, "");
      pending.clear();
    },
  };
}

function reject(response: ServerResponse, message: string): void {
  sendJson(response, 400, { error: { code: 400, message } });
}

/** Starts a server of `createFailingProvider`, which never responds to other requests. */
export function startFailingProvider() {
  return startServer(createFailingProvider().respond);
}
