import { Hint } from "#app/accounts/hint.tsx";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./google-form.module.css";
import { IN_THIS_WINDOW, type Google, type GoogleRefusal } from "./use-google.ts";

export interface GoogleFormProps {
  /** One on a page. */
  id: string;
  google: Google;
  /** Which screen this is: its words explain a refusal. */
  screen: "sign-in" | "sign-up" | "room" | "link";
  /** The page this is. */
  path: string;
  /** What the button says. */
  children: string;
  className?: string;
}

/** The button that leads to Google. A form of its own, so that no password travels with it. */
export function GoogleForm({ id, google, screen, path, children, className }: GoogleFormProps) {
  return (
    <form
      id={id}
      method="post"
      action="/auth/google"
      className={[styles.form, className].filter(Boolean).join(" ")}
      onSubmit={google.submit}
    >
      <input type="hidden" name="screen" value={screen} />
      <input type="hidden" name="returnTo" value={path} />
      <input type="hidden" name="flow" />
      <Button type="submit" variant="quiet">
        {children}
      </Button>
      <output className={styles.status}>
        {google.isOpen ? "Continue in the Google window." : null}
      </output>
    </form>
  );
}

/** Why a sign-in with Google was refused, and the way on. */
export function GoogleBanner({
  refusal,
  formId,
  className,
}: {
  refusal: GoogleRefusal;
  /** The form to send again. */
  formId: string;
  className?: string;
}) {
  const way = refusal.isBlocked ? (
    <Button
      type="submit"
      variant="quiet"
      form={formId}
      data-google={IN_THIS_WINDOW}
      className={styles.way}
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
          {refusal.hint ? <Hint>{refusal.hint}</Hint> : null}
          {way}
        </>
      }
    >
      {refusal.message}
    </MessageBanner>
  );
}
