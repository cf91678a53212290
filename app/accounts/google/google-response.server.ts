import { redirect, type AppLoadContext } from "@remix-run/cloudflare";

import { describeRefusal } from "#app/accounts/form-error.server.ts";
import { ProviderError } from "#app/firebase/auth-error.server.ts";
import { getSessionCookie, isSessionOver } from "#app/session/session.server.ts";
import { keepNotice } from "#app/site/flash/flash.server.ts";
import { getFormErrorCookie } from "./form-error-cookie.server.ts";
import type { GoogleAttempt } from "./google.server.ts";
import { renderPopup } from "./popup-page.server.ts";

const PASSWORD_FIRST = "Sign in with your password first, then link Google on your profile.";

/** What helps after a refusal on the way through Google, where it is not what helps with a password. */
const HINTS = new Map([
  ["user-cancelled", "You can also use e-mail and password."],
  ["too-many-requests", "Too many attempts. Wait a few minutes."],
  ["account-exists-with-different-credential", PASSWORD_FIRST],
  ["email-already-in-use", PASSWORD_FIRST],
  [
    "invalid-credential",
    "This sign-in wasn't started here, or took too long. Nothing was changed; try again.",
  ],
  ["missing-or-invalid-nonce", "Nothing was changed; try again."],
  ["invalid-credential-or-provider-id", "Nothing was changed; try again."],
  ["operation-not-allowed", "You can use e-mail and password."],
  ["internal-error", "Nothing was changed. You can also use e-mail and password."],
]);

/** The same for whoever only adds Google to their account. */
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

interface Place extends GoogleAttempt {
  /** The pop-up's name; `null` where the whole page went to Google. */
  flow: string | null;
}

/** Leads back to where a sign-in with Google began, now that it has succeeded. A pop-up tells its page. */
export function welcome(request: Request, { screen, returnTo, flow }: Place, headers: Headers) {
  if (screen === "link") {
    headers.append("Set-Cookie", keepNotice(request, "google-linked")["Set-Cookie"]);
  }
  if (flow !== null) {
    return renderPopup({ flow, refusal: null }, { headers, status: 200, screen });
  }
  const isScreen = screen === "sign-in" || screen === "sign-up";
  const to = isScreen ? "/profile" : toPage(screen, returnTo);
  return redirect(to, { headers, status: 303 });
}

/**
 * Leads back to where a sign-in with Google began, with the reason why it failed. A pop-up tells its page.
 *
 * @throws whatever is not the provider's refusal
 */
export async function refuse(
  { request, context }: { request: Request; context: AppLoadContext },
  { screen, returnTo, flow }: Place,
  error: unknown,
  headers = new Headers(),
) {
  const { status, banner } = describeRefusal(screen === "sign-up" ? "sign-up" : "sign-in", error);
  const code = error instanceof ProviderError ? error.code : "";
  const hint =
    (screen === "link" ? LINK_HINTS.get(code) : undefined) ?? HINTS.get(code) ?? banner.hint;
  const refusal = { message: banner.message, hint };
  const refusalCookie = getFormErrorCookie(context);
  const session = getSessionCookie(context);
  // Whoever has nothing left to link Google to has to sign in first.
  const isOver = screen === "link" && isSessionOver(error);
  if (isOver) headers.append("Set-Cookie", session.end(request)["Set-Cookie"]);
  const answering = isOver ? "sign-in" : screen;
  if (flow !== null) return renderPopup({ flow, refusal }, { headers, status, screen: answering });

  const kept = { screen: answering, status, ...refusal };
  headers.append("Set-Cookie", await refusalCookie.keep(request, kept));
  return redirect(toPage(answering, returnTo), { headers, status: 303 });
}

function toPage(screen: GoogleAttempt["screen"], returnTo: string): string {
  if (screen === "sign-in") return "/login";
  if (screen === "sign-up") return "/register";
  return screen === "link" ? "/profile?tab=security#google-answer" : `${returnTo}#room`;
}
