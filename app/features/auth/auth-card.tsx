import { Form, Link, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

import { Button } from "#app/components/button.tsx";
import { MessageBanner } from "#app/components/message-banner.tsx";
import type { Account } from "#app/schemas/account.ts";
import styles from "./auth-card.module.css";
import { Hint } from "./hint.tsx";

/** Why an attempt failed, in the provider's words or the specification's, and what to do about it. */
export interface Refusal {
  message: string;
  hint?: string | undefined;
  /** Nobody heard of the attempt, so whoever tries again types nothing again. */
  isUnheard?: boolean | undefined;
}

export interface AuthCardProps {
  title: string;
  /** Whoever is signed in already. */
  account: Account | null;
  banner: Refusal | undefined;
  /** The form of e-mail and password. */
  children: ReactNode;
  /** The way to the other screen. */
  other: { label: string; to: string };
  isPending: boolean;
  onGoogle: () => void;
}

/** The frame of Sign In and Sign Up: the title, the one banner, Google, and the way to the other screen. */
export function AuthCard({
  title,
  account,
  banner,
  children,
  other,
  isPending,
  onGoogle,
}: AuthCardProps) {
  return (
    <section className={styles.card} aria-labelledby="auth-title">
      <h1 id="auth-title">{title}</h1>
      {account ? (
        <p className={styles.known}>
          You are signed in as {account.email}. <Link to="/profile">Go to your profile</Link>
        </p>
      ) : null}
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
      {/* A form of its own, so that no password travels with it. */}
      <Form method="post" className={styles.google} onSubmit={onGoogle}>
        <Button
          type="submit"
          variant="quiet"
          name="intent"
          value="google"
          formNoValidate
          isPending={isPending}
        >
          Continue with google
        </Button>
      </Form>
      <p className={styles.other}>
        <Link to={other.to}>{other.label}</Link>
      </p>
    </section>
  );
}

/** Returns which of the two forms is on its way: Google's, the one with the password, or neither. */
export function usePendingForm(isPending: boolean): "google" | "password" | null {
  const { formData } = useNavigation();
  if (!isPending) return null;
  return formData?.get("intent") === "google" ? "google" : "password";
}
