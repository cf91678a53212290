import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";
import { decodeJwt } from "jose";

import { getAccounts } from "#app/accounts/account.server.ts";
import { enter } from "#app/accounts/complete-sign-in.server.ts";
import { newPasswordSchema, resetRequestSchema } from "#app/accounts/credentials-schema.ts";
import { describeRefusal } from "#app/accounts/form-error.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { ProviderError } from "#app/firebase/auth-error.server.ts";
import { getIdentityToolkit } from "#app/firebase/identity-toolkit.server.ts";
import { getText } from "#app/http/form-text.ts";
import { namesOf, parseForm, readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { keepNotice } from "#app/site/flash/flash.server.ts";
import type { Notice } from "#app/site/flash/flash.ts";
import {
  CODE_MODES,
  FORGOT_INTENT,
  type AddressMode,
  type CodeReply,
  type CodeScreen,
} from "./email-link-screen.ts";

/** Where a link to `?reset=1` leads once it is asked for: told in the address, so that a reload asks for no second mail. */
const SENT = "sent";

/** The link that was followed. */
type CodeLink = { mode: "resetPassword"; code: string } | { mode: AddressMode; code: string };

/** Tells what stands at /login in place of Sign In: `null` for nothing. A link from a mail is looked at, and not used up. */
export async function loadCodeScreen({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const link = findLink(searchParams);
  if (!link) {
    const reset = searchParams.get("reset");
    const screen: CodeScreen | null =
      reset === null ? null : { kind: "reset-request", isSent: reset === SENT };
    return { screen, status: 200 };
  }

  // Not every server can look at a code about an address without using it.
  if (link.mode !== "resetPassword") {
    const screen: CodeScreen = { kind: "apply-code", mode: link.mode };
    return { screen, status: 200 };
  }
  try {
    const { email } = await getAccounts(context).checkResetCode(link.code);
    const screen: CodeScreen = { kind: "new-password", email };
    return { screen, status: 200 };
  } catch (error) {
    const { status, banner } = describeRefusal("sign-in", error);
    const screen: CodeScreen = { kind: "dead-link", banner, isUnreachable: status >= 500 };
    return { screen, status };
  }
}

/** Answers a form that stands at /login in place of Sign In; `null` when it is Sign In itself. */
export async function answerCodeScreen(args: ActionFunctionArgs) {
  const { searchParams } = new URL(args.request.url);
  const link = findLink(searchParams);
  if (link?.mode === "resetPassword") return setPassword(args, link.code);
  if (link) return applyCode(args, link.mode, link.code);
  return searchParams.has("reset") ? sendReset(args) : null;
}

async function sendReset({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, [...namesOf(resetRequestSchema), "intent"]);
  const email = getText(form, "email");
  // Nothing is asked for yet: the page comes with what was typed on Sign In.
  if (form.get("intent") === FORGOT_INTENT) {
    return data<CodeReply>({ email, banner: undefined, fieldErrors: undefined });
  }
  const submission = parseForm(form, resetRequestSchema);
  if (submission.status !== "success") return refuseFields(submission.error, email);

  const accounts = getAccounts(context);
  const attempts = getSignInLimits(context);
  try {
    await attempts.admit(request, "reset", submission.value.email);
    await accounts.sendReset(submission.value.email);
    return redirect(`/login?reset=${SENT}`, 303);
  } catch (error) {
    return refuse("sign-in", error, email);
  }
}

async function setPassword({ request, context }: ActionFunctionArgs, code: string) {
  const form = await readForm(request, namesOf(newPasswordSchema));
  const submission = parseForm(form, newPasswordSchema);
  if (submission.status !== "success") return refuseFields(submission.error);

  const accounts = getAccounts(context);
  const identity = getIdentityToolkit(context);
  const sessionList = getSessionRegistry(context);
  const { password } = submission.value;
  let email: string;
  try {
    ({ email } = await accounts.resetPassword(code, password));
  } catch (error) {
    return refuse("sign-up", error);
  }
  const notice = keepNotice(request, "password-changed");
  try {
    // Whoever has the mail and has just typed the password is not asked for both again.
    const tokens = await identity.signIn(email, password);
    // The provider has ended all sessions; so does the list, as far as it is reached.
    const person = { uid: decodeJwt(tokens.idToken).sub ?? "", idToken: tokens.idToken };
    await sessionList.removeOthers(person, undefined);
    const cookie = await enter({ request, context }, tokens);
    return redirect("/profile", { headers: joinHeaders(cookie, notice), status: 303 });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return redirect("/login", { headers: notice, status: 303 });
  }
}

const DONE: Record<AddressMode, Notice> = {
  verifyEmail: "email-confirmed",
  verifyAndChangeEmail: "email-changed",
  recoverEmail: "email-restored",
};

async function applyCode(
  { request, context }: ActionFunctionArgs,
  mode: AddressMode,
  code: string,
) {
  const accounts = getAccounts(context);
  const session = getSessionCookie(context);
  let ownerId: string | undefined;
  try {
    ({ localId: ownerId } = await accounts.applyCode(code));
  } catch (error) {
    return refuse("sign-in", error);
  }
  const notice = keepNotice(request, DONE[mode]);
  const account = await getUser({ request, context });
  const isMine = account !== null && account.uid === ownerId;
  if (!isMine) return redirect("/login", { headers: notice, status: 303 });
  if (mode === "verifyEmail") return redirect("/profile", { headers: notice, status: 303 });
  // With the address all sessions end, this one too.
  const headers = joinHeaders(session.end(request), notice);
  return redirect("/login", { headers, status: 303 });
}

function findLink(searchParams: URLSearchParams): CodeLink | undefined {
  const mode = CODE_MODES.find((name) => name === searchParams.get("mode"));
  // A link that lost its code has ended like any other, for which the provider has words.
  return mode && { mode, code: searchParams.get("oobCode") || "none" };
}

function refuse(screen: "sign-in" | "sign-up", error: unknown, email = "") {
  const { status, banner } = describeRefusal(screen, error);
  return data<CodeReply>({ email, banner, fieldErrors: undefined }, status);
}

function refuseFields(errors: Record<string, string[] | null> | null, email = "") {
  const { email: emailErrors, password } = errors ?? {};
  return data<CodeReply>(
    {
      email,
      banner: undefined,
      fieldErrors: { email: emailErrors ?? undefined, password: password ?? undefined },
    },
    400,
  );
}
