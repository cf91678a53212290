import { redirect, type AppLoadContext } from "@remix-run/cloudflare";

import { toFormError } from "#app/accounts/form-error.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { clearReturnTo, getReturnTo } from "#app/session/return-to.server.ts";
import { getSessionCookie, isSessionEndedError } from "#app/session/session.server.ts";
import { setFlash } from "#app/site/flash/flash.server.ts";
import { getFormErrorCookie } from "./form-error-cookie.server.ts";
import type { GoogleScreen } from "./google.server.ts";
import { renderPopup } from "./popup-page.server.ts";

const SIGN_IN_WITH_PASSWORD = "Sign in with your password first, then link Google on your profile.";

/** Hints that differ from those of a sign-in with a password. */
const HINTS = new Map([
  ["user-cancelled", "You can also use e-mail and password."],
  ["too-many-requests", "Too many attempts. Wait a few minutes."],
  ["account-exists-with-different-credential", SIGN_IN_WITH_PASSWORD],
  ["email-already-in-use", SIGN_IN_WITH_PASSWORD],
  [
    "invalid-credential",
    "This sign-in wasn't started in this browser, or took too long. Nothing was changed; try again.",
  ],
  ["missing-or-invalid-nonce", "Nothing was changed; try again."],
  ["invalid-credential-or-provider-id", "Nothing was changed; try again."],
  ["operation-not-allowed", "You can sign in with e-mail and password."],
  ["internal-error", "Nothing was changed. You can also use e-mail and password."],
]);

/** The hints for linking Google to an account. */
const LINK_HINTS = new Map([
  ["user-cancelled", "Nothing was changed."],
  ["credential-already-in-use", "Sign in with that Google account, or link another one."],
  ["email-already-in-use", "Another account already uses that Google account's e-mail address."],
  ["requires-recent-login", "Sign in again, then link Google."],
  ["operation-not-allowed", "Nothing was changed."],
  [
    "invalid-user-token",
    "You were signed out for your security. Sign in again; your text is safe.",
  ],
  ["internal-error", "Nothing was changed; try again."],
]);

interface SignInOrigin {
  screen: GoogleScreen;
  /** The pop-up's id; `null` when the page itself went to Google. */
  popupId: string | null;
}

/** Responds after Google was linked to the account. A pop-up posts the result to its page. */
export function respondLinked(
  request: Request,
  popupId: string | null,
  headers: Headers,
): Response {
  headers.append("Set-Cookie", setFlash(request, "google-linked")["Set-Cookie"]);
  const response = redirect(SCREEN_PATHS.link, { headers, status: 303 });
  return popupId === null ? response : toPopup(response, { screen: "link", popupId });
}

/** Turns a redirect into the pop-up's last page, which passes the destination on to the page that opened it. */
export function toPopup(
  response: Response,
  { screen, popupId }: { screen: GoogleScreen; popupId: string },
) {
  const headers = new Headers(response.headers);
  const returnTo = headers.get("Location");
  if (returnTo === null) throw new TypeError("Expected a redirect");
  headers.delete("Location");
  return renderPopup({ popupId, error: null, returnTo }, { headers, status: 200, screen });
}

/**
 * Responds after an error: redirects to the screen, which shows it. A pop-up posts the error to its page.
 *
 * @param roomPath the page of the room, if the form contains it
 * @throws the error itself unless it is an `AuthError`
 */
export async function respondWithError(
  { request, context }: { request: Request; context: AppLoadContext },
  { screen, popupId }: SignInOrigin,
  error: unknown,
  { headers = new Headers(), roomPath }: { headers?: Headers; roomPath?: string } = {},
): Promise<Response> {
  const { status, banner } = toFormError(screen === "sign-up" ? "sign-up" : "sign-in", error);
  const code = error instanceof AuthError ? error.code : "";
  const hint =
    (screen === "link" ? LINK_HINTS.get(code) : undefined) ?? HINTS.get(code) ?? banner.hint;
  const formError = { message: banner.message, hint };
  // Without a session there is no account to link Google to.
  const hasEnded = screen === "link" && isSessionEndedError(error);
  if (hasEnded) {
    headers.append("Set-Cookie", getSessionCookie(context).destroySession(request)["Set-Cookie"]);
  }
  const target = hasEnded ? "sign-in" : screen;
  if (popupId !== null) {
    return renderPopup({ popupId, error: formError }, { headers, status, screen: target });
  }
  const redirected = { screen: target, status, ...formError };
  headers.append("Set-Cookie", await getFormErrorCookie(context).seal(request, redirected));
  if (target !== "room") return redirect(SCREEN_PATHS[target], { headers, status: 303 });
  const path = roomPath ?? getReturnTo(request)?.path ?? "/home#room";
  return redirect(path, { headers: joinHeaders(headers, clearReturnTo(request)), status: 303 });
}

const SCREEN_PATHS = {
  "sign-in": "/login",
  "sign-up": "/register",
  link: "/profile?tab=security#google-flash",
};
