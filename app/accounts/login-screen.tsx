import { Form, useNavigation, useSubmit } from "@remix-run/react";
import type { MouseEvent } from "react";

import type { FormError } from "#app/http/form.ts";
import type { SignInReason } from "#app/session/return-to.ts";
import { useUser, type User } from "#app/session/user.ts";
import { FlashBanner } from "#app/site/flash/flash-banner.tsx";
import type { FlashText } from "#app/site/flash/flash.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import {
  FORGOT_INTENT,
  RESET_PATH,
  type EmailLinkResult,
  type EmailLinkScreen,
} from "./email-links/email-link-screen.ts";
import { EmailLinkScreens } from "./email-links/email-link-screens.tsx";
import { useGoogleError } from "./google/use-google-error.ts";
import styles from "./auth-card.module.css";
import { AuthCard, useFormError } from "./auth-card.tsx";
import { StillTrying } from "./still-trying.tsx";
import { useGoogleSignIn } from "./google/google-form.tsx";

export interface LoginScreenProps {
  /** The screen to show instead of Sign In, or `null`. */
  screen: EmailLinkScreen | null;
  flashText: FlashText | null;
  reason?: SignInReason | undefined;
  /** Whether a sign-in was lost, because the browser has sent no cookie back. */
  areCookiesBlocked: boolean;
  /** The result of the form of either screen. */
  result: EmailLinkResult | undefined;
}

const REASONS: Record<SignInReason, string> = {
  write: "Sign in to write.",
  chat: "Sign in to chat.",
  report: "Sign in to report it.",
  follow: "Sign in to follow writers.",
  thank: "Sign in to thank the writer.",
};

/** The page at /login: Sign In, or the screen to show instead. */
export function LoginScreen({
  screen,
  flashText,
  reason,
  areCookiesBlocked,
  result,
}: LoginScreenProps) {
  const user = useUser();
  const googleError = useGoogleError("sign-in");
  const { formAction, formData } = useNavigation();
  const isPending =
    formAction?.split("?")[0] === "/login" && formData?.get("intent") !== FORGOT_INTENT;
  if (screen) {
    const key = screen.kind;
    return <EmailLinkScreens key={key} screen={screen} result={result} isPending={isPending} />;
  }
  return (
    <>
      <FlashBanner text={flashText} />
      <SignInForm
        user={user}
        banner={result?.banner}
        googleError={googleError}
        email={result?.email}
        isPending={isPending}
        reason={reason && REASONS[reason]}
        areCookiesBlocked={areCookiesBlocked}
      />
    </>
  );
}

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
          <ForgotPassword />
          <StillTrying isPending={isPending} />
        </div>
      </Form>
    </AuthCard>
  );
}

/**
 * Opens the screen that sends a password reset link, with the e-mail typed in the form around it. It is a submit button,
 * because without scripts a link could not carry the e-mail, or would show it in the URL. It follows the form's own
 * button, because Enter in a field presses a form's first submit button.
 */
function ForgotPassword() {
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
      className={styles.forgot}
      type="submit"
      formAction={RESET_PATH}
      formNoValidate
      name="intent"
      value={FORGOT_INTENT}
      onClick={submitEmail}
    >
      Forgot your password?
    </button>
  );
}
