import { Form, useNavigation } from "@remix-run/react";
import { useContext, useEffect, useId, useRef, type ReactNode } from "react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { useFocusFirstError } from "#app/ui/use-focus-first-error.ts";
import { AUTO_FOCUS } from "./auto-focus.ts";
import styles from "./form-section.module.css";
import type { ProfileFormName, ProfileActionResult, ProfileTab } from "./profile-view.ts";
import { SectionFlash, SectionFlashContext } from "./section-flash.tsx";
import { UidField } from "./uid-field.tsx";

export interface FormSectionProps {
  heading: string;
  /** What the form does, in a sentence or two. */
  text?: ReactNode;
  form: ProfileFormName;
  tab: ProfileTab;
  /** The result of the last submit of any form on the page. */
  result: ProfileActionResult | undefined;
  button: string;
  variant?: ButtonProps["variant"];
  /** Called with the form's values before it unmounts. */
  onUnmount?: (form: FormData) => void;
  children?: ReactNode;
}

/** One of the profile's forms: heading, text, fields and the error or success of its last submit. */
export function FormSection({
  heading,
  text,
  form,
  tab,
  result,
  button,
  variant,
  onUnmount,
  children,
}: FormSectionProps) {
  const headingId = useId();
  // The Google section shows the flash of its two forms, because after a submit each form replaces the other.
  const section = form === "unlink-google" ? "google" : form;
  const formRef = useRef<HTMLFormElement>(null);
  const ownResult = result?.form === form ? result : undefined;
  const isPending = useNavigation().formData?.get("intent") === form;
  useFocusFirstError(formRef, ownResult?.fieldErrors);
  // Otherwise the first invalid field gets the focus.
  const isHeadingFocused = ownResult !== undefined && !ownResult.fieldErrors;
  const isSaved = useContext(SectionFlashContext)?.section === section;
  const wasPending = useRef(false);

  useEffect(() => {
    // The page stays after a success, so passwords are cleared and fields show the saved values.
    if (wasPending.current && !isPending && isSaved) formRef.current?.reset();
    wasPending.current = isPending;
  }, [isPending, isSaved]);

  const latestOnUnmount = useRef(onUnmount);
  useEffect(() => {
    latestOnUnmount.current = onUnmount;
  });
  useEffect(() => {
    const form = formRef.current;
    return () => {
      if (form) latestOnUnmount.current?.(new FormData(form));
    };
  }, []);

  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h2 className={styles.heading} id={headingId} {...(isHeadingFocused ? AUTO_FOCUS : {})}>
        {heading}
      </h2>
      {text ? <div className={styles.text}>{text}</div> : null}
      {ownResult?.banner && !isPending ? (
        <MessageBanner severity="error" hint={ownResult.banner.hint}>
          {ownResult.banner.message}
        </MessageBanner>
      ) : null}
      <Form
        ref={formRef}
        method="post"
        action={`/profile?tab=${tab}`}
        noValidate
        className={styles.form}
        preventScrollReset
      >
        <input type="hidden" name="intent" value={form} />
        <UidField />
        {children}
        <div className={styles.submit}>
          <Button className={styles.button} type="submit" variant={variant} isPending={isPending}>
            {button}
          </Button>
          <StillTrying isPending={isPending} />
          {section === form ? <SectionFlash section={section} isPending={isPending} /> : null}
        </div>
      </Form>
    </section>
  );
}

/** Returns the errors of a form's fields and what was typed, if the result belongs to that form. */
export function getFormResult(result: ProfileActionResult | undefined, form: ProfileFormName) {
  const { fieldErrors = {}, values } = result?.form === form ? result : {};
  return {
    /** Returns the props that show a field's errors. Browsers without scripts focus the first field that has some. */
    getErrorProps: (name: string): { errors: string[]; autoFocus: boolean } => {
      const errors = fieldErrors[name] ?? [];
      return { errors, autoFocus: errors.length > 0 };
    },
    values,
  };
}
