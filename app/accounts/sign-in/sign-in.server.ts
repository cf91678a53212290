import { data, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { completeSignIn } from "#app/accounts/complete-sign-in.server.ts";
import { signInSchema } from "#app/accounts/credentials-schema.ts";
import { toFormError } from "#app/accounts/form-error.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { getText } from "#app/http/form-text.ts";
import { getFieldNames, readForm, withForm } from "#app/http/form.server.ts";
import { getAuthenticator } from "./authenticator.server.ts";

/** Signs in with the e-mail and password of the form. Returns what the form shows when that fails. */
export async function signIn({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, getFieldNames(signInSchema));
  const submission = signInSchema.safeParse(Object.fromEntries(form));
  if (!submission.success) {
    const message = submission.error.issues[0]?.message ?? "Login failed";
    return data({ email: getText(form, "email"), banner: { message } }, 400);
  }
  const { email } = submission.data;
  try {
    await getSignInLimits(context).consume(request, "sign-in", email);
    const authenticator = getAuthenticator(context);
    const tokens = await authenticator.authenticate("sign-in", withForm(request, form));
    return await completeSignIn({ request, context }, tokens);
  } catch (error) {
    const { status, banner } = toFormError("sign-in", error);
    return data({ email, banner }, status);
  }
}
