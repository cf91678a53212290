import type { User } from "#app/session/user.ts";
import { FieldErrors } from "#app/ui/field-errors.tsx";
import { Link } from "#app/ui/link.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import styles from "./delete-account.module.css";
import { FormSection, getFormResult } from "./form-section.tsx";
import type { ProfileActionResult } from "./profile-view.ts";

export interface DeleteAccountProps {
  user: User;
  hasPassword: boolean;
  result: ProfileActionResult | undefined;
}

const MESSAGES_CHOICES = [
  { value: "delete", label: "Delete" },
  { value: "anonymous", label: "Keep as “Anonymous”" },
] as const;

/** Deletes the account, after the user has typed their e-mail and password again. */
export function DeleteAccount({ user, hasPassword, result }: DeleteAccountProps) {
  const { fieldErrors, values } = getFormResult(result, "delete-account");
  const messagesErrors = fieldErrors.messages ?? [];
  return (
    <FormSection
      heading="Delete account"
      text={
        <>
          <p>
            Your account, drafts and stories are deleted immediately and can't be recovered. You
            choose what happens to your messages in the room.
          </p>
          {hasPassword ? null : (
            <p>
              Your account has no password. To delete it,{" "}
              <Link to="/login">sign in with Google again</Link>, then come back within five
              minutes.
            </p>
          )}
        </>
      }
      form="delete-account"
      tab="security"
      result={result}
      button="Delete account"
      variant="danger"
    >
      <input type="hidden" name="after" value={values?.after ?? ""} />
      <fieldset
        className={styles.choices}
        aria-describedby={messagesErrors.length > 0 ? "messages-error" : undefined}
      >
        <legend className={styles.legend}>Your messages in the room</legend>
        {MESSAGES_CHOICES.map(({ value, label }, index) => (
          <label key={value} className={styles.choice}>
            <input
              type="radio"
              name="messages"
              value={value}
              defaultChecked={values?.messages ? values.messages === value : index === 0}
            />
            {label}
          </label>
        ))}
        <FieldErrors id="messages-error" errors={messagesErrors} />
      </fieldset>
      <TextField
        label={`Type your e-mail to confirm: ${user.email}`}
        name="email"
        type="email"
        autoComplete="off"
        defaultValue={values?.email}
        errors={fieldErrors.email}
      />
      {hasPassword ? (
        <TextField
          label="Password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          errors={fieldErrors.currentPassword}
        />
      ) : null}
    </FormSection>
  );
}
