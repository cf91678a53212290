import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

import type { User } from "#app/session/user.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./auth-card.module.css";
import type { FormError } from "./form-error.ts";
import { GoogleBanner, GoogleForm } from "./google/google-form.tsx";
import type { Google } from "./google/use-google.ts";
import { Hint } from "./hint.tsx";

export interface AuthCardProps {
  title: string;
  /** Whoever is signed in already. */
  account: User | null;
  banner: FormError | undefined;
  /** The form of e-mail and password. */
  children: ReactNode;
  /** The way to the other screen. */
  other: { label: string; to: string };
  google: Google;
  /** Which of the two screens it is. */
  screen: "sign-in" | "sign-up";
  /** Why the screen came up, where somebody wanted to go elsewhere. */
  reason?: string | undefined;
  /** The form whose e-mail goes along to a new password, where a hint leads there. */
  emailForm?: string;
}

const GOOGLE_FORM = "google";

/** The frame of Sign In and Sign Up: the title, the one banner, Google, and the way to the other screen. */
export function AuthCard({
  title,
  account,
  banner,
  children,
  other,
  google,
  screen,
  reason,
  emailForm,
}: AuthCardProps) {
  return (
    <section className={styles.card} aria-labelledby="auth-title">
      <h1 id="auth-title">{title}</h1>
      {reason && !account ? <p className={styles.known}>{reason}</p> : null}
      {account ? (
        <p className={styles.known}>
          You're signed in as {account.email}. <Link to="/profile">Go to your profile</Link>
        </p>
      ) : null}
      {google.refusal ? (
        <GoogleBanner refusal={google.refusal} formId={GOOGLE_FORM} className={styles.banner} />
      ) : banner ? (
        <MessageBanner
          severity="error"
          hint={banner.hint && <Hint emailForm={emailForm}>{banner.hint}</Hint>}
          className={styles.banner}
        >
          {banner.message}
        </MessageBanner>
      ) : null}
      {children}
      <GoogleForm
        id={GOOGLE_FORM}
        google={google}
        screen={screen}
        path={screen === "sign-in" ? "/login" : "/register"}
        className={styles.google}
      >
        Continue with google
      </GoogleForm>
      <p className={styles.other}>
        <Link to={other.to}>{other.label}</Link>
      </p>
    </section>
  );
}
