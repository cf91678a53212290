import { useNavigation, useSubmit } from "@remix-run/react";
import { useContext } from "react";

import { FormErrorBanner } from "#app/site/form-error-banner.tsx";
import { Button } from "#app/ui/button.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { Switch } from "#app/ui/switch.tsx";
import {
  FLASH_LIFE_MS,
  ProfileContext,
  ProfileForm,
  SectionFlash,
  useProfileForm,
} from "./form-section.tsx";
import { toTabPath } from "./profile-view.ts";
import styles from "./unseen-mode.module.css";

export interface UnseenModeProps {
  /** `null` when it cannot be read. */
  isUnseen: boolean | null;
  /** Whether the user is left out of the numbers of readers; `null` when it cannot be read. */
  isUncounted: boolean | null;
}

/** What others see of the user. The switches save at once; without scripts there are buttons to save them. */
export function UnseenMode({ isUnseen, isUncounted }: UnseenModeProps) {
  return (
    <CardSection id="unseen-heading" heading="Unseen mode">
      <p>
        Others don't see that you're in the room, typing, or reading a story with them, and you
        don't count among the people who have a story open. You can still read and write.
      </p>
      <SwitchForm form="save-unseen" name="unseen" isOn={isUnseen}>
        Don't show when I'm here or typing
      </SwitchForm>
      <p>
        Home shows how many signed-in people have each story open, and visitors see how many people
        are in the room. Nobody sees who these people are.
      </p>
      <SwitchForm form="save-uncounted" name="uncounted" isOn={isUncounted}>
        Leave me out of public counts
      </SwitchForm>
    </CardSection>
  );
}

interface SwitchFormProps {
  form: "save-unseen" | "save-uncounted";
  /** The name of the field. */
  name: "unseen" | "uncounted";
  /** `null` when it cannot be read. */
  isOn: boolean | null;
  children: string;
}

function SwitchForm({ form, name, isOn, children }: SwitchFormProps) {
  const submit = useSubmit();
  const { uid, tab } = useContext(ProfileContext);
  const { formData } = useNavigation();
  const { isPending, result } = useProfileForm(form);

  function save(isSelected: boolean) {
    const values = { intent: form, uid, [name]: String(isSelected) };
    submit(values, { method: "post", action: toTabPath(tab), preventScrollReset: true });
  }

  return (
    <>
      <FormErrorBanner error={isPending ? undefined : result?.banner} />
      {isOn === null ? (
        <p>We can't load this setting right now.</p>
      ) : (
        <ProfileForm form={form} className={styles.form}>
          <Switch
            name={name}
            value="true"
            isSelected={isPending ? formData?.get(name) === "true" : isOn}
            isReadOnly={isPending}
            onChange={save}
          >
            {children}
          </Switch>
          <Button type="submit" variant="quiet" className={styles.save}>
            Save
          </Button>
          <SectionFlash section={form} isPending={isPending} life={FLASH_LIFE_MS} />
        </ProfileForm>
      )}
    </>
  );
}
