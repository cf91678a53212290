import { useNavigation } from "@remix-run/react";

import type { SignInReason } from "#app/session/return-to.ts";
import { useUser } from "#app/session/user.ts";
import { FlashBanner } from "#app/site/flash/flash-banner.tsx";
import type { FlashText } from "#app/site/flash/flash.ts";
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
  flashText: FlashText | null;
  reason?: SignInReason | undefined;
  /** Whether a sign-in was lost, because the browser has sent no cookie back. */
  areCookiesBlocked: boolean;
  /** The result of the form of either screen. */
  result: EmailLinkResult | undefined;
}

const REASONS: Record<SignInReason, string> = {
  write: "Sign in to write.",
  chat: "Sign in to chat.",
  report: "Sign in to report it.",
  follow: "Sign in to follow writers.",
  thank: "Sign in to thank the writer.",
};

/** The page at /login: Sign In, or the screen to show instead. */
export function LoginScreen({
  screen,
  flashText,
  reason,
  areCookiesBlocked,
  result,
}: LoginScreenProps) {
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
      <FlashBanner text={flashText} />
      <SignInForm
        user={user}
        banner={result?.banner}
        googleError={googleError}
        email={result?.email}
        isPending={isPending}
        reason={reason && REASONS[reason]}
        areCookiesBlocked={areCookiesBlocked}
      />
    </>
  );
}
