import {
  getFormProps,
  useForm,
  type FieldMetadata,
  type SubmissionResult,
} from "@conform-to/react";
import { Form } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState, type FormEvent, type RefObject } from "react";

import type { FormError } from "#app/http/form.ts";
import { MIN_PASSWORD_LENGTH, type User } from "#app/session/user.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField, type TextFieldProps } from "#app/ui/text-field.tsx";
import styles from "./auth-card.module.css";
import { AuthCard, useCookiesBlocked, useFormError } from "./auth-card.tsx";
import { useGoogleSignIn } from "./google/google-form.tsx";
import type { validateSignUp } from "./validate-sign-up.ts";
import { StillTrying } from "./still-trying.tsx";

/** Conform validates a single field by submitting the form with a button of this name. */
const CONFORM_INTENT = "__intent__";

/** In the order of the form. */
const FIELDS = ["email", "password", "confirmPassword"] as const;

export interface SignUpFormProps {
  user?: User | null;
  banner?: FormError | undefined;
  /** The error of a Google sign-in that left the page and came back. */
  googleError?: FormError | undefined;
  /** The server's result of the last submit, without the passwords. */
  lastResult?: SubmissionResult<string[]> | null | undefined;
  isPending: boolean;
}

/** Sign Up. The schema is the server's; with scripts it also validates each field on blur. */
export function SignUpForm({
  user = null,
  banner,
  googleError,
  lastResult,
  isPending,
}: SignUpFormProps) {
  const { formRef, error, clear } = useFormError(banner, isPending);
  const google = useGoogleSignIn(googleError, clear);
  function clearErrors() {
    clear();
    google.clear();
  }
  const mismatch = usePasswordMismatch(formRef, banner);
  const validation = useValidation(formRef);
  const areCookiesBlocked = useCookiesBlocked();
  const [form, fields] = useForm({
    id: "sign-up",
    lastResult,
    onValidate: validation.validate,
    // Without a validator in the browser, Conform would ask the server on every blur.
    shouldValidate: validation.validate ? "onBlur" : "onSubmit",
    shouldRevalidate: validation.validate ? "onInput" : "onSubmit",
  });
  const { onSubmit, ...formProps } = getFormProps(form);
  // Without scripts the page is shown again with the focus on the first error.
  const firstInvalid = FIELDS.find((name) => lastResult?.error?.[name]);
  const getFieldProps = (name: (typeof FIELDS)[number]) => ({
    ...getTextFieldProps(fields[name]),
    "aria-required": true,
    autoFocus: name === firstInvalid,
  });

  // The fields that the user left before the validator was loaded. They are validated once it is.
  const leftFields = useRef(new Set<EventTarget>());
  useEffect(() => {
    if (!validation.validate) return;
    for (const field of leftFields.current) {
      field.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
    }
    leftFields.current.clear();
  }, [validation.validate]);

  function checkInput(event: FormEvent<HTMLFormElement>) {
    mismatch.check(event);
    const { password, confirmPassword } = fields;
    // Changing the password may resolve the confirmation's error.
    if (isField(event.target, password.name) && confirmPassword.errors) {
      form.validate({ name: confirmPassword.name });
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    const { nativeEvent } = event;
    const isValidation =
      nativeEvent instanceof SubmitEvent && isField(nativeEvent.submitter, CONFORM_INTENT);
    if (!isValidation) clearErrors();
    // An account whose session is lost at once is of no use.
    if (!isValidation && (areCookiesBlocked || validation.deferSubmit())) event.preventDefault();
    else onSubmit(event);
  }

  return (
    <AuthCard
      title="Sign Up"
      user={user}
      banner={error}
      other={{ label: "Already have an account?", to: "/login" }}
      google={google}
      screen="sign-up"
    >
      <p className={styles.intro}>All fields are required.</p>
      <Form
        {...formProps}
        ref={formRef}
        method="post"
        noValidate
        className={styles.form}
        onFocus={validation.load}
        onBlur={(event) => {
          if (!validation.validate) leftFields.current.add(event.target);
        }}
        onInput={checkInput}
        onSubmit={submit}
      >
        <TextField
          key={fields.email.key}
          label="E-mail"
          type="email"
          autoComplete="email"
          {...getFieldProps("email")}
        />
        <TextField
          key={fields.password.key}
          label="Password"
          type="password"
          autoComplete="new-password"
          description={`At least ${MIN_PASSWORD_LENGTH} characters.`}
          {...getFieldProps("password")}
        />
        <TextField
          key={fields.confirmPassword.key}
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          {...getFieldProps("confirmPassword")}
        />
        <Button
          type="submit"
          isDisabled={mismatch.isFound}
          isPending={isPending}
          aria-describedby={mismatch.isFound ? "sign-up-why" : undefined}
        >
          Register
        </Button>
        <div className={styles.status}>
          <p id="sign-up-why">
            {mismatch.isFound ? "Repeat the password above to continue." : null}
          </p>
          <StillTrying isPending={isPending} />
        </div>
      </Form>
    </AuthCard>
  );
}

/** Returns whether the two passwords differ, touched or not. `false` on the server. */
function usePasswordMismatch(formRef: RefObject<HTMLFormElement>, banner: FormError | undefined) {
  const [isFound, setIsFound] = useState(false);
  // Browsers may fill in fields before scripts run.
  useEffect(() => setIsFound(hasPasswordMismatch(formRef.current)), [formRef, banner]);
  return {
    isFound,
    check: ({ currentTarget }: FormEvent<HTMLFormElement>) =>
      setIsFound(hasPasswordMismatch(currentTarget)),
  };
}

function isField(target: EventTarget | null, name: string): boolean {
  return (
    (target instanceof HTMLInputElement || target instanceof HTMLButtonElement) &&
    target.name === name
  );
}

function hasPasswordMismatch(form: HTMLFormElement | null): boolean {
  if (!form) return false;
  const values = new FormData(form);
  return values.get("password") !== values.get("confirmPassword");
}

/**
 * Maps a Conform field to the props of a text field. Pass `key` yourself.
 *
 * Never `required`: the browser would show its own message instead of ours.
 */
function getTextFieldProps(field: FieldMetadata<string | undefined>) {
  return {
    id: field.id,
    name: field.name,
    defaultValue: field.initialValue ?? "",
    errors: field.errors,
  } satisfies Partial<TextFieldProps>;
}

type Validate = typeof validateSignUp;

/**
 * Loads the validator when the user enters the form, because most visitors never fill it in. A submit before that waits
 * for the validator. If it cannot be loaded, only the server validates.
 */
function useValidation(formRef: RefObject<HTMLFormElement>) {
  const [validate, setValidate] = useState<Validate | "unavailable">();
  const isRequested = useRef(false);
  const isSubmitDeferred = useRef(false);

  const load = useCallback(() => {
    if (isRequested.current) return;
    isRequested.current = true;
    import("./validate-sign-up.ts").then(
      (module) => setValidate(() => module.validateSignUp),
      () => setValidate("unavailable"),
    );
  }, []);

  useEffect(() => {
    // The user may have been typing before scripts ran.
    if (formRef.current?.contains(document.activeElement)) load();
  }, [formRef, load]);

  useEffect(() => {
    if (!validate || !isSubmitDeferred.current) return;
    isSubmitDeferred.current = false;
    formRef.current?.requestSubmit();
  }, [validate, formRef]);

  return {
    validate: validate === "unavailable" ? undefined : validate,
    load,
    /** Returns whether a submit has to wait for the validator. If so, it is repeated automatically. */
    deferSubmit(): boolean {
      if (validate) return false;
      isSubmitDeferred.current = true;
      load();
      return true;
    },
  };
}
