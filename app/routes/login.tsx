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

import { enter } from "#app/accounts/complete-sign-in.server.ts";
import { signInSchema } from "#app/accounts/credentials-schema.ts";
import { FORGOT_INTENT } from "#app/accounts/email-links/email-link-screen.ts";
import { CodeScreens } from "#app/accounts/email-links/email-link-screens.tsx";
import { titleOf } from "#app/accounts/email-links/email-link-titles.ts";
import { answerCodeScreen, loadCodeScreen } from "#app/accounts/email-links/email-links.server.ts";
import { describeRefusal } from "#app/accounts/form-error.server.ts";
import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { getAuthenticator } from "#app/accounts/sign-in/authenticator.server.ts";
import { SignInForm } from "#app/accounts/sign-in/sign-in-form.tsx";
import { getText } from "#app/http/form-text.ts";
import { namesOf, readForm, withForm } from "#app/http/form.server.ts";
import { getWish } from "#app/session/return-to.server.ts";
import { useUser } from "#app/session/use-user.ts";
import { FlashNotice } from "#app/site/flash/flash-banner.tsx";
import { forgetNotice, getNotice } from "#app/site/flash/flash.server.ts";
import { withOfflineBanner, withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";

export const meta: MetaFunction<typeof loader> = ({ data: page }) =>
  describePage({
    title: page?.screen ? titleOf(page.screen) : "Sign In",
    description: "Sign in to write and to chat in the room.",
  });

export async function loader(args: LoaderFunctionArgs) {
  const notice = getNotice(args.request);
  const { screen, status } = await loadCodeScreen(args);
  const isToWrite = getWish(args.request)?.place === "Create";
  return data(
    { screen, notice, isToWrite },
    { status, headers: forgetNotice(args.request, notice) },
  );
}

export async function action(args: ActionFunctionArgs) {
  return (await answerCodeScreen(args)) ?? signIn(args);
}

async function signIn({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, namesOf(signInSchema));

  const submission = signInSchema.safeParse(Object.fromEntries(form));
  if (!submission.success) {
    const message = submission.error.issues[0]?.message ?? "Login failed";
    return data({ email: getText(form, "email"), banner: { message } }, 400);
  }

  const attempts = getSignInLimits(context);
  const authenticator = getAuthenticator(context);
  try {
    await attempts.admit(request, "sign-in", submission.data.email);
    const tokens = await authenticator.authenticate("sign-in", withForm(request, form));
    return redirect("/profile", {
      headers: await enter({ request, context }, tokens),
      status: 303,
    });
  } catch (error) {
    const { status, banner } = describeRefusal("sign-in", error);
    return data({ email: submission.data.email, banner }, status);
  }
}

export { shouldRevalidate } from "#app/http/revalidation.ts";

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const result = await withOfflineFallback(() => serverAction<typeof action>());
  if (!("offline" in result)) return result;
  return { ...withOfflineBanner(result), email: getText(form, "email") };
}

export default function LoginRoute() {
  const { screen, notice, isToWrite } = useLoaderData<typeof loader>();
  const result = useActionData<typeof clientAction>();
  const account = useUser();
  const googleRefusal = useGoogleError("sign-in");
  const { formAction, formData } = useNavigation();
  const isPending =
    formAction?.split("?")[0] === "/login" && formData?.get("intent") !== FORGOT_INTENT;
  if (screen) {
    return <CodeScreens key={screen.kind} screen={screen} reply={result} isPending={isPending} />;
  }
  return (
    <>
      <FlashNotice notice={notice} />
      <SignInForm
        account={account}
        banner={result?.banner}
        googleRefusal={googleRefusal}
        email={result?.email}
        isPending={isPending}
        reason={isToWrite ? "Sign in to write." : undefined}
      />
    </>
  );
}
