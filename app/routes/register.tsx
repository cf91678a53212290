import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useNavigation, type ClientActionFunctionArgs } from "@remix-run/react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { signUp } from "#app/accounts/sign-in.server.ts";
import { SignUpForm } from "#app/accounts/sign-up-form.tsx";
import { useUser } from "#app/session/user.ts";
import { withOfflineBanner, withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";

export const meta: MetaFunction = (args) =>
  describePage(args, {
    title: "Sign Up",
    description: "Create an account to write and to chat in the room.",
  });

export const action = signUp;

export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  const result = await withOfflineFallback(() => serverAction<typeof action>());
  return "offline" in result ? { ...withOfflineBanner(result), lastResult: undefined } : result;
}

export default function RegisterRoute() {
  const result = useActionData<typeof clientAction>();
  const isPending = useNavigation().formAction === "/register";
  return (
    <SignUpForm
      user={useUser()}
      banner={result?.banner}
      googleError={useGoogleError("sign-up")}
      lastResult={result?.lastResult}
      isPending={isPending}
    />
  );
}
