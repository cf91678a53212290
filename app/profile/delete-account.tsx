import type { User } from "#app/session/user.ts";
import { FieldErrors } from "#app/ui/field-errors.tsx";
import { Link } from "#app/ui/link.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import styles from "./delete-account.module.css";
import { FormSection, readRefusal } from "./form-section.tsx";
import type { ProfileRefusal } from "./profile-view.ts";

export interface DeleteAccountProps {
  account: User;
  hasPassword: boolean;
  refusal: ProfileRefusal | undefined;
}

const FATES = [
  { value: "delete", label: "Delete" },
  { value: "anonymous", label: "Keep as “Anonymous”" },
] as const;

/** The end of an account, which takes the e-mail and the password once more. */
export function DeleteAccount({ account, hasPassword, refusal }: DeleteAccountProps) {
  const { faults, typed } = readRefusal(refusal, "delete-account");
  const fateErrors = faults.messages ?? [];
  return (
    <FormSection
      heading="Delete account"
      words={
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
      refusal={refusal}
      button="Delete account"
      variant="danger"
    >
      <input type="hidden" name="after" value={typed?.after ?? ""} />
      <fieldset
        className={styles.fates}
        aria-describedby={fateErrors.length > 0 ? "fate-error" : undefined}
      >
        <legend className={styles.legend}>Your messages in the room</legend>
        {FATES.map(({ value, label }, index) => (
          <label key={value} className={styles.fate}>
            <input
              type="radio"
              name="messages"
              value={value}
              defaultChecked={typed?.messages ? typed.messages === value : index === 0}
            />
            {label}
          </label>
        ))}
        <FieldErrors id="fate-error" errors={fateErrors} />
      </fieldset>
      <TextField
        label={`Type your e-mail to confirm: ${account.email}`}
        name="email"
        type="email"
        autoComplete="off"
        defaultValue={typed?.email}
        errors={faults.email}
      />
      {hasPassword ? (
        <TextField
          label="Password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          errors={faults.currentPassword}
        />
      ) : null}
    </FormSection>
  );
}
