import { useSubmit } from "@remix-run/react";
import type { MouseEvent } from "react";

import { FORGOT_INTENT, RESET_PATH } from "./email-link-screen.ts";
import styles from "./forgot-password.module.css";

export interface ForgotPasswordProps {
  /** The form that holds the e-mail. */
  formId: string;
  className?: string;
  children: string;
}

/**
 * Leads to where a link to a new password is asked for, and takes along the e-mail that was typed: as a button of its
 * form, for a link could not without scripts, nor keep the address out of its own.
 */
export function ForgotPassword({ formId, className, children }: ForgotPasswordProps) {
  const submit = useSubmit();

  /** With scripts the password stays here. */
  function goWithEmail(event: MouseEvent<HTMLButtonElement>) {
    const { form } = event.currentTarget;
    if (!form) return;
    event.preventDefault();
    const email = new FormData(form).get("email");
    const typed = typeof email === "string" ? email : "";
    submit({ intent: FORGOT_INTENT, email: typed }, { method: "post", action: RESET_PATH });
  }

  return (
    <button
      className={[styles.button, className].filter(Boolean).join(" ")}
      type="submit"
      form={formId}
      formAction={RESET_PATH}
      formNoValidate
      name="intent"
      value={FORGOT_INTENT}
      onClick={goWithEmail}
    >
      {children}
    </button>
  );
}
