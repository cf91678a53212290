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

import { FORGOT_INTENT } from "#app/features/auth/code-screen.ts";
import { CodeScreens } from "#app/features/auth/code-screens.tsx";
import { titleOf } from "#app/features/auth/code-titles.ts";
import { SignInForm } from "#app/features/auth/sign-in-form.tsx";
import { FlashNotice } from "#app/features/notice/flash-notice.tsx";
import { signInSchema } from "#app/schemas/account.ts";
import { enter } from "#app/services/entrance.server.ts";
import { namesOf, readForm, withForm } from "#app/services/form.server.ts";
import { forgetNotice, getNotice } from "#app/services/notice.server.ts";
import { getServices } from "#app/services/services.server.ts";
import { getWish } from "#app/services/wish.server.ts";
import { answerCodeScreen, loadCodeScreen } from "./code-screens.server.ts";
import { getText } from "./form-text.ts";
import { askServer, describeOffline } from "./offline.ts";
import { describePage } from "./page-meta.ts";
import { describeRefusal } from "./refusal.server.ts";
import { useAccount, useKeptRefusal } from "./root-data.ts";

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

  const { attempts, authenticator } = getServices(context);
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

export { shouldRevalidate } from "./revalidation.ts";

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const result = await askServer(() => serverAction<typeof action>());
  if (!("offline" in result)) return result;
  return { ...describeOffline(result), email: getText(form, "email") };
}

export default function LoginRoute() {
  const { screen, notice, isToWrite } = useLoaderData<typeof loader>();
  const result = useActionData<typeof clientAction>();
  const account = useAccount();
  const googleRefusal = useKeptRefusal("sign-in");
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
