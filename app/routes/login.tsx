import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import {
  useActionData,
  useLoaderData,
  useNavigation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";

import { FORGOT_INTENT } from "#app/accounts/email-links/email-link-screen.ts";
import { EmailLinkScreens } from "#app/accounts/email-links/email-link-screens.tsx";
import { getEmailLinkTitle } from "#app/accounts/email-links/email-link-titles.ts";
import {
  loadEmailLinkScreen,
  submitEmailLinkForm,
} from "#app/accounts/email-links/email-links.server.ts";
import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { SignInForm } from "#app/accounts/sign-in/sign-in-form.tsx";
import { signIn } from "#app/accounts/sign-in/sign-in.server.ts";
import { getText } from "#app/http/form-text.ts";
import { getReturnTo, setReturnTo } from "#app/session/return-to.server.ts";
import { useUser } from "#app/session/use-user.ts";
import { FlashBanner } from "#app/site/flash/flash-banner.tsx";
import { clearFlash, getFlash } from "#app/site/flash/flash.server.ts";
import { withOfflineBanner, withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";

export const meta: MetaFunction<typeof loader> = ({ data: page }) =>
  describePage({
    title: page?.screen ? getEmailLinkTitle(page.screen) : "Sign In",
    description: "Sign in to write and to chat in the room.",
  });

export async function loader(args: LoaderFunctionArgs) {
  const { request } = args;
  const to = new URL(request.url).searchParams.get("returnTo");
  if (to !== null) throw redirect("/login", { headers: setReturnTo(request, to) });
  const flash = getFlash(request);
  const { screen, status } = await loadEmailLinkScreen(args);
  const isForCreate = getReturnTo(request)?.label === "Create";
  return data({ screen, flash, isForCreate }, { status, headers: clearFlash(request, flash) });
}

export async function action(args: ActionFunctionArgs) {
  return (await submitEmailLinkForm(args)) ?? signIn(args);
}

export { shouldRevalidate } from "#app/site/revalidation.ts";

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const result = await withOfflineFallback(() => serverAction<typeof action>());
  if (!("offline" in result)) return result;
  return { ...withOfflineBanner(result), email: getText(form, "email") };
}

export default function LoginRoute() {
  const { screen, flash, isForCreate } = useLoaderData<typeof loader>();
  const result = useActionData<typeof clientAction>();
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
