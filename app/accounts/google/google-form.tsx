import { Hint } from "#app/accounts/hint.tsx";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./google-form.module.css";
import { SAME_WINDOW, type GoogleFormError, type GoogleSignIn } from "./use-google.ts";

export interface GoogleFormProps {
  /** Unique on the page. */
  id: string;
  google: GoogleSignIn;
  /** The screen with the button. It determines the error messages, and where they are shown. */
  screen: "sign-in" | "sign-up" | "room" | "link";
  /** The path of the page with the room, for the screen `room`. */
  returnTo?: string;
  /** The button's label. */
  children: string;
  className?: string;
}

/** The button that leads to Google. It has its own form, so the password is not sent with it. */
export function GoogleForm({ id, google, screen, returnTo, children, className }: GoogleFormProps) {
  return (
    <form
      id={id}
      method="post"
      action="/auth/google"
      className={[styles.form, className].filter(Boolean).join(" ")}
      onSubmit={google.submit}
    >
      <input type="hidden" name="screen" value={screen} />
      {returnTo === undefined ? null : <input type="hidden" name="returnTo" value={returnTo} />}
      <input type="hidden" name="popupId" />
      <Button type="submit" variant="quiet">
        {children}
      </Button>
      <output className={styles.status}>
        {google.isOpen ? "Continue in the Google window." : null}
      </output>
    </form>
  );
}

/** The error of a sign-in with Google, and the button to retry after a blocked pop-up. */
export function GoogleBanner({
  error,
  formId,
  className,
}: {
  error: GoogleFormError;
  /** The form to submit again. */
  formId: string;
  className?: string;
}) {
  const retry = error.isBlocked ? (
    <Button
      type="submit"
      variant="quiet"
      form={formId}
      data-google={SAME_WINDOW}
      className={styles.retry}
    >
      Continue in this window
    </Button>
  ) : null;
  return (
    <MessageBanner
      severity="error"
      className={className}
      hint={
        <>
          {error.hint ? <Hint>{error.hint}</Hint> : null}
          {retry}
        </>
      }
    >
      {error.message}
    </MessageBanner>
  );
}
