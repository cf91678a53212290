import type { FormError } from "#app/accounts/form-error.ts";
import type { User } from "#app/session/user.ts";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { FormSection, readRefusal } from "./form-section.tsx";
import { GoogleLink } from "./google-link.tsx";
import type { ProfileRefusal, SecurityView } from "./profile-view.ts";
import styles from "./security.module.css";
import { SessionList } from "./session-list.tsx";

export interface SecurityProps {
  account: User;
  /** `null` while the provider cannot be reached. */
  security: SecurityView | null;
  refusal: ProfileRefusal | undefined;
  /** Why linking Google was refused, where the whole page went there. */
  linkRefusal: FormError | undefined;
}

/** The password, the sessions and the end of the account. */
export function Security({ account, security, refusal, linkRefusal }: SecurityProps) {
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
        <ChangePassword account={account} refusal={refusal} />
      ) : (
        <ChoosePassword refusal={refusal} />
      )}
      <GoogleLink security={security} refusal={refusal} linkRefusal={linkRefusal} />
      <SignIns security={security} refusal={refusal} />
      <DeleteAccount account={account} hasPassword={hasPassword} refusal={refusal} />
    </>
  );
}

interface PartProps {
  refusal: ProfileRefusal | undefined;
}

function ChangePassword({ account, refusal }: PartProps & { account: User }) {
  const { faults } = readRefusal(refusal, "change-password");
  return (
    <FormSection
      heading="Change password"
      words={<p>This signs you out everywhere else.</p>}
      form="change-password"
      tab="security"
      refusal={refusal}
      button="Change password"
    >
      {/* For password managers, which have to know whose password is new. */}
      <input hidden type="text" autoComplete="username" value={account.email} readOnly />
      <TextField
        label="Current password"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        errors={faults.currentPassword}
      />
      <TextField
        label="New password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        errors={faults.newPassword}
      />
    </FormSection>
  );
}

function ChoosePassword({ refusal }: PartProps) {
  return (
    <FormSection
      heading="Choose a password"
      words={<p>You sign in with Google. A password gives you a second way to sign in.</p>}
      form="send-password-link"
      tab="security"
      refusal={refusal}
      button="Send link"
      variant="quiet"
    />
  );
}

function SignIns({ security, refusal }: PartProps & { security: SecurityView }) {
  const known = (
    <>
      <dl className={styles.times}>
        <dt>Last sign-in</dt>
        <dd>{security.signedInAt ?? "Unknown"}</dd>
        <dt>Account created</dt>
        <dd>{security.createdAt}</dd>
      </dl>
      <SessionList sessions={security.sessions} refusal={refusal} />
    </>
  );
  if (!security.hasPassword) {
    return (
      <section className={styles.section} aria-labelledby="sign-ins-title">
        <h2 className={styles.heading} id="sign-ins-title">
          Where you're signed in
        </h2>
        <div className={styles.words}>
          {known}
          <p>
            To sign out everywhere at once, choose a password with the link above. This ends every
            session.
          </p>
        </div>
      </section>
    );
  }
  const { faults } = readRefusal(refusal, "sign-out-everywhere");
  return (
    <FormSection
      heading="Where you're signed in"
      words={
        <>
          {known}
          <p>You can end all sessions except this one.</p>
        </>
      }
      form="sign-out-everywhere"
      tab="security"
      refusal={refusal}
      button="Sign out everywhere else"
      variant="quiet"
    >
      <TextField
        label="Password"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        errors={faults.currentPassword}
      />
    </FormSection>
  );
}
