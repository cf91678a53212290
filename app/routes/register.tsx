import { data, type ActionFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useNavigation, type ClientActionFunctionArgs } from "@remix-run/react";

import { getAccounts } from "#app/accounts/account.server.ts";
import { completeSignIn } from "#app/accounts/complete-sign-in.server.ts";
import { signUpSchema } from "#app/accounts/credentials-schema.ts";
import { getEmailCooldown } from "#app/accounts/email-links/cooldown.server.ts";
import { toFormError } from "#app/accounts/form-error.server.ts";
import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { getAuthenticator } from "#app/accounts/sign-in/authenticator.server.ts";
import { SignUpForm } from "#app/accounts/sign-up/sign-up-form.tsx";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { getFieldNames, parseForm, readForm, withForm } from "#app/http/form.server.ts";
import { useUser } from "#app/session/use-user.ts";
import { withOfflineBanner, withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";

export const meta: MetaFunction = () =>
  describePage({
    title: "Sign Up",
    description: "Create an account to write and to chat in the room.",
  });

/** How long registration waits for the provider to send its e-mail. */
const EMAIL_TIMEOUT_MS = 5000;

/** The password is never sent back. */
const REPLY_OPTIONS = { hideFields: ["password", "confirmPassword"] };

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, getFieldNames(signUpSchema));
  const submission = parseForm(form, signUpSchema);
  const lastResult = submission.reply(REPLY_OPTIONS);
  if (submission.status !== "success") return data({ lastResult, banner: undefined }, 400);
  const { email } = submission.value;
  try {
    await getSignInLimits(context).consume(request, "sign-up", email);
    const authenticator = getAuthenticator(context);
    const tokens = await authenticator.authenticate("sign-up", withForm(request, form));
    // The account exists even if the e-mail could not be sent; the profile can send another.
    const isSent = await getAccounts(context)
      .sendEmailVerification(tokens.idToken, EMAIL_TIMEOUT_MS)
      .then(() => true, ignoreAuthError);
    const headers = isSent ? await getEmailCooldown(context).start(request, email) : {};
    return await completeSignIn({ request, context }, tokens, { headers });
  } catch (error) {
    const { status, banner } = toFormError("sign-up", error);
    return data({ lastResult, banner }, status);
  }
}

function ignoreAuthError(error: unknown): false {
  if (!(error instanceof AuthError)) throw error;
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
      user={useUser()}
      banner={result?.banner}
      googleError={useGoogleError("sign-up")}
      lastResult={result?.lastResult}
      isPending={isPending}
    />
  );
}
