import { redirect, type AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import { toFormError } from "#app/accounts/form-error.server.ts";
import { createServiceGetter, type Env } from "#app/env.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { clearReturnTo, getReturnTo } from "#app/session/return-to.server.ts";
import { getSessionCookie, isSessionEndedError } from "#app/session/session.server.ts";
import { setFlash } from "#app/site/flash/flash.server.ts";
import type { GoogleScreen } from "./google.server.ts";
import { CHANNEL, type GoogleResult } from "./popup-channel.ts";

/** Long enough for a redirect. */
const MAX_AGE_SECONDS = 60;

const errorSchema = z.object({
  /** The screen that shows the error. */
  screen: z.string(),
  status: z.int().min(400).max(599),
  message: z.string(),
  hint: z.string().optional(),
});

type RedirectedError = z.infer<typeof errorSchema>;

interface ReadResult {
  error: RedirectedError | null;
  /** Remove the cookie, so that the error is shown once. */
  headers: Record<string, string>;
}

/** Carries a form's error over a redirect to the page that shows it. */
function createFormErrorCookie(env: Env, now: () => number) {
  const cookie = createSealedCookie(env, "form-error", { maxAgeSeconds: MAX_AGE_SECONDS, now });
  return {
    /** Returns the `Set-Cookie` value. */
    seal: (request: Request, error: RedirectedError) => cookie.seal(request, error),

    async read(request: Request): Promise<ReadResult> {
      if (!cookie.isPresent(request)) return { error: null, headers: {} };
      const error = errorSchema.safeParse(await cookie.open(request)).data ?? null;
      return { error, headers: { "Set-Cookie": cookie.remove(request) } };
    },
  };
}

export const getFormErrorCookie = createServiceGetter((env) =>
  createFormErrorCookie(env, () => Date.now()),
);

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

const STYLE = `
:root { color-scheme: light dark; --ground: #faf9f5; --text: #1b211e; --link: #047857; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0a0e0d; --text: #e8f1ec; --link: #34d399; }
}
body { margin: 0; padding: 2rem 1.5rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.3; }
a { color: var(--link); }
`;

/**
 * Returns the pop-up's last page, which posts the result to the page that opened it and closes. If the opener is gone,
 * the pop-up stays open and shows its text.
 */
function renderPopup(
  result: GoogleResult,
  { headers, status, screen }: { headers: Headers; status: number; screen: GoogleScreen },
): Response {
  const nonce = crypto.randomUUID();
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Cache-Control", "no-store");
  headers.set(
    "Content-Security-Policy",
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
  );
  // With the policy of our other pages, a pop-up that returns from Google would look closed to its opener.
  headers.set("Cross-Origin-Opener-Policy", "unsafe-none");
  headers.set("Referrer-Policy", "no-referrer");
  return new Response(toHtml(result, screen, nonce), { headers, status });
}

function toHtml(result: GoogleResult, screen: GoogleScreen, nonce: string): string {
  const { error } = result;
  const isLink = screen === "link";
  const [success, failure] = isLink
    ? ["Google is linked", "Google isn't linked"]
    : ["You're signed in", "Not signed in"];
  const title = error ? failure : success;
  const [to, where] = error && !isLink ? ["/login", "Sign In"] : ["/profile", "your profile"];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Inkglade</title>
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${error ? `<p>${escape(error.message)}</p>` : ""}
      ${error?.hint ? `<p>${escape(error.hint)}</p>` : ""}
      <p>You can close this window, or <a href="${to}">go to ${where}</a>.</p>
    </main>
    <script nonce="${nonce}">
      const result = ${toScript(result)};
      const channel = new BroadcastChannel(${toScript(CHANNEL)});
      channel.onmessage = ({ data }) => {
        if (data.received === result.popupId) window.close();
      };
      channel.postMessage(result);
    </script>
  </body>
</html>
`;
}

/** Returns a value as JSON that cannot close the script element. */
function toScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", String.raw`\u003c`);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
