import { expect, test } from "vitest";

import { loader as rootLoader } from "#app/root.tsx";
import { loader as callback } from "#app/routes/auth.google.callback.ts";
import { chooseAtGoogle } from "#tests/support/google-page.ts";
import { POPUP_ID, readPopup, startGoogleSignIn } from "#tests/support/google-sign-in.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import { sendJson, startServer } from "#tests/support/server.ts";

const SCREENS = ["sign-in", "sign-up", "room", "link"] as const;
type Screen = (typeof SCREENS)[number];

/** An error, and the message that the screens show for it. */
interface Row {
  name: string;
  code: string;
  sentence: string;
  hint?: string;
  status?: number;
  /** The screens with another message or hint. */
  overrides?: Partial<Record<Screen, { message?: string; hint?: string | undefined }>>;
}

const PAGES: Record<Screen, string> = {
  "sign-in": "/login",
  "sign-up": "/register",
  room: "/home#room",
  link: "/profile?tab=security#google-flash",
};

const PASSWORD_FIRST = "Sign in with your password first, then link Google on your profile.";
const TRY_AGAIN = "Nothing was changed; try again.";
const USE_PASSWORD = "Nothing was changed. You can also use e-mail and password.";
const OUTDATED =
  "This sign-in wasn't started in this browser, or took too long. Nothing was changed; try again.";
const SIGNED_OUT = "You were signed out for your security. Sign in again; your text is safe.";
/** The errors that end the session while linking. */
const SESSION_ENDING_CODES = [
  "user-token-expired",
  "user-disabled",
  "user-not-found",
  "invalid-user-token",
];
const INTERNAL = "An internal AuthError has occurred.";

