import { Form } from "@remix-run/react";

import { Button } from "#app/components/button.tsx";
import { Link } from "#app/components/link.tsx";
import { TextField } from "#app/components/text-field.tsx";
import type { Account } from "#app/schemas/account.ts";
import { AuthCard, usePendingForm, type Refusal } from "./auth-card.tsx";
import styles from "./auth-card.module.css";
import { StillTrying } from "./still-trying.tsx";
import { useAttempt } from "./use-attempt.ts";

export interface SignInFormProps {
  account?: Account | null;
  banner?: Refusal | undefined;
  /** The e-mail of the attempt that failed. */
  email?: string | undefined;
  fieldErrors?: { email?: string[]; password?: string[] } | undefined;
  isPending: boolean;
}

/** Sign In. It checks nothing itself: even an empty form goes to the provider, who says what is wrong. */
export function SignInForm({
  account = null,
  banner,
  email = "",
  fieldErrors,
  isPending,
}: SignInFormProps) {
  const { formRef, shown, start } = useAttempt(banner, isPending);
  const pendingForm = usePendingForm(isPending);

  return (
    <AuthCard
      title="Sign In"
      account={account}
      banner={shown}
      other={{ label: "Don't have an account?", to: "/register" }}
      isPending={pendingForm === "google"}
      onGoogle={start}
    >
      <Form ref={formRef} method="post" noValidate className={styles.form} onSubmit={start}>
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          errors={fieldErrors?.email}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          errors={fieldErrors?.password}
        />
        <Button type="submit" isPending={pendingForm === "password"}>
          Login
        </Button>
        <div className={styles.under}>
          <Link to="/login?reset=1" className={styles.forgot}>
            Forgot your password?
          </Link>
          <StillTrying isPending={pendingForm === "password"} />
        </div>
      </Form>
    </AuthCard>
  );
}
