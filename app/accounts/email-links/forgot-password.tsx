import { useSubmit } from "@remix-run/react";
import type { MouseEvent } from "react";

import { FORGOT_INTENT, RESET_PATH } from "./email-link-screen.ts";
import styles from "./forgot-password.module.css";

export interface ForgotPasswordProps {
  className?: string;
  children: string;
}

/**
 * Opens the screen that sends a password reset link, with the e-mail typed in the form around it. It is a submit button,
 * because without scripts a link could not carry the e-mail, or would show it in the URL. It follows the form's own
 * button, because Enter in a field presses a form's first submit button.
 */
export function ForgotPassword({ className, children }: ForgotPasswordProps) {
  const submit = useSubmit();

  /** Submits only the e-mail, although the form also has a password. */
  function submitEmail(event: MouseEvent<HTMLButtonElement>) {
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
      formAction={RESET_PATH}
      formNoValidate
      name="intent"
      value={FORGOT_INTENT}
      onClick={submitEmail}
    >
      {children}
    </button>
  );
}
