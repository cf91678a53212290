import { Form, useNavigation } from "@remix-run/react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./confirm-email.module.css";
import { AUTO_FOCUS, SectionFlash, UidField } from "./form-section.tsx";
import type { ProfileActionResult } from "./profile-view.ts";

export interface ConfirmEmailProps {
  result: ProfileActionResult | undefined;
}

/** Asks the user to confirm their e-mail address, and sends another link. No feature requires a confirmed address. */
export function ConfirmEmail({ result }: ConfirmEmailProps) {
  const isPending = useNavigation().formData?.get("intent") === "send-confirmation";
  const banner = result?.form === "send-confirmation" && !isPending ? result.banner : undefined;
  return (
    <section className={styles.section} aria-labelledby="confirm-title">
      <div className={styles.text}>
        <h2 className={styles.heading} id="confirm-title" {...(banner ? AUTO_FOCUS : {})}>
          Confirm your e-mail
        </h2>
        <p>Open the link we e-mailed you, so that you can recover your account.</p>
      </div>
      <Form method="post" action="/profile" preventScrollReset>
        <input type="hidden" name="intent" value="send-confirmation" />
        <UidField />
        <Button className={styles.button} type="submit" variant="quiet" isPending={isPending}>
          Send again
        </Button>
        <StillTrying isPending={isPending} />
      </Form>
      <SectionFlash section="send-confirmation" isPending={isPending} />
      {banner ? (
        <MessageBanner className={styles.error} severity="warn" hint={banner.hint}>
          {banner.message}
        </MessageBanner>
      ) : null}
    </section>
  );
}
