import { useNavigation, useSearchParams } from "@remix-run/react";
import { useEffect, useId, useRef, type ReactNode } from "react";

import { describeMute, MAX_REASON_LENGTH, UNTIL_LIFTED } from "#app/chat/moderation/mute.ts";
import { MUTE_DURATIONS, type ReportedMessage } from "#app/chat/moderation/reports.ts";
import { ProfileForm, useProfileForm } from "#app/profile/form-section.tsx";
import type { ProfileActionResult } from "#app/profile/profile-view.ts";
import { AUTO_FOCUS } from "#app/site/form-error-banner.tsx";
import type { Locale } from "#app/site/locale/locale.ts";
import { removeBidiControls } from "#app/ui/bdi.tsx";
import { Button, ButtonLink, type ButtonProps } from "#app/ui/button.tsx";
import { useFocusFirstError } from "#app/ui/field-errors.tsx";
import { RadioGroup } from "#app/ui/radio-group.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import styles from "./confirmation.module.css";
import {
  DELETE_PARAM,
  MUTE_PARAM,
  toReportsPath,
  UNPUBLISH_PARAM,
  type ModerationStep,
} from "./reports-view.ts";

export interface MuteFormProps {
  reported: ReportedMessage;
  locale: Locale;
  now: number;
}

/** Asks for how long and why the sender of a message is muted, with what they will see. */
export function MuteForm({ reported, locale, now }: MuteFormProps) {
  const { key, isStory, message, path, reports } = reported;
  const { getErrorProps, result } = useProfileForm("moderate");
  const values = result?.values;
  const options = Object.entries(MUTE_DURATIONS).map(([value, { label, ms }]) => {
    const until = Math.min(now + ms, UNTIL_LIFTED);
    return { value, label: `${label}: “${describeMute({ until }, locale, now)}”` };
  });
  return (
    <Confirmation
      title={`Mute ${message.displayName}?`}
      text="Instead of the message box, they'll see one of these sentences, the reason, and a form to ask once to post again. They can still read."
      action="mute"
      param={MUTE_PARAM}
      reportsKey={key}
      button="Mute"
      errors={result?.fieldErrors}
    >
      <input type="hidden" name="message" value={key} />
      <RadioGroup
        label="How long"
        name="duration"
        options={options}
        defaultValue={values?.duration || "day"}
        {...(getErrorProps("duration").errors.length > 0 && {
          errors: getErrorProps("duration").errors,
        })}
      />
      <TextField
        label="Reason"
        name="reason"
        maxLength={MAX_REASON_LENGTH}
        autoComplete="off"
        aria-required
        defaultValue={values?.reason || reports[0]?.kind}
        {...getErrorProps("reason")}
      />
      {path === null || isStory ? null : (
        <label className={styles.option}>
          <input
            type="checkbox"
            name="alsoDelete"
            value="yes"
            defaultChecked={!values || values.alsoDelete === "yes"}
          />
          Also delete this message
        </label>
      )}
    </Confirmation>
  );
}

/** Asks, without scripts, whether to delete a message. */
export function DeleteForm({ reportsKey }: Pick<ConfirmationProps, "reportsKey">) {
  return (
    <Confirmation
      title="Delete this message?"
      text="It disappears for everyone, and can't be restored. Its reports are closed."
      action="delete"
      param={DELETE_PARAM}
      reportsKey={reportsKey}
      button="Delete message"
      variant="danger"
    >
      <input type="hidden" name="message" value={reportsKey} />
    </Confirmation>
  );
}

export interface UnpublishFormProps {
  /** The key of the reports of the story, or of the message that is about it. */
  reportsKey: string;
  story: NonNullable<ReportedMessage["story"]>;
}

/** Asks for the reason to unpublish a story. */
export function UnpublishForm({ reportsKey, story }: UnpublishFormProps) {
  const { getErrorProps, result } = useProfileForm("moderate");
  const values = result?.values;
  return (
    <Confirmation
      title={`Unpublish “${story.title}”?`}
      text="Nobody can read it any more. Its writer keeps the draft, and can publish it again. Only operators see the reason."
      action="unpublish"
      param={UNPUBLISH_PARAM}
      reportsKey={reportsKey}
      button="Unpublish story"
      errors={result?.fieldErrors}
    >
      <input type="hidden" name="story" value={story.id} />
      <TextField
        label="Reason"
        name="reason"
        maxLength={MAX_REASON_LENGTH}
        autoComplete="off"
        aria-required
        defaultValue={values?.reason}
        {...getErrorProps("reason")}
      />
    </Confirmation>
  );
}

interface ConfirmationProps {
  title: string;
  text: string;
  action: ModerationStep;
  /** The parameter of the page's URL that asks for it. */
  param: string;
  /** Its value. */
  reportsKey: string;
  button: string;
  variant?: ButtonProps["variant"];
  errors?: ProfileActionResult["fieldErrors"];
  children: ReactNode;
}

/** A step of its own in the card, at its own address. */
function Confirmation({
  title,
  text,
  action,
  param,
  reportsKey,
  button,
  variant,
  errors,
  children,
}: ConfirmationProps) {
  const [params] = useSearchParams();
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const isPending = useNavigation().formData?.get("action") === action;
  useEffect(() => heading.current?.focus(), []);
  useFocusFirstError(form, errors);
  return (
    <ProfileForm
      ref={form}
      form="moderate"
      className={styles.confirmation}
      action={toReportsPath(params, { [param]: reportsKey })}
      noValidate
      aria-labelledby={headingId}
    >
      <h4 ref={heading} className={styles.heading} id={headingId} dir="auto" {...AUTO_FOCUS}>
        {removeBidiControls(title)}
      </h4>
      <p className={styles.text}>{text}</p>
      {children}
      <div className={styles.buttons}>
        <Button type="submit" name="action" value={action} variant={variant} isPending={isPending}>
          {button}
        </Button>
        <ButtonLink variant="quiet" to={toReportsPath(params)} preventScrollReset>
          Cancel
        </ButtonLink>
      </div>
    </ProfileForm>
  );
}
