import { useNavigation, useRevalidator } from "@remix-run/react";
import type { ReactNode } from "react";

import { GoogleBanner, GoogleForm, useGoogle } from "#app/accounts/google/google-form.tsx";
import { StillTrying } from "#app/accounts/still-trying.tsx";
import type { FormError } from "#app/http/form.ts";
import { MAX_LISTED_SESSIONS, MIN_PASSWORD_LENGTH, type User } from "#app/session/user.ts";
import { FormErrorBanner } from "#app/site/form-error-banner.tsx";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { RadioGroup } from "#app/ui/radio-group.tsx";
import { TextField, type TextFieldProps } from "#app/ui/text-field.tsx";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import sectionStyles from "./form-section.module.css";
import { FormSection, ProfileForm, SectionFlash, useProfileForm } from "./form-section.tsx";
import type { SecurityView, SessionView } from "./profile-view.ts";
import styles from "./security.module.css";

export interface SecurityProps {
  user: User;
  /** `null` while the provider cannot be reached. */
  security: SecurityView | null;
  /** The error of linking Google in the page's own window. */
  googleError: FormError | undefined;
}

/** The Security tab: password, Google, sessions and deleting the account. */
export function Security({ user, security, googleError }: SecurityProps) {
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
      {hasPassword ? <ChangePassword user={user} /> : <ChoosePassword />}
      <GoogleLink security={security} googleError={googleError} />
      <Sessions security={security} />
      <DeleteAccount user={user} hasPassword={hasPassword} />
    </>
  );
}

