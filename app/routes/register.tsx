import { data, redirect, type ActionFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useNavigation, type ClientActionFunctionArgs } from "@remix-run/react";

import { getAccounts } from "#app/accounts/account.server.ts";
import { enter } from "#app/accounts/complete-sign-in.server.ts";
import { signUpSchema } from "#app/accounts/credentials-schema.ts";
import { getEmailCooldown } from "#app/accounts/email-links/cooldown.server.ts";
import { describeRefusal } from "#app/accounts/form-error.server.ts";
import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { getAuthenticator } from "#app/accounts/sign-in/authenticator.server.ts";
import { SignUpForm } from "#app/accounts/sign-up/sign-up-form.tsx";
import { ProviderError } from "#app/firebase/auth-error.server.ts";
import { namesOf, parseForm, readForm, withForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { useUser } from "#app/session/use-user.ts";
import { withOfflineBanner, withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";

export const meta: MetaFunction = () =>
  describePage({
    title: "Sign Up",
    description: "Create an account to write and to chat in the room.",
  });

/** Whoever has an account by now does not wait for its mail. */
const MAIL_TIMEOUT_MS = 5000;

/** The password never travels back. */
const REPLY_OPTIONS = { hideFields: ["password", "confirmPassword"] };

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, namesOf(signUpSchema));
  const submission = parseForm(form, signUpSchema);
  const lastResult = submission.reply(REPLY_OPTIONS);
  if (submission.status !== "success") return data({ lastResult, banner: undefined }, 400);

  const accounts = getAccounts(context);
  const attempts = getSignInLimits(context);
  const authenticator = getAuthenticator(context);
  const mailPause = getEmailCooldown(context);
  try {
    await attempts.admit(request, "sign-up", submission.value.email);
    const tokens = await authenticator.authenticate("sign-up", withForm(request, form));
    // The account is there, whatever becomes of the mail; the profile sends another.
    const isSent = await accounts
      .sendConfirmation(tokens.idToken, MAIL_TIMEOUT_MS)
      .then(() => true, ignoreRefusal);
    const pause = isSent ? await mailPause.begin(request, submission.value.email) : {};
    const cookie = await enter({ request, context }, tokens);
    return redirect("/profile", { headers: joinHeaders(cookie, pause), status: 303 });
  } catch (error) {
    const { status, banner } = describeRefusal("sign-up", error);
    return data({ lastResult, banner }, status);
  }
}

function ignoreRefusal(error: unknown): false {
  if (!(error instanceof ProviderError)) throw error;
  return false;
}

export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  const result = await withOfflineFallback(() => serverAction<typeof action>());
  return "offline" in result ? { ...withOfflineBanner(result), lastResult: undefined } : result;
}

export default function RegisterRoute() {
  const result = useActionData<typeof clientAction>();
  const isPending = useNavigation().formAction === "/register";
  return (
    <SignUpForm
      account={useUser()}
      banner={result?.banner}
      googleRefusal={useGoogleError("sign-up")}
      lastResult={result?.lastResult}
      isPending={isPending}
    />
  );
}
