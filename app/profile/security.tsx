import type { FormError } from "#app/http/form.ts";
import { MIN_PASSWORD_LENGTH, type User } from "#app/session/user.ts";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { RadioGroup } from "#app/ui/radio-group.tsx";
import { TextField, type TextFieldProps } from "#app/ui/text-field.tsx";
import { FormSection, getFormResult } from "./form-section.tsx";
import { GoogleLink } from "./google-link.tsx";
import type { ProfileActionResult, SecurityView } from "./profile-view.ts";
import styles from "./security.module.css";
import { SessionList } from "./session-list.tsx";

export interface SecurityProps {
  user: User;
  /** `null` while the provider cannot be reached. */
  security: SecurityView | null;
  result: ProfileActionResult | undefined;
  /** The error of linking Google in the page's own window. */
  googleError: FormError | undefined;
}

/** The Security tab: password, Google, sessions and deleting the account. */
export function Security({ user, security, result, googleError }: SecurityProps) {
  if (!security) {
    return (
      <MessageBanner
        severity="warn"
        hint={
          <Link to="/profile?tab=security" reloadDocument isQuiet>
            Try again
          </Link>
        }
      >
        We can't reach the sign-in service.
      </MessageBanner>
    );
  }
  const { hasPassword } = security;
  return (
    <>
      {hasPassword ? (
        <ChangePassword user={user} result={result} />
      ) : (
        <ChoosePassword result={result} />
      )}
      <GoogleLink security={security} result={result} googleError={googleError} />
      <Sessions security={security} result={result} />
      <DeleteAccount user={user} hasPassword={hasPassword} result={result} />
    </>
  );
}

interface SectionProps {
  result: ProfileActionResult | undefined;
}

function ChangePassword({ user, result }: SectionProps & { user: User }) {
  const { getErrorProps } = getFormResult(result, "change-password");
  return (
    <FormSection
      heading="Change password"
      text={<p>This signs you out everywhere else.</p>}
      form="change-password"
      result={result}
      button="Change password"
    >
      {/* For password managers, which need the user name with the new password. */}
      <input hidden type="text" autoComplete="username" value={user.email} readOnly />
      <CurrentPassword label="Current password" {...getErrorProps("currentPassword")} />
      <TextField
        label="New password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        aria-required
        description={`At least ${MIN_PASSWORD_LENGTH} characters.`}
        {...getErrorProps("newPassword")}
      />
    </FormSection>
  );
}

function ChoosePassword({ result }: SectionProps) {
  return (
    <FormSection
      heading="Choose a password"
      text={<p>You sign in with Google. A password gives you a second way to sign in.</p>}
      form="send-password-link"
      result={result}
      button="Send link"
      variant="quiet"
    />
  );
}

function CurrentPassword(props: Pick<TextFieldProps, "label" | "errors">) {
  return (
    <TextField
      name="currentPassword"
      type="password"
      autoComplete="current-password"
      aria-required
      {...props}
    />
  );
}

function Sessions({ security, result }: SectionProps & { security: SecurityView }) {
  const sessions = (
    <>
      <dl className={styles.times}>
        <dt>Last sign-in</dt>
        <dd>{security.signedInAt ?? "Unknown"}</dd>
        <dt>Account created</dt>
        <dd>{security.createdAt}</dd>
      </dl>
      <SessionList sessions={security.sessions} result={result} />
    </>
  );
  if (!security.hasPassword) {
    return (
      <section className={styles.section} aria-labelledby="sign-ins-title">
        <h2 className={styles.heading} id="sign-ins-title">
          Where you're signed in
        </h2>
        <div className={styles.text}>
          {sessions}
          <p>To sign out everywhere at once, choose a password above. This ends every session.</p>
        </div>
      </section>
    );
  }
  const { getErrorProps } = getFormResult(result, "sign-out-everywhere");
  return (
    <FormSection
      heading="Where you're signed in"
      text={
        <>
          {sessions}
          <p>You can end all sessions except this one.</p>
        </>
      }
      form="sign-out-everywhere"
      result={result}
      button="Sign out everywhere else"
      variant="quiet"
    >
      <CurrentPassword label="Password" {...getErrorProps("currentPassword")} />
    </FormSection>
  );
}

interface DeleteAccountProps {
  user: User;
  hasPassword: boolean;
  result: ProfileActionResult | undefined;
}

const MESSAGES_CHOICES = [
  { value: "delete", label: "Delete" },
  { value: "anonymous", label: "Keep as “Anonymous”" },
] as const;

/** Deletes the account, after the user has typed their e-mail and password again. */
function DeleteAccount({ user, hasPassword, result }: DeleteAccountProps) {
  const { getErrorProps, values } = getFormResult(result, "delete-account");
  return (
    <FormSection
      heading="Delete account"
      text={
        <>
          <p>
            Your account, drafts, stories and pictures are deleted immediately and can't be
            recovered. You choose what happens to your messages in the room.
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
        <CurrentPassword label="Password" {...getErrorProps("currentPassword")} />
      ) : null}
    </FormSection>
  );
}
