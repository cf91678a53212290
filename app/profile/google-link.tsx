import { useNavigation, useRevalidator } from "@remix-run/react";
import type { ReactNode } from "react";

import type { FormError } from "#app/http/form.ts";
import { GoogleBanner, GoogleForm } from "#app/accounts/google/google-form.tsx";
import { useGoogle } from "#app/accounts/google/use-google.ts";
import sectionStyles from "./form-section.module.css";
import { FormSection, SectionFlash } from "./form-section.tsx";
import type { ProfileActionResult, SecurityView } from "./profile-view.ts";

export interface GoogleLinkProps {
  security: SecurityView;
  result: ProfileActionResult | undefined;
  /** The error of linking Google in the page's own window. */
  googleError: FormError | undefined;
}

/** Links Google to the account, or unlinks it when the account has a password. */
export function GoogleLink({ security, result, googleError }: GoogleLinkProps) {
  const { googleEmail, isGoogleOffered } = security;
  const isPending = useNavigation().formData?.get("intent") === "unlink-google";
  if (googleEmail === null && !isGoogleOffered) return null;
  return (
    <div className={sectionStyles.section}>
      <GoogleLinkState security={security} result={result} googleError={googleError} />
      <SectionFlash section="google" isPending={isPending} />
    </div>
  );
}

function GoogleLinkState({
  security: { googleEmail, hasPassword },
  result,
  googleError,
}: GoogleLinkProps) {
  if (googleEmail === null) return <LinkGoogle result={googleError} />;
  if (hasPassword) return <UnlinkGoogle email={googleEmail} result={result} />;
  return (
    <GoogleSection>
      <p className={sectionStyles.text}>
        You sign in with Google as {googleEmail}. It's your only way to sign in, so choose a
        password before you unlink it.
      </p>
    </GoogleSection>
  );
}

const FORM_ID = "link-google";

function LinkGoogle({ result }: { result: FormError | undefined }) {
  const { revalidate } = useRevalidator();
  const google = useGoogle(result, { onSignedIn: revalidate });
  return (
    <GoogleSection>
      <p className={sectionStyles.text}>
        Link a Google account to sign in with it as well. Your e-mail address stays the same.
      </p>
      {google.error ? <GoogleBanner error={google.error} formId={FORM_ID} /> : null}
      <GoogleForm id={FORM_ID} google={google} screen="link" className={sectionStyles.googleForm}>
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

function UnlinkGoogle({
  email,
  result,
}: {
  email: string;
  result: ProfileActionResult | undefined;
}) {
  return (
    <FormSection
      heading="Google"
      text={<p>You can sign in with Google as {email}, or with your password.</p>}
      form="unlink-google"
      result={result}
      button="Unlink Google"
      variant="quiet"
    />
  );
}
