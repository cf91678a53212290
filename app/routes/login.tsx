import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";

import { readCookieCheck } from "#app/accounts/require-user.server.ts";
import { getEmailLinkTitle } from "#app/accounts/email-links/email-link-screens.tsx";
import {
  loadEmailLinkScreen,
  submitEmailLinkForm,
} from "#app/accounts/email-links/email-links.server.ts";
import { LoginScreen } from "#app/accounts/login-screen.tsx";
import { signIn } from "#app/accounts/sign-in.server.ts";
import { getText } from "#app/http/form.ts";
import { getSignInReason, setReturnTo } from "#app/session/return-to.server.ts";
import { clearFlash, getFlash, getFlashText } from "#app/site/flash/flash.server.ts";
import { withOfflineBanner, withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";

export const meta: MetaFunction<typeof loader> = (args) =>
  describePage(args, {
    title: args.data?.screen ? getEmailLinkTitle(args.data.screen) : "Sign In",
    description: "Sign in to write and to chat in the room.",
  });

export async function loader(args: LoaderFunctionArgs) {
  const { request } = args;
  const { searchParams } = new URL(request.url);
  const to = searchParams.get("returnTo");
  if (to !== null) {
    throw redirect("/login", { headers: setReturnTo(request, to, searchParams.get("reason")) });
  }
  const cookies = readCookieCheck(request);
  if (cookies === "allowed") throw redirect("/login");
  const flash = getFlash(request);
  const { screen, status } = await loadEmailLinkScreen(args);
  const reason = getSignInReason(request);
  return data(
    { screen, flashText: getFlashText(flash), reason, areCookiesBlocked: cookies === "blocked" },
    { status, headers: clearFlash(request, flash) },
  );
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
  const loaded = useLoaderData<typeof loader>();
  return <LoginScreen {...loaded} result={useActionData<typeof clientAction>()} />;
}
