import { Form } from "@remix-run/react";

import styles from "#app/accounts/auth-card.module.css";
import { AuthCard } from "#app/accounts/auth-card.tsx";
import { ForgotPassword } from "#app/accounts/email-links/forgot-password.tsx";
import type { FormError } from "#app/accounts/form-error.ts";
import { useScreenGoogle } from "#app/accounts/google/use-google.ts";
import { StillTrying } from "#app/accounts/still-trying.tsx";
import { useAttempt } from "#app/accounts/use-attempt.ts";
import type { User } from "#app/session/user.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";

export interface SignInFormProps {
  account?: User | null;
  banner?: FormError | undefined;
  /** Why an attempt with Google was refused that left the page. */
  googleRefusal?: FormError | undefined;
  /** The e-mail of the attempt that failed. */
  email?: string | undefined;
  isPending: boolean;
  /** What somebody wanted to do before they were sent here. */
  reason?: string | undefined;
}

const FORM = "sign-in";

/** Sign In. It checks nothing itself: even an empty form goes to the provider, who says what is wrong. */
export function SignInForm({
  account = null,
  banner,
  googleRefusal,
  email = "",
  isPending,
  reason,
}: SignInFormProps) {
  const attempt = useAttempt(banner, isPending);
  const google = useScreenGoogle(googleRefusal, attempt.start);
  const { formRef, shown } = attempt;
  function start() {
    attempt.start();
    google.clear();
  }

  return (
    <AuthCard
      title="Sign In"
      account={account}
      banner={shown}
      other={{ label: "Don't have an account?", to: "/register" }}
      google={google}
      screen="sign-in"
      reason={reason}
      emailForm={FORM}
    >
      <Form
        ref={formRef}
        id={FORM}
        method="post"
        noValidate
        className={styles.form}
        onSubmit={start}
      >
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
        />
        <Button type="submit" isPending={isPending}>
          Login
        </Button>
        <div className={styles.under}>
          <ForgotPassword formId={FORM} className={styles.forgot}>
            Forgot your password?
          </ForgotPassword>
          <StillTrying isPending={isPending} />
        </div>
      </Form>
    </AuthCard>
  );
}
