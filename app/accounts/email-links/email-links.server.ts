import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";
import { decodeJwt } from "jose";

import { getAccounts } from "#app/accounts/account.server.ts";
import { completeSignIn } from "#app/accounts/complete-sign-in.server.ts";
import { newPasswordSchema, resetRequestSchema } from "#app/accounts/credentials-schema.ts";
import { toFormError } from "#app/accounts/form-error.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { getIdentityToolkit } from "#app/firebase/identity-toolkit.server.ts";
import { getText } from "#app/http/form.ts";
import { getFieldNames, parseForm, readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { setFlash } from "#app/site/flash/flash.server.ts";
import type { Flash } from "#app/site/flash/flash.ts";
import {
  EMAIL_LINK_MODES,
  FORGOT_INTENT,
  type AddressMode,
  type EmailLinkResult,
  type EmailLinkScreen,
} from "./email-link-screen.ts";

/** The value of `?reset=` after an e-mail was sent. A reload of that address sends no second e-mail. */
const SENT = "sent";

/** The link from an e-mail that was opened. */
type EmailLink = { mode: "resetPassword"; code: string } | { mode: AddressMode; code: string };

/** Returns the screen that /login shows instead of Sign In, or `null`. Does not use up the link's code. */
export async function loadEmailLinkScreen({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const link = findLink(searchParams);
  if (!link) {
    const reset = searchParams.get("reset");
    const screen: EmailLinkScreen | null =
      reset === null ? null : { kind: "reset-request", isSent: reset === SENT };
    return { screen, status: 200 };
  }

  // These codes are not checked before the user confirms: on some servers, checking a code uses it up.
  if (link.mode !== "resetPassword") {
    const screen: EmailLinkScreen = { kind: "apply-code", mode: link.mode };
    return { screen, status: 200 };
  }
  try {
    const { email } = await getAccounts(context).verifyPasswordResetCode(link.code);
    const screen: EmailLinkScreen = { kind: "new-password", email };
    return { screen, status: 200 };
  } catch (error) {
    const { status, banner } = toFormError("sign-in", error);
    const screen: EmailLinkScreen = { kind: "expired-link", banner, isUnavailable: status >= 500 };
    return { screen, status };
  }
}

/** Responds to the form of a screen that /login shows instead of Sign In; `null` when the form is Sign In's. */
export async function submitEmailLinkForm(args: ActionFunctionArgs) {
  const { searchParams } = new URL(args.request.url);
  const link = findLink(searchParams);
  if (link?.mode === "resetPassword") return resetPassword(args, link.code);
  if (link) return applyCode(args, link.mode, link.code);
  return searchParams.has("reset") ? sendResetLink(args) : null;
}

async function sendResetLink({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, [...getFieldNames(resetRequestSchema), "intent"]);
  const email = getText(form, "email");
  // The button on Sign In only opens the screen, with the e-mail that was typed.
  if (form.get("intent") === FORGOT_INTENT) {
    return data<EmailLinkResult>({ email, banner: undefined, fieldErrors: undefined });
  }
  const submission = parseForm(form, resetRequestSchema);
  if (submission.status !== "success") return toFieldErrors(submission.error, email);
  try {
    await getSignInLimits(context).consume(request, "reset", submission.value.email);
    await getAccounts(context).sendPasswordResetEmail(submission.value.email);
    return redirect(`/login?reset=${SENT}`, 303);
  } catch (error) {
    const { status, reason, banner } = toFormError("sign-in", error);
    // The usual hint leads to this screen.
    const hint = reason === "too-fast" ? "Too many attempts. Wait a few minutes." : banner.hint;
    const result = { email, banner: { ...banner, hint }, fieldErrors: undefined };
    return data<EmailLinkResult>(result, status);
  }
}

async function resetPassword({ request, context }: ActionFunctionArgs, code: string) {
  const form = await readForm(request, getFieldNames(newPasswordSchema));
  const submission = parseForm(form, newPasswordSchema);
  if (submission.status !== "success") return toFieldErrors(submission.error);

  const { password } = submission.value;
  let email: string;
  try {
    ({ email } = await getAccounts(context).confirmPasswordReset(code, password));
  } catch (error) {
    return toErrorResult("sign-up", error);
  }
  const flash = "password-changed";
  try {
    // The user has just proved both the address and the password.
    const tokens = await getIdentityToolkit(context).signIn(email, password);
    // The provider has ended all sessions, so the registry deletes them too.
    const user = { uid: decodeJwt(tokens.idToken).sub ?? "", idToken: tokens.idToken };
    await getSessionRegistry(context).deleteOthers(user, undefined);
    return await completeSignIn({ request, context }, tokens, { flash });
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return redirect("/login", { headers: setFlash(request, flash), status: 303 });
  }
}

const APPLIED_FLASHES: Record<AddressMode, Flash> = {
  verifyEmail: "email-confirmed",
  verifyAndChangeEmail: "email-changed",
  recoverEmail: "email-restored",
};

async function applyCode(
  { request, context }: ActionFunctionArgs,
  mode: AddressMode,
  code: string,
) {
  let uid: string | undefined;
  try {
    ({ localId: uid } = await getAccounts(context).applyActionCode(code));
  } catch (error) {
    return toErrorResult("sign-in", error);
  }
  const flash = setFlash(request, APPLIED_FLASHES[mode]);
  // The code may have ended the session. The check for pages usually still returns its user.
  const { user } = await getUser({ request, context }, "page");
  const isOwn = user !== null && user.uid === uid;
  if (!isOwn) return redirect("/login", { headers: flash, status: 303 });
  if (mode === "verifyEmail") return redirect("/profile", { headers: flash, status: 303 });
  // A change of the address ends all sessions, including this one.
  const headers = joinHeaders(getSessionCookie(context).destroySession(request), flash);
  return redirect("/login", { headers, status: 303 });
}

function findLink(searchParams: URLSearchParams): EmailLink | undefined {
  const mode = EMAIL_LINK_MODES.find((name) => name === searchParams.get("mode"));
  // The provider rejects a link without its code like any expired one.
  return mode && { mode, code: searchParams.get("oobCode") || "none" };
}

function toErrorResult(screen: "sign-in" | "sign-up", error: unknown) {
  const { status, banner } = toFormError(screen, error);
  return data<EmailLinkResult>({ email: "", banner, fieldErrors: undefined }, status);
}

function toFieldErrors(errors: Record<string, string[] | null> | null, email = "") {
  const { email: emailErrors, password } = errors ?? {};
  return data<EmailLinkResult>(
    {
      email,
      banner: undefined,
      fieldErrors: { email: emailErrors ?? undefined, password: password ?? undefined },
    },
    400,
  );
}
