import { getFormProps, useForm, type SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { useEffect, useState, type FormEvent, type RefObject } from "react";

import { Button } from "#app/components/button.tsx";
import { textFieldProps } from "#app/components/field-props.ts";
import { TextField } from "#app/components/text-field.tsx";
import { signUpSchema, type Account } from "#app/schemas/account.ts";
import { AuthCard, usePendingForm, type Refusal } from "./auth-card.tsx";
import styles from "./auth-card.module.css";
import { useAttempt } from "./use-attempt.ts";

export interface SignUpFormProps {
  account?: Account | null;
  banner?: Refusal | undefined;
  /** The server's answer to the last submit, without the passwords. */
  lastResult?: SubmissionResult<string[]> | null | undefined;
  isPending: boolean;
}

/** Sign Up. The rules are the server's; with scripts each speaks once its field has been left. */
export function SignUpForm({ account = null, banner, lastResult, isPending }: SignUpFormProps) {
  const { formRef, shown, start } = useAttempt({ banner, isPending });
  const pendingForm = usePendingForm(isPending);
  const mismatch = useMismatch(formRef, isPending);
  const [form, fields] = useForm({
    id: "sign-up",
    lastResult,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: signUpSchema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  const { onSubmit, ...formProps } = getFormProps(form);

  return (
    <AuthCard
      title="Sign Up"
      account={account}
      banner={shown}
      other={{ label: "Already have an account?", to: "/login" }}
      isPending={pendingForm === "google"}
      onGoogle={start}
    >
      <Form
        {...formProps}
        ref={formRef}
        method="post"
        noValidate
        className={styles.form}
        onInput={mismatch.check}
        onSubmit={(event) => {
          start();
          onSubmit(event);
        }}
      >
        <TextField
          key={fields.email.key}
          label="E-mail"
          type="email"
          autoComplete="email"
          {...textFieldProps(fields.email)}
        />
        <TextField
          key={fields.password.key}
          label="Password"
          type="password"
          autoComplete="new-password"
          {...textFieldProps(fields.password)}
        />
        <TextField
          key={fields.confirmPassword.key}
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          {...textFieldProps(fields.confirmPassword)}
        />
        <Button
          type="submit"
          isDisabled={mismatch.isFound}
          isPending={pendingForm === "password"}
          aria-describedby={mismatch.isFound ? "sign-up-why" : undefined}
        >
          Register
        </Button>
        <p className={styles.why} id="sign-up-why">
          {mismatch.isFound ? "Repeat the password above to continue." : null}
        </p>
      </Form>
    </AuthCard>
  );
}

/** Watches whether the two passwords differ as they stand, touched or not. Never on the server. */
function useMismatch(formRef: RefObject<HTMLFormElement>, isPending: boolean) {
  const [isFound, setIsFound] = useState(false);
  // Browsers fill fields before scripts run, and a refusal empties them.
  useEffect(() => setIsFound(hasMismatch(formRef.current)), [formRef, isPending]);
  return {
    isFound,
    check: ({ currentTarget }: FormEvent<HTMLFormElement>) =>
      setIsFound(hasMismatch(currentTarget)),
  };
}

function hasMismatch(form: HTMLFormElement | null): boolean {
  if (!form) return false;
  const values = new FormData(form);
  return values.get("password") !== values.get("confirmPassword");
}
