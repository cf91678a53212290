import { Form, useLocation } from "@remix-run/react";
import type { FormEventHandler, ReactNode, RefObject } from "react";

import styles from "#app/accounts/auth-card.module.css";
import type { FormError } from "#app/accounts/form-error.ts";
import { Hint } from "#app/accounts/hint.tsx";
import { StillTrying } from "#app/accounts/still-trying.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";

export interface CodeCardProps {
  title: string;
  banner?: FormError | undefined;
  children: ReactNode;
}

/** The frame of what stands at /login in place of Sign In: a title, the one banner, and the way back. */
export function CodeCard({ title, banner, children }: CodeCardProps) {
  return (
    <section className={styles.card} aria-labelledby="auth-title">
      <h1 id="auth-title">{title}</h1>
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

export interface CodeFormProps {
  formRef?: RefObject<HTMLFormElement>;
  onSubmit?: FormEventHandler<HTMLFormElement>;
  isPending: boolean;
  children: ReactNode;
}

/** A form that is posted to the very address of its page, which says what it is for. */
export function CodeForm({ formRef, onSubmit, isPending, children }: CodeFormProps) {
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
      <div className={styles.note}>
        <StillTrying isPending={isPending} />
      </div>
    </Form>
  );
}
