import { data, type ActionFunctionArgs } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";

import { createServiceGetter } from "#app/env.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import {
  getIdentityToolkit,
  type IdentityToolkit,
  type Tokens,
} from "#app/firebase/identity-toolkit.server.ts";
import { getFieldNames, parseForm, readForm, withForm } from "#app/http/form.server.ts";
import { getText } from "#app/http/form.ts";
import { getAccounts } from "./account.server.ts";
import { completeSignIn } from "./complete-sign-in.server.ts";
import { signInSchema, signUpSchema } from "./credentials-schema.ts";
import { toFormError } from "./form-error.server.ts";
import { getEmailCooldown, getSignInLimits } from "./rate-limits.server.ts";

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

const getAuthenticator = createServiceGetter((_, context) =>
  createAuthenticator(getIdentityToolkit(context)),
);
