import { Form } from "@remix-run/react";

import styles from "#app/accounts/auth-card.module.css";
import { AuthCard } from "#app/accounts/auth-card.tsx";
import { ForgotPassword } from "#app/accounts/email-links/forgot-password.tsx";
import type { FormError } from "#app/http/form.ts";
import { useGoogleSignIn } from "#app/accounts/google/use-google.ts";
import { StillTrying } from "#app/accounts/still-trying.tsx";
import { useFormError } from "#app/accounts/use-form-error.ts";
import type { User } from "#app/session/user.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";

export interface SignInFormProps {
  user?: User | null;
  banner?: FormError | undefined;
  /** The error of a Google sign-in that left the page and came back. */
  googleError?: FormError | undefined;
  /** The e-mail of the failed sign-in. */
  email?: string | undefined;
  isPending: boolean;
  /** Why the user was redirected here. */
  reason?: string | undefined;
  areCookiesBlocked?: boolean;
}

/** Sign In. Does not validate: even an empty form is sent to the provider, as the specification requires. */
export function SignInForm({
  user = null,
  banner,
  googleError,
  email = "",
  isPending,
  reason,
  areCookiesBlocked,
}: SignInFormProps) {
  const { formRef, error, clear } = useFormError(banner, isPending);
  const google = useGoogleSignIn(googleError, clear);
  function clearErrors() {
    clear();
    google.clear();
  }

  return (
    <AuthCard
      title="Sign In"
      user={user}
      banner={error}
      other={{ label: "Don't have an account?", to: "/register" }}
      google={google}
      screen="sign-in"
      reason={reason}
      areCookiesBlocked={areCookiesBlocked}
    >
      <Form ref={formRef} method="post" noValidate className={styles.form} onSubmit={clearErrors}>
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          aria-required
          defaultValue={email}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          aria-required
        />
        <Button type="submit" isPending={isPending}>
          Login
        </Button>
        <div className={styles.formFooter}>
          <ForgotPassword className={styles.forgot}>Forgot your password?</ForgotPassword>
          <StillTrying isPending={isPending} />
        </div>
      </Form>
    </AuthCard>
  );
}
