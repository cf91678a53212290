import { Form, useNavigation, useSubmit } from "@remix-run/react";

import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { NativeSwitch } from "#app/ui/native-switch.tsx";
import { AUTO_FOCUS } from "./auto-focus.ts";
import type { ProfileActionResult } from "./profile-view.ts";
import { SectionFlash } from "./section-flash.tsx";
import styles from "./unseen-mode.module.css";

const FORM = "save-unseen";
const SAVED_LIFE_MS = 6000;

export interface UnseenModeProps {
  /** `null` when it cannot be read. */
  isUnseen: boolean | null;
  result: ProfileActionResult | undefined;
}

/** The switch of the unseen mode. It takes effect at once; without scripts there is a button to save it. */
export function UnseenMode({ isUnseen, result }: UnseenModeProps) {
  const submit = useSubmit();
  const { formData } = useNavigation();
  const isPending = formData?.get("intent") === FORM;
  const banner = result?.form === FORM && !isPending ? result.banner : undefined;

  function save(isSelected: boolean) {
    const form = { intent: FORM, unseen: String(isSelected) };
    submit(form, { method: "post", action: "/profile?tab=data", preventScrollReset: true });
  }

  return (
    <section className={styles.section} aria-labelledby="unseen-heading">
      <h2 className={styles.heading} id="unseen-heading">
        Unseen mode
      </h2>
      <p>Others don't see that you're in the room or typing. You can still read and write.</p>
      {banner ? (
        <div {...AUTO_FOCUS}>
          <MessageBanner severity="error" hint={banner.hint}>
            {banner.message}
          </MessageBanner>
        </div>
      ) : null}
      {isUnseen === null ? (
        <p>We can't load this setting right now.</p>
      ) : (
        <Form method="post" action="/profile?tab=data" className={styles.form} preventScrollReset>
          <input type="hidden" name="intent" value={FORM} />
          <NativeSwitch
            name="unseen"
            value="true"
            isSelected={isPending ? formData.get("unseen") === "true" : isUnseen}
            isReadOnly={isPending}
            onChange={save}
          >
            Do not show me
          </NativeSwitch>
          <Button type="submit" variant="quiet" className={styles.save}>
            Save
          </Button>
          <SectionFlash section={FORM} isPending={isPending} life={SAVED_LIFE_MS} />
        </Form>
      )}
    </section>
  );
}
