import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";

import { signInSchema, signUpSchema } from "#app/accounts/credentials-schema.ts";
import { oncePerEnv } from "#app/env.server.ts";
import {
  getIdentityToolkit,
  type IdentityService,
  type Tokens,
} from "#app/firebase/identity-toolkit.server.ts";

/**
 * The ways to become somebody: `sign-in` and `sign-up`, each by a form.
 *
 * Both answer with the provider's tokens and throw its `ProviderError`. Check the form before: a
 * form that does not fit its schema is a fault of the caller.
 */
function createAuthenticator(identity: IdentityService): Authenticator<Tokens> {
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

export const getAuthenticator = oncePerEnv((_, context) =>
  createAuthenticator(getIdentityToolkit(context)),
);