/** Firebase's error responses to `accounts:signInWithIdp`. */
const firebaseErrors: (Row & { responseBody: object; responseStatus?: number })[] = [
  {
    ...createErrorResponse("USER_DISABLED", "user-disabled"),
    sentence: "The user account has been disabled by an administrator.",
    overrides: { link: { hint: undefined } },
  },
  {
    ...createErrorResponse("EMAIL_EXISTS", "email-already-in-use"),
    sentence: "The email address is already in use by another account.",
    hint: PASSWORD_FIRST,
    overrides: {
      "sign-up": { message: "Email already in use" },
      link: { hint: "Another account already uses that Google account's e-mail address." },
    },
  },
  {
    ...createErrorResponse("INVALID_EMAIL", "invalid-email"),
    sentence: "The email address is badly formatted.",
    overrides: { "sign-up": { message: "Invalid email address" } },
  },
  {
    ...createErrorResponse("EMAIL_NOT_FOUND", "user-not-found"),
    sentence:
      "There is no user record corresponding to this identifier. The user may have been deleted.",
    overrides: {
      "sign-in": { message: "User not found" },
      room: { message: "User not found" },
      link: { message: "User not found" },
    },
  },
  {
    ...createErrorResponse(
      "INVALID_IDP_RESPONSE : Unable to parse ey.secret",
      "invalid-credential",
    ),
    sentence: "The supplied auth credential is incorrect, malformed or has expired.",
    hint: OUTDATED,
  },
  {
    ...createErrorResponse(
      "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: ey.secret",
      "invalid-credential-or-provider-id",
    ),
    sentence: "Error",
    hint: TRY_AGAIN,
  },
  {
    ...createErrorResponse(
      "MISSING_OR_INVALID_NONCE : Duplicate credential",
      "missing-or-invalid-nonce",
    ),
    sentence:
      "The request does not contain a valid nonce. This can occur if the SHA-256 hash of the provided raw nonce does not match the hashed nonce in the ID token payload.",
    hint: TRY_AGAIN,
  },
  {
    ...createErrorResponse(
      "OPERATION_NOT_ALLOWED : The provider is disabled.",
      "operation-not-allowed",
    ),
    sentence:
      "The given sign-in provider is disabled for this Firebase project. Enable it in the Firebase console, under the sign-in method tab of the Auth section.",
    hint: "You can sign in with e-mail and password.",
    overrides: { link: { hint: "Nothing was changed." } },
  },
  {
    ...createErrorResponse("ADMIN_ONLY_OPERATION", "admin-restricted-operation"),
    sentence: "This operation is restricted to administrators only.",
  },
  {
    ...createErrorResponse("TOO_MANY_ATTEMPTS_TRY_LATER : Slow down", "too-many-requests"),
    sentence:
      "We have blocked all requests from this device due to unusual activity. Try again later.",
    hint: "Too many attempts. Wait a few minutes.",
    status: 429,
  },
  {
    ...createErrorResponse("FEDERATED_USER_ID_ALREADY_LINKED", "credential-already-in-use"),
    sentence: "This credential is already associated with a different user account.",
    overrides: { link: { hint: "Sign in with that Google account, or link another one." } },
  },
  {
    ...createErrorResponse("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "requires-recent-login"),
    sentence:
      "This operation is sensitive and requires recent authentication. Log in again before retrying this request.",
    hint: "Enter your password again to make this change.",
    overrides: { link: { hint: "Sign in again, then link Google." } },
  },
  {
    ...createErrorResponse("TOKEN_EXPIRED", "user-token-expired"),
    sentence: "The user's credential is no longer valid. The user must sign in again.",
    hint: SIGNED_OUT,
  },
  {
    ...createErrorResponse("INVALID_ID_TOKEN", "invalid-user-token"),
    sentence:
      "This user's credential isn't valid for this project. This can happen if the user's token has been tampered with, or if the user isn't for the project associated with this API key.",
    overrides: { link: { hint: SIGNED_OUT } },
  },
  {
    ...createErrorResponse("BLOCKING_FUNCTION_ERROR_RESPONSE : ey.secret", "internal-error"),
    sentence: INTERNAL,
    hint: USE_PASSWORD,
    overrides: { link: { hint: TRY_AGAIN } },
  },
  {
    ...createErrorResponse("BRAND_NEW : Whatever Google thinks of next", "brand-new"),
    sentence: "Error",
  },
  {
    ...createErrorResponse("", ""),
    sentence: "",
    overrides: {
      "sign-in": { message: "Login failed" },
      "sign-up": { message: "Registration failed" },
      room: { message: "Login failed" },
      link: { message: "Login failed" },
    },
  },
  {
    name: "needConfirmation",
    responseBody: { needConfirmation: true },
    responseStatus: 200,
    code: "account-exists-with-different-credential",
    sentence:
      "An account already exists with the same email address but different sign-in credentials. Sign in using a provider associated with this email address.",
    hint: PASSWORD_FIRST,
  },
  {
    name: "mfaPendingCredential",
    responseBody: { mfaPendingCredential: "x" },
    responseStatus: 200,
    code: "multi-factor-auth-required",
    sentence: "Proof of ownership of a second factor is required to complete sign-in.",
  },
  {
    name: "an unknown response",
    responseBody: { kind: "nonsense" },
    responseStatus: 200,
    code: "internal-error",
    sentence: INTERNAL,
    hint: USE_PASSWORD,
    overrides: { link: { hint: TRY_AGAIN } },
  },
  {
    name: "a server error",
    responseBody: {},
    responseStatus: 503,
    code: "network-request-failed",
    sentence:
      "A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred.",
    hint: "We can't reach the sign-in service. Nothing was lost; try again.",
    status: 503,
  },
];

/** Google's error responses. @see https://datatracker.ietf.org/doc/html/rfc6749#section-4.1.2.1 */
const googleErrors: Row[] = [
  {
    name: "access_denied",
    code: "user-cancelled",
    sentence: "The user did not grant your application the permissions it requested.",
    hint: "You can also use e-mail and password.",
    overrides: { link: { hint: "Nothing was changed." } },
  },
  ...[
    "invalid_request",
    "unauthorized_client",
    "unsupported_response_type",
    "invalid_scope",
    "server_error",
    "temporarily_unavailable",
    "interaction_required",
    "<script>alert(1)</script>",
  ].map((name) => ({
    name,
    code: "internal-error",
    sentence: INTERNAL,
    hint: USE_PASSWORD,
    overrides: { link: { hint: TRY_AGAIN } },
  })),
];

test.each(firebaseErrors)(
  'shows the right message for Firebase\'s "$name" on every screen, with and without a pop-up',
  async ({ responseBody, responseStatus = 400, ...row }) => {
    await using app = await startApp();
    const session = await signIn(app, await app.firebase.addAccount());
    await using provider = await startServer((response, { url = "" }) => {
      if (url.includes("accounts:lookup")) sendJson(response, 200, { users: [{}] });
      else sendJson(response, responseStatus, responseBody);
    });
    const failingApp = app.withVariables({
      FIREBASE_AUTH_EMULATOR_HOST: provider.host,
    });

    await expectOnEveryScreen(failingApp, session, row, (url) =>
      chooseAtGoogle(url, { person: "ana@example.com" }),
    );
  },
);

test.each(googleErrors)(
  'shows the right message for Google\'s "$name" on every screen, with and without a pop-up',
  async (row) => {
    await using app = await startApp();
    const session = await signIn(app, await app.firebase.addAccount());

    await expectOnEveryScreen(app, session, row, (url) => {
      const state = new URL(url).searchParams.get("state") ?? "";
      const query = new URLSearchParams({ error: row.name, error_description: "x", state });
      return `/auth/google/callback?${query}`;
    });
  },
);

/** Signs in on every screen, with and without a pop-up, and expects the error. */
async function expectOnEveryScreen(
  app: TestApp,
  session: string,
  row: Row,
  toCallbackUrl: (url: string) => string | Promise<string>,
) {
  for (const screen of SCREENS) {
    const error = getScreenError(screen, row);
    const status = row.status ?? 400;
    const signedIn = screen === "link" ? session : "";
    const form = { screen, returnTo: "/home" };

    const popup = await startGoogleSignIn(app, { ...form, popupId: POPUP_ID }, signedIn);
    const inPopup = await app.send(callback, await toCallbackUrl(popup.url), {
      cookie: popup.cookie,
    });
    const expected = { status, outcome: { popupId: POPUP_ID, error } };
    const { html, ...result } = await readPopup(inPopup);
    expect(result, screen).toEqual(expected);
    expect(html).toContain(`<p>${error.message}</p>`);
    expect(html).not.toContain("<script>alert");
    expect(JSON.stringify(html)).not.toContain("ey.secret");

    const page = await startGoogleSignIn(app, form, signedIn);
    const redirect = await app.send(callback, await toCallbackUrl(page.url), {
      cookie: page.cookie,
    });
    const isSignedOut = screen === "link" && SESSION_ENDING_CODES.includes(row.code);
    const to = redirect.headers.get("Location") ?? "";
    expect([redirect.status, to]).toEqual([303, isSignedOut ? "/login" : PAGES[screen]]);
    const cookie = toCookieHeader(redirect.headers);
    const shown = await app.send(rootLoader, to, { cookie });
    const shownOn = isSignedOut ? "sign-in" : screen;
    expect(shown.status).toBe(status);
    expect(shown.data).toMatchObject({ user: null, googleError: { screen: shownOn, ...error } });
  }
}

function getScreenError(screen: Screen, { code, sentence, hint, overrides = {} }: Row) {
  const error = { message: `Firebase: ${sentence} (auth/${code}).`, hint, ...overrides[screen] };
  // JSON drops an undefined hint.
  return error.hint === undefined ? { message: error.message } : error;
}

/** Returns the row of an error response of Firebase. */
function createErrorResponse(wire: string, code: string) {
  return { name: wire, code, responseBody: { error: { code: 400, message: wire } } };
}
