import { Form, useLocation } from "@remix-run/react";
import type { FormEventHandler, ReactNode, RefObject } from "react";

import styles from "#app/accounts/auth-card.module.css";
import type { FormError } from "#app/accounts/form-error.ts";
import { Hint } from "#app/accounts/hint.tsx";
import { StillTrying } from "#app/accounts/still-trying.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";

export interface EmailLinkCardProps {
  title: string;
  banner?: FormError | undefined;
  children: ReactNode;
}

/** The layout of the screens that /login shows instead of Sign In: title, banner, content and the link back. */
export function EmailLinkCard({ title, banner, children }: EmailLinkCardProps) {
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

export interface EmailLinkFormProps {
  formRef?: RefObject<HTMLFormElement>;
  onSubmit?: FormEventHandler<HTMLFormElement>;
  isPending: boolean;
  children: ReactNode;
}

/** A form that posts to the page's own address, which contains the link's mode and code. */
export function EmailLinkForm({ formRef, onSubmit, isPending, children }: EmailLinkFormProps) {
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
