import { Form, useLocation } from "@remix-run/react";
import type { FormEventHandler, ReactNode, RefObject } from "react";

import styles from "#app/accounts/auth-card.module.css";
import type { FormError } from "#app/http/form.ts";
import { Hint } from "#app/accounts/hint.tsx";
import { StillTrying } from "#app/accounts/still-trying.tsx";
import { useFormError } from "#app/accounts/auth-card.tsx";
import { MIN_PASSWORD_LENGTH } from "#app/session/user.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { useFocusFirstError } from "#app/ui/field-errors.tsx";
import {
  RESET_PATH,
  type AddressMode,
  type EmailLinkResult,
  type EmailLinkScreen,
} from "./email-link-screen.ts";

export interface EmailLinkScreensProps {
  screen: EmailLinkScreen;
  result: EmailLinkResult | undefined;
  isPending: boolean;
}

/** The screen that /login shows instead of Sign In. */
export function EmailLinkScreens({ screen, ...props }: EmailLinkScreensProps) {
  switch (screen.kind) {
    case "reset-request":
      return <ResetRequestForm screen={screen} {...props} />;
    case "new-password":
      return <NewPasswordForm screen={screen} {...props} />;
    case "apply-code":
      return <ApplyActionCode screen={screen} {...props} />;
    case "expired-link":
      return <ExpiredLink screen={screen} {...props} />;
  }
}

interface ScreenProps<Kind extends EmailLinkScreen["kind"]> extends Omit<
  EmailLinkScreensProps,
  "screen"
> {
  screen: Extract<EmailLinkScreen, { kind: Kind }>;
}

function ResetRequestForm({ screen, result, isPending }: ScreenProps<"reset-request">) {
  const { formRef, error, clear } = useFormError(result?.banner, isPending);
  useFocusFirstError(formRef, result?.fieldErrors);
  return (
    <EmailLinkCard screen={screen} banner={error}>
      {screen.isSent && !result ? (
        <MessageBanner
          severity="success"
          className={styles.banner}
          hint="No e-mail? Check your spam folder, or ask again in a few minutes."
        >
          If that address has an account, a reset link is on its way.
        </MessageBanner>
      ) : null}
      <EmailLinkForm formRef={formRef} onSubmit={clear} isPending={isPending}>
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={result?.email}
          errors={result?.fieldErrors?.email}
        />
        <Button type="submit" isPending={isPending}>
          Send reset link
        </Button>
      </EmailLinkForm>
    </EmailLinkCard>
  );
}

function NewPasswordForm({ screen, result, isPending }: ScreenProps<"new-password">) {
  const { formRef, error, clear } = useFormError(result?.banner, isPending);
  useFocusFirstError(formRef, result?.fieldErrors);
  return (
    <EmailLinkCard screen={screen} banner={error}>
      <EmailLinkForm formRef={formRef} onSubmit={clear} isPending={isPending}>
        {/* Read-only, so that password managers store the e-mail with the new password. */}
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          value={screen.email}
          readOnly
        />
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          aria-required
          description={`At least ${MIN_PASSWORD_LENGTH} characters.`}
          errors={result?.fieldErrors?.password}
        />
        <Button type="submit" isPending={isPending}>
          Set password
        </Button>
      </EmailLinkForm>
    </EmailLinkCard>
  );
}

/** Asks for a confirmation, because virus scanners open links in e-mails. */
function ApplyActionCode({ screen, result, isPending }: ScreenProps<"apply-code">) {
  const { formRef, error, clear } = useFormError(result?.banner, isPending);
  const { words, button } = ACTION_CODE_TEXTS[screen.mode];
  return (
    <EmailLinkCard screen={screen} banner={error}>
      <p className={styles.text}>{words}</p>
      <EmailLinkForm formRef={formRef} onSubmit={clear} isPending={isPending}>
        <Button type="submit" isPending={isPending}>
          {button}
        </Button>
      </EmailLinkForm>
      {error && screen.mode === "verifyEmail" ? (
        <p className={styles.text}>
          Go to <Link to="/profile">your profile</Link> to see whether your e-mail is confirmed, or
          to get a new link.
        </p>
      ) : null}
    </EmailLinkCard>
  );
}

const ACTION_CODE_TEXTS = {
  verifyEmail: {
    words: "Press the button to confirm that this e-mail address is yours.",
    button: "Confirm e-mail",
  },
  verifyAndChangeEmail: {
    words: "After this, you sign in with your new address.",
    button: "Change e-mail",
  },
  recoverEmail: {
    words:
      "Your account's e-mail address was changed. If that wasn't you, restore your old address.",
    button: "Restore old e-mail",
  },
} as const;

function ExpiredLink({ screen }: ScreenProps<"expired-link">) {
  const { pathname, search } = useLocation();
  return (
    <EmailLinkCard screen={screen} banner={screen.banner}>
      <p className={styles.text}>
        {screen.isUnavailable ? (
          <ButtonLink to={pathname + search} reloadDocument>
            Try again
          </ButtonLink>
        ) : (
          <ButtonLink to={RESET_PATH}>Ask for a new link</ButtonLink>
        )}
      </p>
    </EmailLinkCard>
  );
}

interface EmailLinkCardProps {
  screen: EmailLinkScreen;
  banner?: FormError | undefined;
  children: ReactNode;
}

/** The layout of the screens that /login shows instead of Sign In: title, banner, content and the link back. */
function EmailLinkCard({ screen, banner, children }: EmailLinkCardProps) {
  return (
    <section className={styles.card} aria-labelledby="auth-title">
      <h1 id="auth-title">{getEmailLinkTitle(screen)}</h1>
      {banner ? (
        <MessageBanner
          severity="error"
          hint={banner.hint && <Hint>{banner.hint}</Hint>}
          className={styles.banner}
        >
          {banner.message}
        </MessageBanner>
      ) : null}
      {children}
      <p className={styles.other}>
        <Link to="/login">Back to Sign In</Link>
      </p>
    </section>
  );
}

interface EmailLinkFormProps {
  formRef?: RefObject<HTMLFormElement>;
  onSubmit?: FormEventHandler<HTMLFormElement>;
  isPending: boolean;
  children: ReactNode;
}

/** A form that posts to the page's own address, which contains the link's mode and code. */
function EmailLinkForm({ formRef, onSubmit, isPending, children }: EmailLinkFormProps) {
  const { pathname, search } = useLocation();
  return (
    <Form
      ref={formRef}
      method="post"
      action={pathname + search}
      noValidate
      className={styles.form}
      onSubmit={onSubmit}
    >
      {children}
      <div className={styles.status}>
        <StillTrying isPending={isPending} />
      </div>
    </Form>
  );
}

const ADDRESS_TITLES: Record<AddressMode, string> = {
  verifyEmail: "Confirm your e-mail",
  verifyAndChangeEmail: "Change your e-mail",
  recoverEmail: "Restore your old e-mail",
};

/** Returns the heading of a screen, which is also the page's title. */
export function getEmailLinkTitle(screen: EmailLinkScreen): string {
  switch (screen.kind) {
    case "reset-request":
      return "Reset your password";
    case "new-password":
      return "Choose a new password";
    case "apply-code":
      return ADDRESS_TITLES[screen.mode];
    case "expired-link":
      return screen.isUnavailable ? "That didn't work" : "This link no longer works";
  }
}
