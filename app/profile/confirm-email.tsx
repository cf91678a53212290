import { Form, useNavigation } from "@remix-run/react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { AUTO_FOCUS } from "./auto-focus.ts";
import styles from "./confirm-email.module.css";
import type { ProfileRefusal } from "./profile-view.ts";
import { Answer } from "./result.tsx";

export interface ConfirmEmailProps {
  refusal: ProfileRefusal | undefined;
}

/** Asks to confirm the e-mail by the link that was sent, and sends another. Nothing waits for it. */
export function ConfirmEmail({ refusal }: ConfirmEmailProps) {
  const isPending = useNavigation().formData?.get("intent") === "send-confirmation";
  const banner = refusal?.form === "send-confirmation" && !isPending ? refusal.banner : undefined;
  return (
    <section className={styles.section} aria-labelledby="confirm-title">
      <div className={styles.words}>
        <h2 className={styles.heading} id="confirm-title" {...(banner ? AUTO_FOCUS : {})}>
          Confirm your e-mail
        </h2>
        <p>Open the link we e-mailed you, so that you can recover your account.</p>
      </div>
      <Form method="post" action="/profile" preventScrollReset>
        <input type="hidden" name="intent" value="send-confirmation" />
        <Button className={styles.button} type="submit" variant="quiet" isPending={isPending}>
          Send again
        </Button>
        <StillTrying isPending={isPending} />
      </Form>
      <Answer section="send-confirmation" isPending={isPending} />
      {banner ? (
        <MessageBanner className={styles.refusal} severity="warn" hint={banner.hint}>
          {banner.message}
        </MessageBanner>
      ) : null}
    </section>
  );
}
