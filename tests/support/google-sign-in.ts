import { loader as rootLoader } from "#app/root.tsx";
import { loader as callback } from "#app/routes/auth.google.callback.ts";
import { action as start } from "#app/routes/auth.google.ts";
import { chooseAtGoogle, type Choice } from "./google-page.ts";
import { toCookieHeader, type Outcome, type TestApp } from "./routes.ts";

/** The name of the pop-up window. */
export const POPUP_ID = "0123456789abcdef";

/** The error for a sign-in that another browser started, or that has expired. */
export const OUTDATED = {
  message:
    "Firebase: The supplied auth credential is incorrect, malformed or has expired. (auth/invalid-credential).",
  hint: "This sign-in wasn't started in this browser, or took too long. Nothing was changed; try again.",
};

/** Submits a Google button, and returns the address of Google's page and the cookies for the callback. */
export async function startGoogleSignIn(app: TestApp, form: Record<string, string>, cookie = "") {
  const response = await app.send(start, "/auth/google", { form, cookie });
  const cookies = [cookie, toCookieHeader(response.headers)].filter(Boolean).join("; ");
  return { response, url: response.headers.get("Location") ?? "", cookie: cookies };
}

/** Submits a Google button, chooses an account and follows the callback. */
export async function completeGoogleSignIn(
  app: TestApp,
  form: Record<string, string>,
  choice: Choice,
  signedIn = "",
): Promise<Outcome> {
  const { url, cookie } = await startGoogleSignIn(app, form, signedIn);
  return app.send(callback, await chooseAtGoogle(url, choice), { cookie });
}

/** Returns the result that a pop-up sends to its opener, and the HTML of the pop-up. */
export async function readPopup(response: Outcome) {
  if (!(response instanceof Response)) throw new TypeError("Expected a page");
  const html = await response.text();
  const [, outcome = "null"] = /const result = (.*);/.exec(html) ?? [];
  const value: unknown = JSON.parse(outcome);
  return { status: response.status, outcome: value, html };
}

/** Follows the redirect after a failed sign-in, and returns the page and its status. */
export async function openErrorPage(app: TestApp, { headers }: Outcome) {
  const cookie = toCookieHeader(headers);
  const page = await app.send(rootLoader, headers.get("Location") ?? "", { cookie });
  return { status: page.status, page };
}