function ChangePassword({ user }: { user: User }) {
  const { getErrorProps } = useProfileForm("change-password");
  return (
    <FormSection
      heading="Change password"
      text={<p>This signs you out everywhere else.</p>}
      form="change-password"
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

function ChoosePassword() {
  return (
    <FormSection
      heading="Choose a password"
      text={<p>You sign in with Google. A password gives you a second way to sign in.</p>}
      form="send-password-link"
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

interface GoogleLinkProps {
  security: SecurityView;
  /** The error of linking Google in the page's own window. */
  googleError: FormError | undefined;
}

/** Links Google to the account, or unlinks it when the account has a password. */
function GoogleLink({ security, googleError }: GoogleLinkProps) {
  const { googleEmail, isGoogleOffered } = security;
  const { isPending } = useProfileForm("unlink-google");
  if (googleEmail === null && !isGoogleOffered) return null;
  return (
    <div className={sectionStyles.section}>
      <GoogleLinkState security={security} googleError={googleError} />
      <SectionFlash section="google" isPending={isPending} />
    </div>
  );
}

function GoogleLinkState({ security: { googleEmail, hasPassword }, googleError }: GoogleLinkProps) {
  if (googleEmail === null) return <LinkGoogle result={googleError} />;
  if (hasPassword) return <UnlinkGoogle email={googleEmail} />;
  return (
    <GoogleSection>
      <p className={sectionStyles.text}>
        You sign in with Google as {googleEmail}. It's your only way to sign in, so choose a
        password before you unlink it.
      </p>
    </GoogleSection>
  );
}

const GOOGLE_FORM_ID = "link-google";

function LinkGoogle({ result }: { result: FormError | undefined }) {
  const { revalidate } = useRevalidator();
  const google = useGoogle(result, { onSignedIn: revalidate });
  return (
    <GoogleSection>
      <p className={sectionStyles.text}>
        Link a Google account to sign in with it as well. Your e-mail address stays the same.
      </p>
      {google.error ? <GoogleBanner error={google.error} formId={GOOGLE_FORM_ID} /> : null}
      <GoogleForm
        id={GOOGLE_FORM_ID}
        google={google}
        screen="link"
        className={sectionStyles.googleForm}
      >
        Link Google
      </GoogleForm>
    </GoogleSection>
  );
}

function GoogleSection({ children }: { children: ReactNode }) {
  return (
    <section className={sectionStyles.section} aria-labelledby="google-title">
      <h2 className={sectionStyles.heading} id="google-title">
        Google
      </h2>
      {children}
    </section>
  );
}

function UnlinkGoogle({ email }: { email: string }) {
  return (
    <FormSection
      heading="Google"
      text={<p>You can sign in with Google as {email}, or with your password.</p>}
      form="unlink-google"
      button="Unlink Google"
      variant="quiet"
    />
  );
}

function Sessions({ security }: { security: SecurityView }) {
  const { getErrorProps } = useProfileForm("sign-out-everywhere");
  const sessions = (
    <>
      <dl className={styles.times}>
        <dt>Last sign-in</dt>
        <dd>{security.signedInAt ?? "Unknown"}</dd>
        <dt>Account created</dt>
        <dd>{security.createdAt}</dd>
      </dl>
      <SessionList sessions={security.sessions} />
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
      button="Sign out everywhere else"
      variant="quiet"
    >
      <CurrentPassword label="Password" {...getErrorProps("currentPassword")} />
    </FormSection>
  );
}

interface SessionListProps {
  /** `null` when the registry cannot be read. */
  sessions: SessionView[] | null;
}

/** The user's sessions, each with a button to end it. */
function SessionList({ sessions }: SessionListProps) {
  const { isPending, result } = useProfileForm("end-session");
  if (!sessions) return <p>We can't load your sessions right now.</p>;
  const isCurrentListed = sessions.some(({ isCurrent }) => isCurrent);
  return (
    <>
      <FormErrorBanner error={result?.banner} />
      <ul className={styles.list}>
        {isCurrentListed ? null : (
          <li className={styles.session}>
            <SessionDetails device="This browser" isCurrent={false} times="Last used just now." />
          </li>
        )}
        {sessions.map((session) => (
          <Session key={session.id} session={session} />
        ))}
      </ul>
      <SectionFlash section="end-session" isPending={isPending} />
      {sessions.length === MAX_LISTED_SESSIONS ? (
        <p>
          Only the {MAX_LISTED_SESSIONS} that were used last are listed. Signing out everywhere ends
          the others too.
        </p>
      ) : null}
      {sessions.length > 1 ? (
        <p>
          A browser you sign out can show its open page for up to a minute. “Last used” is updated
          once an hour.
        </p>
      ) : null}
    </>
  );
}

function Session({ session }: { session: SessionView }) {
  const { id, device, isCurrent, signedInAt, seenAt } = session;
  const isPending = useNavigation().formData?.get("session") === id;
  const ref = useFocusAfterRemoval<HTMLFormElement>();
  return (
    <li className={styles.session}>
      <SessionDetails
        device={device}
        isCurrent={isCurrent}
        times={`Signed in ${signedInAt}. Last used ${seenAt}.`}
      />
      {isCurrent ? null : (
        <ProfileForm ref={ref} form="end-session">
          <input type="hidden" name="session" value={id} />
          <Button type="submit" variant="quiet" isPending={isPending}>
            Sign out<VisuallyHidden> {device}</VisuallyHidden>
          </Button>
          <StillTrying isPending={isPending} />
        </ProfileForm>
      )}
    </li>
  );
}

function SessionDetails({
  device,
  isCurrent,
  times,
}: {
  device: string;
  isCurrent: boolean;
  times: string;
}) {
  return (
    <div>
      <span className={styles.device}>{device}</span>
      {isCurrent ? <span className={styles.current}>This browser</span> : null}
      <p className={styles.sessionTimes}>{times}</p>
    </div>
  );
}

interface DeleteAccountProps {
  user: User;
  hasPassword: boolean;
}

const MESSAGES_CHOICES = [
  { value: "delete", label: "Delete" },
  { value: "anonymous", label: "Keep as “Anonymous”" },
] as const;

/** Deletes the account, after the user has typed their e-mail and password again. */
function DeleteAccount({ user, hasPassword }: DeleteAccountProps) {
  const { getErrorProps, result } = useProfileForm("delete-account");
  const values = result?.values;
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
