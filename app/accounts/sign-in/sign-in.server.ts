import { data, type ActionFunctionArgs } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";

import { completeSignIn } from "#app/accounts/complete-sign-in.server.ts";
import { signInSchema, signUpSchema } from "#app/accounts/credentials-schema.ts";
import { toFormError } from "#app/accounts/form-error.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { createServiceGetter } from "#app/env.server.ts";
import {
  getIdentityToolkit,
  type IdentityToolkit,
  type Tokens,
} from "#app/firebase/identity-toolkit.server.ts";
import { getText } from "#app/http/form.ts";
import { getFieldNames, readForm, withForm } from "#app/http/form.server.ts";

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

/**
 * Creates the strategies `sign-in` and `sign-up`, which authenticate a form with e-mail and password.
 *
 * Both return the provider's tokens and throw its `AuthError`. Validate the form first: an invalid one throws a
 * `ZodError`.
 */
function createAuthenticator(identity: IdentityToolkit): Authenticator<Tokens> {
  return new Authenticator<Tokens>()
    .use(
      new FormStrategy(({ form }) => {
        const { email, password } = signInSchema.parse(Object.fromEntries(form));
        return identity.signIn(email, password);
      }),
      "sign-in",
    )
    .use(
      new FormStrategy(({ form }) => {
        const { email, password } = signUpSchema.parse(Object.fromEntries(form));
        return identity.signUp(email, password);
      }),
      "sign-up",
    );
}

export const getAuthenticator = createServiceGetter((_, context) =>
  createAuthenticator(getIdentityToolkit(context)),
);
