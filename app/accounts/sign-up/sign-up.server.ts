import { data, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { getAccounts } from "#app/accounts/account.server.ts";
import { completeSignIn } from "#app/accounts/complete-sign-in.server.ts";
import { signUpSchema } from "#app/accounts/credentials-schema.ts";
import { getEmailCooldown } from "#app/accounts/email-links/cooldown.server.ts";
import { toFormError } from "#app/accounts/form-error.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { getAuthenticator } from "#app/accounts/sign-in/sign-in.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { getFieldNames, parseForm, readForm, withForm } from "#app/http/form.server.ts";

/** How long sign-up waits for the provider to send its e-mail. */
const EMAIL_TIMEOUT_MS = 5000;

/** The passwords are never sent back. */
const REPLY_OPTIONS = { hideFields: ["password", "confirmPassword"] };

/**
 * Creates an account with the e-mail and password of the form, sends the e-mail that confirms the address, and signs in.
 * Returns what the form shows when that fails.
 */
export async function signUp({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, getFieldNames(signUpSchema));
  const submission = parseForm(form, signUpSchema);
  const lastResult = submission.reply(REPLY_OPTIONS);
  if (submission.status !== "success") return data({ lastResult, banner: undefined }, 400);
  const { email } = submission.value;
  try {
    await getSignInLimits(context).consume(request, "sign-up", email);
    const authenticator = getAuthenticator(context);
    const tokens = await authenticator.authenticate("sign-up", withForm(request, form));
    const headers = await sendVerification({ request, context }, email, tokens.idToken);
    return await completeSignIn({ request, context }, tokens, { headers });
  } catch (error) {
    const { status, banner } = toFormError("sign-up", error);
    return data({ lastResult, banner }, status);
  }
}

/**
 * Sends the e-mail, and returns the headers that start its cooldown; none if it could not be sent. Even then the
 * account exists, and the profile can send another e-mail.
 */
async function sendVerification(
  { request, context }: Pick<ActionFunctionArgs, "request" | "context">,
  email: string,
  idToken: string,
): Promise<Record<string, string>> {
  try {
    await getAccounts(context).sendEmailVerification(idToken, EMAIL_TIMEOUT_MS);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return {};
  }
  return getEmailCooldown(context).start(request, email);
}
