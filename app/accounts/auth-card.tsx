import { Link } from "@remix-run/react";
import { useRef, useState, type ReactNode } from "react";

import type { FormError } from "#app/http/form.ts";
import type { User } from "#app/session/user.ts";
import { useHydrated } from "#app/ui/hydration.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./auth-card.module.css";
import { GoogleBanner, GoogleForm, type GoogleSignIn } from "./google/google-form.tsx";
import { Hint } from "./hint.tsx";

export interface AuthCardProps {
  title: string;
  /** The user who is signed in already, if any. */
  user: User | null;
  banner: FormError | undefined;
  /** The form with e-mail and password. */
  children: ReactNode;
  /** The link to the other screen. */
  other: { label: string; to: string };
  google: GoogleSignIn;
  /** Which of the two screens it is. */
  screen: "sign-in" | "sign-up";
  /** Why the user was redirected here. */
  reason?: string | undefined;
  /** Whether a sign-in was lost, because the browser has sent no cookie back. @default false */
  areCookiesBlocked?: boolean | undefined;
}

const GOOGLE_FORM_ID = "google";

/** The layout of Sign In and Sign Up: title, banner, form, Google button and the link to the other screen. */
export function AuthCard({
  title,
  user,
  banner,
  children,
  other,
  google,
  screen,
  reason,
  areCookiesBlocked = false,
}: AuthCardProps) {
  const areCookiesKnownBlocked = useCookiesBlocked();
  return (
    <section className={styles.card} aria-labelledby="auth-title">
      <h1 id="auth-title">{title}</h1>
      {reason && !user ? <p className={styles.intro}>{reason}</p> : null}
      {user ? (
        <p className={styles.intro}>
          You're signed in as {user.email}. <Link to="/profile">Go to your profile</Link>
        </p>
      ) : null}
      {google.error ? (
        <GoogleBanner error={google.error} formId={GOOGLE_FORM_ID} className={styles.banner} />
      ) : banner ? (
        <MessageBanner
          severity="error"
          hint={banner.hint && <Hint>{banner.hint}</Hint>}
          className={styles.banner}
        >
          {banner.message}
        </MessageBanner>
      ) : areCookiesBlocked || areCookiesKnownBlocked ? (
        <MessageBanner
          severity="error"
          hint="Signing in needs them. Allow cookies for this site, then try again."
          className={styles.banner}
        >
          Your browser blocks cookies.
        </MessageBanner>
      ) : null}
      {children}
      <GoogleForm id={GOOGLE_FORM_ID} google={google} screen={screen} className={styles.google}>
        Continue with google
      </GoogleForm>
      <p className={styles.other}>
        <Link to={other.to}>{other.label}</Link>
      </p>
    </section>
  );
}

/** Returns whether the browser says that it blocks cookies; `false` on the server and during hydration. */
export function useCookiesBlocked(): boolean {
  // oxlint-disable-next-line baseline-js/use-baseline -- every browser has it; those that differ return `true`
  return useHydrated() && !navigator.cookieEnabled;
}

/**
 * Shows a form's error until the next submit starts. The fields keep what was typed, passwords included. Without scripts
 * passwords are typed again, because the server never sends them back.
 */
export function useFormError(banner: FormError | undefined, isPending: boolean) {
  const formRef = useRef<HTMLFormElement>(null);
  const [cleared, setCleared] = useState<FormError>();

  return {
    formRef,
    /** The error to show now. */
    error: isPending || banner === cleared ? undefined : banner,
    /** Call when another submit starts, even one that does not leave the page. */
    clear: () => setCleared(banner),
  };
}
