import { useNavigation, useRevalidator } from "@remix-run/react";

import type { FormError } from "#app/accounts/form-error.ts";
import { GoogleBanner, GoogleForm } from "#app/accounts/google/google-form.tsx";
import { useGoogle } from "#app/accounts/google/use-google.ts";
import sectionStyles from "./form-section.module.css";
import { FormSection } from "./form-section.tsx";
import styles from "./google-link.module.css";
import type { ProfileRefusal, SecurityView } from "./profile-view.ts";
import { Answer } from "./result.tsx";

export interface GoogleLinkProps {
  security: SecurityView;
  refusal: ProfileRefusal | undefined;
  /** Why linking was refused, where the whole page went to Google. */
  linkRefusal: FormError | undefined;
}

/** Google as a way to sign in to the account: to be added, or taken away where there is another. */
export function GoogleLink({ security, refusal, linkRefusal }: GoogleLinkProps) {
  const { googleEmail, isGoogleOffered } = security;
  const isPending = useNavigation().formData?.get("intent") === "unlink-google";
  if (googleEmail === null && !isGoogleOffered) return null;
  return (
    <div className={sectionStyles.section}>
      <Way security={security} refusal={refusal} linkRefusal={linkRefusal} />
      <Answer section="google" isPending={isPending} />
    </div>
  );
}

function Way({ security: { googleEmail, hasPassword }, refusal, linkRefusal }: GoogleLinkProps) {
  if (googleEmail === null) return <Link refusal={linkRefusal} />;
  if (hasPassword) return <Unlink email={googleEmail} refusal={refusal} />;
  return (
    <section className={sectionStyles.section} aria-labelledby="google-title">
      <h2 className={sectionStyles.heading} id="google-title">
        Google
      </h2>
      <p className={sectionStyles.words}>
        You sign in with Google as {googleEmail}. It's your only way to sign in, so choose a
        password before you unlink it.
      </p>
    </section>
  );
}

const FORM = "link-google";

function Link({ refusal }: { refusal: FormError | undefined }) {
  const { revalidate } = useRevalidator();
  const google = useGoogle(refusal, { onSignedIn: revalidate });
  return (
    <section className={sectionStyles.section} aria-labelledby="google-title">
      <h2 className={sectionStyles.heading} id="google-title">
        Google
      </h2>
      <p className={sectionStyles.words}>
        Link a Google account to sign in with it as well. Your e-mail address stays the same.
      </p>
      {google.refusal ? <GoogleBanner refusal={google.refusal} formId={FORM} /> : null}
      <GoogleForm
        id={FORM}
        google={google}
        screen="link"
        path="/profile?tab=security"
        className={styles.form}
      >
        Link Google
      </GoogleForm>
    </section>
  );
}

function Unlink({ email, refusal }: { email: string; refusal: ProfileRefusal | undefined }) {
  return (
    <FormSection
      heading="Google"
      words={<p>You can sign in with Google as {email}, or with your password.</p>}
      form="unlink-google"
      tab="security"
      refusal={refusal}
      button="Unlink Google"
      variant="quiet"
    />
  );
}
