import { loader as rootLoader } from "#app/root.tsx";
import { loader as callback } from "#app/routes/auth.google.callback.ts";
import { action as start } from "#app/routes/auth.google.ts";
import { chooseAtGoogle, type Choice } from "./google.ts";
import { toCookieHeader, type Outcome, type TestApp } from "./routes.ts";

/** The name of a page's pop-up. */
export const FLOW = "0123456789abcdef";

/** What is said of an answer that this browser did not ask for, or too long ago. */
export const OUTDATED = {
  message:
    "Firebase: The supplied auth credential is incorrect, malformed or has expired. (auth/invalid-credential).",
  hint: "This sign-in wasn't started here, or took too long. Nothing was changed; try again.",
};

/** Presses a Google button, and returns where it leads and the cookies to come back with. */
export async function pressGoogle(app: TestApp, form: Record<string, string>, cookie = "") {
  const response = await app.send(start, "/auth/google", { form, cookie });
  const cookies = [cookie, toCookieHeader(response.headers)].filter(Boolean).join("; ");
  return { response, url: response.headers.get("Location") ?? "", cookie: cookies };
}

/** Presses a Google button, chooses at Google and comes back. */
export async function goThroughGoogle(
  app: TestApp,
  form: Record<string, string>,
  choice: Choice,
  signedIn = "",
): Promise<Outcome> {
  const { url, cookie } = await pressGoogle(app, form, signedIn);
  return app.send(callback, await chooseAtGoogle(url, choice), { cookie });
}

/** Returns what a pop-up tells its page, and the page that it is itself. */
export async function readPopup(response: Outcome) {
  if (!(response instanceof Response)) throw new TypeError("Expected a page");
  const html = await response.text();
  const [, outcome = "null"] = /const outcome = (.*);/.exec(html) ?? [];
  const value: unknown = JSON.parse(outcome);
  return { status: response.status, outcome: value, html };
}

/** Returns what the page says to which a refusal led, and its status. */
export async function readRefusal(app: TestApp, { headers }: Outcome) {
  const cookie = toCookieHeader(headers);
  const page = await app.send(rootLoader, headers.get("Location") ?? "", { cookie });
  return { status: page.status, page };
}
