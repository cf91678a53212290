import type { User } from "#app/session/user.ts";
import { Link } from "#app/ui/link.tsx";
import { RadioGroup } from "#app/ui/radio-group.tsx";
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
  const { getErrorProps, values } = getFormResult(result, "delete-account");
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
      <div className={styles.choices}>
        <RadioGroup
          label="Your messages in the room"
          name="messages"
          options={MESSAGES_CHOICES}
          defaultValue={
            MESSAGES_CHOICES.find(({ value }) => value === values?.messages)?.value ?? "delete"
          }
          errors={getErrorProps("messages").errors}
        />
      </div>
      <TextField
        label={`Type your e-mail to confirm: ${user.email}`}
        name="email"
        type="email"
        autoComplete="off"
        aria-required
        defaultValue={values?.email}
        {...getErrorProps("email")}
      />
      {hasPassword ? (
        <TextField
          label="Password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          aria-required
          {...getErrorProps("currentPassword")}
        />
      ) : null}
    </FormSection>
  );
}
