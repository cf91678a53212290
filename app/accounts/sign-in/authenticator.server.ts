import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";

import { signInSchema, signUpSchema } from "#app/accounts/credentials-schema.ts";
import { createServiceGetter } from "#app/env.server.ts";
import {
  getIdentityToolkit,
  type IdentityToolkit,
  type Tokens,
} from "#app/firebase/identity-toolkit.server.ts";

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
