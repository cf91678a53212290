import { getFormProps, useForm, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { useEffect, useRef, useState, type FormEvent, type RefObject } from "react";

import styles from "#app/accounts/auth-card.module.css";
import { AuthCard } from "#app/accounts/auth-card.tsx";
import type { FormError } from "#app/accounts/form-error.ts";
import { useScreenGoogle } from "#app/accounts/google/use-google.ts";
import { StillTrying } from "#app/accounts/still-trying.tsx";
import { useAttempt } from "#app/accounts/use-attempt.ts";
import type { User } from "#app/session/user.ts";
import { Button } from "#app/ui/button.tsx";
import { textFieldProps } from "#app/ui/field-props.ts";
import { TextField } from "#app/ui/text-field.tsx";
import { useRules } from "./use-validation.ts";

/** Conform checks single fields by submits of its own, made with a button of this name. */
const CONFORM_INTENT = "__intent__";

/** From top to bottom. */
const FIELDS = ["email", "password", "confirmPassword"] as const;

export interface SignUpFormProps {
  account?: User | null;
  banner?: FormError | undefined;
  /** Why an attempt with Google was refused that left the page. */
  googleRefusal?: FormError | undefined;
  /** The server's answer to the last submit, without the passwords. */
  lastResult?: SubmissionResult<string[]> | null | undefined;
  isPending: boolean;
}

/** Sign Up. The rules are the server's; with scripts each speaks once its field has been left. */
export function SignUpForm({
  account = null,
  banner,
  googleRefusal,
  lastResult,
  isPending,
}: SignUpFormProps) {
  const attempt = useAttempt(banner, isPending);
  const google = useScreenGoogle(googleRefusal, attempt.start);
  const { formRef, shown } = attempt;
  function start() {
    attempt.start();
    google.clear();
  }
  const mismatch = useMismatch(formRef, banner);
  const rules = useRules(formRef);
  const [form, fields] = useForm({
    id: "sign-up",
    lastResult,
    onValidate: rules.check,
    // Without rules of its own the form would ask the server on every blur.
    shouldValidate: rules.check ? "onBlur" : "onSubmit",
    shouldRevalidate: rules.check ? "onInput" : "onSubmit",
  });
  const { onSubmit, ...formProps } = getFormProps(form);
  // Without scripts the page comes back with the focus where it is needed.
  const firstFault = FIELDS.find((name) => lastResult?.error?.[name]);
  const fieldProps = (name: (typeof FIELDS)[number]) => ({
    ...textFieldProps(fields[name]),
    autoFocus: name === firstFault,
  });

  // What was left before the rules came is checked when they come.
  const leftFields = useRef(new Set<EventTarget>());
  useEffect(() => {
    if (!rules.check) return;
    for (const field of leftFields.current) {
      field.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
    }
    leftFields.current.clear();
  }, [rules.check]);

  function checkInput(event: FormEvent<HTMLFormElement>) {
    mismatch.check(event);
    const { password, confirmPassword } = fields;
    // A new password can make an old complaint about its repetition untrue.
    if (isField(event.target, password.name) && confirmPassword.errors) {
      form.validate({ name: confirmPassword.name });
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    const { nativeEvent } = event;
    const isCheck =
      nativeEvent instanceof SubmitEvent && isField(nativeEvent.submitter, CONFORM_INTENT);
    if (!isCheck) start();
    if (!isCheck && rules.hold()) event.preventDefault();
    else onSubmit(event);
  }

  return (
    <AuthCard
      title="Sign Up"
      account={account}
      banner={shown}
      other={{ label: "Already have an account?", to: "/login" }}
      google={google}
      screen="sign-up"
    >
      <Form
        {...formProps}
        ref={formRef}
        method="post"
        noValidate
        className={styles.form}
        onFocus={rules.load}
        onBlur={(event) => {
          if (!rules.check) leftFields.current.add(event.target);
        }}
        onInput={checkInput}
        onSubmit={submit}
      >
        <TextField
          key={fields.email.key}
          label="E-mail"
          type="email"
          autoComplete="email"
          {...fieldProps("email")}
        />
        <TextField
          key={fields.password.key}
          label="Password"
          type="password"
          autoComplete="new-password"
          {...fieldProps("password")}
        />
        <TextField
          key={fields.confirmPassword.key}
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          {...fieldProps("confirmPassword")}
        />
        <Button
          type="submit"
          isDisabled={mismatch.isFound}
          isPending={isPending}
          aria-describedby={mismatch.isFound ? "sign-up-why" : undefined}
        >
          Register
        </Button>
        <div className={styles.note}>
          <p id="sign-up-why">
            {mismatch.isFound ? "Repeat the password above to continue." : null}
          </p>
          <StillTrying isPending={isPending} />
        </div>
      </Form>
    </AuthCard>
  );
}

/** Watches whether the two passwords differ as they stand, touched or not. Never on the server. */
function useMismatch(formRef: RefObject<HTMLFormElement>, banner: FormError | undefined) {
  const [isFound, setIsFound] = useState(false);
  // Browsers fill fields before scripts run.
  useEffect(() => setIsFound(hasMismatch(formRef.current)), [formRef, banner]);
  return {
    isFound,
    check: ({ currentTarget }: FormEvent<HTMLFormElement>) =>
      setIsFound(hasMismatch(currentTarget)),
  };
}

function isField(target: EventTarget | null, name: string): boolean {
  return (
    (target instanceof HTMLInputElement || target instanceof HTMLButtonElement) &&
    target.name === name
  );
}

function hasMismatch(form: HTMLFormElement | null): boolean {
  if (!form) return false;
  const values = new FormData(form);
  return values.get("password") !== values.get("confirmPassword");
}
