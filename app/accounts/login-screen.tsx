import { useNavigation } from "@remix-run/react";

import { useUser } from "#app/session/use-user.ts";
import { FlashBanner } from "#app/site/flash/flash-banner.tsx";
import type { Flash } from "#app/site/flash/flash.ts";
import {
  FORGOT_INTENT,
  type EmailLinkResult,
  type EmailLinkScreen,
} from "./email-links/email-link-screen.ts";
import { EmailLinkScreens } from "./email-links/email-link-screens.tsx";
import { useGoogleError } from "./google/use-google-error.ts";
import { SignInForm } from "./sign-in/sign-in-form.tsx";

export interface LoginScreenProps {
  /** The screen to show instead of Sign In, or `null`. */
  screen: EmailLinkScreen | null;
  flash: Flash | null;
  /** Whether the user was redirected here from the Create page. */
  isForCreate: boolean;
  /** The result of the form of either screen. */
  result: EmailLinkResult | undefined;
}

/** The page at /login: Sign In, or the screen to show instead. */
export function LoginScreen({ screen, flash, isForCreate, result }: LoginScreenProps) {
  const user = useUser();
  const googleError = useGoogleError("sign-in");
  const { formAction, formData } = useNavigation();
  const isPending =
    formAction?.split("?")[0] === "/login" && formData?.get("intent") !== FORGOT_INTENT;
  if (screen) {
    const key = screen.kind;
    return <EmailLinkScreens key={key} screen={screen} result={result} isPending={isPending} />;
  }
  return (
    <>
      <FlashBanner flash={flash} />
      <SignInForm
        user={user}
        banner={result?.banner}
        googleError={googleError}
        email={result?.email}
        isPending={isPending}
        reason={isForCreate ? "Sign in to write." : undefined}
      />
    </>
  );
}
